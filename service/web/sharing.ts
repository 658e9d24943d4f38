/** What is loaded when something is shared or taken along. */

export { share } from "./below/copied.ts";
export { Take } from "./below/take.tsx";
// So what is needed at first is in one file here, too.
export { Page } from "./page.tsx";
