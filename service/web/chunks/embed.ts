/** Loaded when the page is in a frame: messages to and from the page around it. */

import "./deferred.tsx";

export { startEmbedding } from "../top/embed.ts";
