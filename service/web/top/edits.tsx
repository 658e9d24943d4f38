/** Undo and redo, beside the expression. */

import { laterWords } from "../later_words.ts";
import { canRedo, canUndo, go } from "./history.ts";

export function Edits() {
  const text = laterWords.value.edits;
  return (
    <>
      <Edit by={-1} sign="↶" label={text.undo} isOff={!canUndo.value} />
      <Edit by={1} sign="↷" label={text.redo} isOff={!canRedo.value} />
    </>
  );
}

interface EditProps {
  readonly by: -1 | 1;
  readonly sign: string;
  readonly label: string;
  readonly isOff: boolean;
}

/** Not disabled where there is nothing to do: the focus would be lost by the last press. */
function Edit({ by, sign, label, isOff }: EditProps) {
  return (
    <button
      class="edit"
      title={label}
      aria-label={label}
      aria-disabled={isOff}
      onClick={() => go(by)}
    >
      {sign}
    </button>
  );
}
