/** Loaded when a program is taken along. */

import "./deferred.tsx";

export { Export } from "../below/export.tsx";
