/** Loaded when the code of the backward pass is looked at, or its sort is played. */

import "./deferred.tsx";

export { Code } from "../panel/code.tsx";
export { describeSortTick } from "../panel/sort.tsx";
