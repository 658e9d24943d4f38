/** What is loaded when a program is taken along. */

export { Take } from "./below/take.tsx";
// So what is needed at first is in one file here, too.
export { Page } from "./page.tsx";
