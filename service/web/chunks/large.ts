/** Loaded when a graph is larger than its window, or is zoomed. */

import "./deferred.tsx";

export { Offscreen, reservedRects, Zoom } from "../stage/minimap.tsx";
export { Overview } from "../stage/overview.tsx";
