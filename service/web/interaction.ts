/** What is loaded right after the first sight of the page, which so is small and quick. */

import { later } from "./loading.tsx";

export const {
  loaded,
  ready: loadInteraction,
  part,
  room,
} = later(async () => {
  const [parts] = await Promise.all([import("./interaction_parts.tsx"), loadStyle()]);
  return parts;
});

/** Load the style sheet of those parts; the page names it, for its name has a hash. */
function loadStyle(): Promise<void> {
  const meta = document.querySelector<HTMLMetaElement>("meta[name=interaction-style]");
  if (meta === null) return Promise.resolve(); // it is in the page
  meta.remove();
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = meta.content;
  const done = new Promise<void>((resolve) => (link.onload = link.onerror = () => resolve()));
  document.head.append(link);
  return done;
}
