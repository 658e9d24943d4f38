/** What is loaded when a graph is larger than its window, or is looked at from nearer. */

export { taken } from "./stage/beyond.ts";
export { Minimap } from "./stage/minimap.tsx";
export { Overview } from "./stage/overview.tsx";
export { Pins } from "./stage/pins.tsx";
export { Zoom } from "./stage/zoom.tsx";
// So what is needed at first is in one file here, too.
export { Page } from "./page.tsx";
