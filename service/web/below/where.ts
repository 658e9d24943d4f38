/** Where others find the page. */

/** Where `make run` serves. */
const USUAL = "http://127.0.0.1:8000/";

/** Whether the page was opened from a file, and has no service beside it. */
export function isFile(): boolean {
  return !location.protocol.startsWith("http");
}

/** The page without its program, where others find it. */
export function addressOf(): URL {
  const { origin, pathname, search } = location;
  return new URL(isFile() ? USUAL : `${origin}${pathname}${search}`);
}
