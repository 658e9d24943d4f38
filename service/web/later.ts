/** What is loaded after the first sight of the page, in one file: all but graph, sliders and play. */

export { Answer } from "./answer.tsx";
export { Below } from "./below/below.tsx";
export { startKeys } from "./below/keys.ts";
export { BreakIt } from "./panel/break.tsx";
export { Curve } from "./panel/curve.tsx";
export { Open } from "./panel/open_curve.tsx";
export { Predict } from "./panel/predict.tsx";
export { startHands } from "./stage/hands.ts";
export { Scene } from "./lesson/place.tsx";
export { startPaper } from "./stage/paper.ts";
export { startWalk } from "./stage/walk.ts";
export { endingOf } from "./stage/ending.ts";
export { Full } from "./stage/full.tsx";
export { labels } from "./stage/saying.ts";
export { Floor } from "./stage/floor.tsx";
export { visitNext } from "./stage/visit.ts";
export { Edits } from "./top/edits.tsx";
export { share } from "./below/copied.ts";
export { startAddress } from "./top/history.ts";
export { ValuesRoom } from "./panel/values.tsx";
export { startConfirming } from "./state/confirm.ts";
export { Examples } from "./top/examples.tsx";
export { Fault } from "./top/fault.tsx";
export { ParityMark } from "./top/parity_mark.tsx";
export { pencil } from "./stage/pencil.ts";
export { laterWords } from "./later_words.ts";
export { derivative } from "./words/derivative.ts";
export { tellTick } from "./stage/tick.ts";
// So all that is seen at first is in one file, which is smaller than two.
export { Page } from "./page.tsx";
