/** All but the head of the page, its graph and play bar: one script holds it. */

import { lesson } from "./loading.tsx";
import { isScene } from "./state/tasks.ts";

export { Below, Foot, startKeys } from "./below/below.tsx";
export { share } from "./below/clipboard.ts";
export { interactionWords } from "./interaction_words.ts";
export { BreakIt } from "./panel/break.tsx";
export { Predict } from "./panel/predict.tsx";
export { Values } from "./panel/values.tsx";
export {
  FullScreen,
  showLinkedStep,
  startPointer,
  startPointing,
  startPrinting,
  visitNext,
} from "./stage/input.tsx";
export { Ghost, sliderOf } from "./stage/nudge.tsx";
export { describeEnd, describeTick } from "./stage/narration.ts";
export { startParityChecks } from "./state/parity.ts";
export { Examples } from "./top/examples.tsx";
export { Fault, ParityMark } from "./top/fault.tsx";
export { startAddress, UndoRedo } from "./top/history.tsx";
export { derivative } from "./words/sentences.ts";

const Scene = lesson.room(({ Scene }) => Scene);

/** The place above the graph of what an address says, if it says something. */
export function SceneSlot() {
  return isScene.value ? <Scene /> : null;
}
