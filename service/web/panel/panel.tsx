/** The panel beside the graph: its tabs, and what each of them shows. */

import type { FunctionComponent } from "preact";
import { lazy, lazyCode, lazyTraining } from "../lazy.tsx";
import { tab } from "../state/view.ts";
import type { Tab } from "../state/view.ts";
import { words } from "../words.ts";

export const TAB_VIEWS: readonly (readonly [Tab, FunctionComponent])[] = [
  ["values", lazy(({ Values }) => Values)],
  ["code", lazyCode(({ Code }) => Code)],
  ["predict", lazy(({ Predict }) => Predict)],
  ["break", lazy(({ BreakIt }) => BreakIt)],
  ["train", lazyTraining(({ Train }) => Train)],
];

export function Panel() {
  const [, Room] = TAB_VIEWS.find(([each]) => each === tab.value) ?? TAB_VIEWS[0]!;
  return (
    <aside class="panel" aria-label={words.value.workbench}>
      <div class="tabs" role="tablist" aria-label={words.value.tablist} onKeyDown={onTabKey}>
        {TAB_VIEWS.map(([each]) => (
          <button
            key={each}
            role="tab"
            id={`tab-${each}`}
            aria-selected={each === tab.value}
            aria-controls="room"
            tabindex={each === tab.value ? 0 : -1}
            onClick={() => (tab.value = each)}
          >
            {words.value.tabs[each]}
          </button>
        ))}
      </div>
      <div
        class="body"
        id="room"
        role="tabpanel"
        aria-labelledby={`tab-${tab.value}`}
        tabindex={-1}
      >
        <Room />
      </div>
    </aside>
  );
}

/** Arrows go from tab to tab. */
function onTabKey(event: KeyboardEvent): void {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (by === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  const at = TAB_VIEWS.findIndex(([each]) => each === tab.value);
  tab.value = TAB_VIEWS[(at + by + TAB_VIEWS.length) % TAB_VIEWS.length]![0];
  requestAnimationFrame(() => document.getElementById(`tab-${tab.value}`)?.focus());
}
