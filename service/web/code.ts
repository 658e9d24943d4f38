/** What is loaded when the code of the backward pass is looked at, or its sort is played. */

export { Code } from "./panel/code.tsx";
export { tellSort } from "./panel/tell_sort.ts";
// So what is needed at first is in one file here, too.
export { Page } from "./page.tsx";
