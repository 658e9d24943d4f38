/** What is loaded when the page is in a frame: what it tells the page around it, and takes from it. */

export { startFrame } from "./top/embed.ts";
// So what is needed at first is in one file here, too.
export { Page } from "./page.tsx";
