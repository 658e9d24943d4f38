/** What stands above the graph: the direction, which is the legend too, and what is shown early. */

import { signal } from "@preact/signals";
import type { Signal } from "@preact/signals";
import { loaded } from "../lazy.tsx";
import { expanded } from "../state/program.ts";
import { revealed, turn, way } from "../state/play.ts";
import type { Way } from "../state/play.ts";
import { guesses } from "../state/guesses.ts";
import { notes } from "../state/staged.ts";
import { accurate, resetView, tab } from "../state/view.ts";
import { words } from "../words.ts";

const opened = signal(false);

export function Tools() {
  const text = words.value.stage;
  const later = loaded.value?.laterWords.value;
  const isPredicting = tab.value === "predict" && guesses.value.isOpen;
  const isOrdered = notes.value?.some(({ visit }) => visit !== null) ?? false;
  return (
    <div class={`tools${opened.value ? " opened" : ""}`}>
      <div class="pair way" role="radiogroup" aria-label={text.way}>
        <Direction to="forward" label={text.forward} />
        <Direction to="sort" label={text.sort} />
        <Direction to="backward" label={text.backward} />
      </div>
      <button
        class="opts"
        aria-expanded={opened.value}
        onClick={() => (opened.value = !opened.value)}
      >
        {text.options}
      </button>
      {isPredicting || notes.value !== null ? (
        <span class="key">{isPredicting ? later?.hidden : isOrdered && later?.circles}</span>
      ) : (
        <>
          <Check of={expanded} label={text.local} />
          <Check of={revealed} label={text.final} />
          <Check of={accurate} label={text.accuracy} />
          <button class="reset" title={text.reset} aria-label={text.reset} onClick={resetView}>
            ↺
          </button>
        </>
      )}
    </div>
  );
}

function Direction({ to, label }: { to: Way; label: string }) {
  const [name, ...what] = label.split(":");
  return (
    <label>
      <input type="radio" name="way" checked={way.value === to} onChange={() => turn(to)} />
      <i class={to} />
      <span>
        {name}
        {what.length > 0 && <span class="what">:{what}</span>}
      </span>
    </label>
  );
}

function Check({ of, label }: { of: Signal<boolean>; label: string }) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={of.value}
        onChange={(event) => (of.value = event.currentTarget.checked)}
      />{" "}
      {label}
    </label>
  );
}
