/** Loaded right after the first sight of the page: all but its head, graph and play bar. */

import { lazyLesson } from "../lazy.tsx";
import { isScene } from "../state/tasks.ts";

export { Below, startKeys } from "../below/below.tsx";
export { share } from "../below/clipboard.ts";
export { drawOn } from "../canvas.ts";
export { Answer } from "../controls.tsx";
export { deferredWords } from "../deferred_words.ts";
export { BreakIt } from "../panel/break.tsx";
export { Predict } from "../panel/predict.tsx";
export { Values } from "../panel/values.tsx";
export { Floor } from "../stage/floor.tsx";
export {
  FullScreen,
  startFocusFollowing,
  startPointer,
  startPrinting,
  visitNext,
} from "../stage/input.tsx";
export { labels } from "../stage/labels.ts";
export { describeEnd, describeTick } from "../stage/sentences.ts";
export { startParityChecks } from "../state/parity.ts";
export { Examples } from "../top/examples.tsx";
export { Fault, ParityMark } from "../top/fault.tsx";
export { startAddress, UndoRedo } from "../top/history.tsx";
export { derivative } from "../words/sentences.ts";
// Each chunk reaches all that is loaded first, so that this stays one file.
export { Page } from "../page.tsx";

const LoadedScene = lazyLesson(({ Scene }) => Scene);

/** The place above the graph of what an address says, if it says something. */
export function SceneSlot() {
  return isScene.value ? <LoadedScene /> : null;
}
