/** Loaded when a program is copied or saved for elsewhere. */

import "./deferred.tsx";

export { Export } from "../below/export.tsx";
