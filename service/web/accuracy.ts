/** What is loaded when the accuracy of numbers is asked for, with the engine's true numbers. */

export { Bits } from "./stage/bits.tsx";
export { Quotients } from "./panel/quotients.tsx";
// So what is needed at first is in one file here, too.
export { Page } from "./page.tsx";
