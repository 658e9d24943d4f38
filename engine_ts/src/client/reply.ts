/** A reply of HTTP -> the JSON value in it, or one value a line as the lines arrive. */

import { isProblem, Problem, UnreadableReply } from "./problem.ts";

// What the platforms share of fetch; the build knows the types of none of them.
export interface Reply {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: { getReader(): Reader } | null;
  text(): Promise<string>;
}
interface Reader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
}
declare class TextDecoder {
  constructor(encoding: "utf-8", options: { fatal: boolean });
  decode(bytes?: Uint8Array, options?: { stream: boolean }): string;
}

/** Characters of an unreadable reply that a message repeats. */
const SHOWN = 80;

/** Raise the problem that a reply is, if it is one. */
export async function refuseProblem(reply: Reply): Promise<void> {
  if (reply.ok) return;
  const body = parsed(await reply.text(), reply.status);
  if (!isProblem(body)) throw unreadable(JSON.stringify(body), reply.status);
  const seconds = Number(reply.headers.get("Retry-After") ?? NaN);
  throw new Problem(body, Number.isNaN(seconds) ? null : seconds);
}

/** Read the whole of a reply. */
export async function readJson(reply: Reply): Promise<unknown> {
  return parsed(await reply.text(), reply.status);
}

/** Give each line's value as it arrives. Who stops early ends the reply. */
export async function* readLines(reply: Reply): AsyncGenerator<unknown, void, void> {
  if (reply.body === null) return;
  const reader = reply.body.getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let rest = "";
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      const lines = (rest + decoder.decode(piece.value, { stream: true })).split("\n");
      rest = lines.pop()!;
      for (const line of lines) yield parsed(line, reply.status);
    }
    if (rest !== "") throw new UnreadableReply("the reply ended inside of a line");
  } finally {
    await reader.cancel();
  }
}

function parsed(text: string, status: number): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unreadable(text, status);
  }
}

function unreadable(text: string, status: number): UnreadableReply {
  const shown = text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
  return new UnreadableReply(
    `the reply, of status ${status}, is neither an answer nor a problem: ${shown}`,
  );
}
