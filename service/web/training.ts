/** What is loaded when something is trained, with the decision map. */

export { Train } from "./panel/train.tsx";
export { Loss } from "./stage/loss.tsx";
// So what is needed at first is in one file here, too.
export { Page } from "./page.tsx";
