/** The panel next to the graph: its tabs and their content. */

import type { FunctionComponent } from "preact";
import { room } from "../interaction.ts";
import { code, training } from "../loading.tsx";
import { openTab } from "../state/guesses.ts";
import { tab, TABS } from "../state/view.ts";
import type { Tab } from "../state/view.ts";
import { words } from "../words.ts";

const ROOMS: Readonly<Record<Tab, FunctionComponent>> = {
  values: room(({ Values }) => Values),
  code: code.room(({ Code }) => Code),
  predict: room(({ Predict }) => Predict),
  break: room(({ BreakIt }) => BreakIt),
  train: training.room(({ Train }) => Train),
};

export function Panel() {
  const Room = ROOMS[tab.value];
  return (
    <aside class="panel" aria-label={words.value.workbench}>
      <div class="tabs" role="tablist" onKeyDown={onTabKey}>
        {TABS.map((each) => (
          <button
            key={each}
            role="tab"
            id={`tab-${each}`}
            aria-selected={each === tab.value}
            aria-controls="room"
            tabindex={each === tab.value ? 0 : -1}
            onClick={() => openTab(each)}
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

/** Arrow keys move between tabs. */
function onTabKey(event: KeyboardEvent): void {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (by === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  const at = TABS.indexOf(tab.value) + by;
  openTab(TABS[(at + TABS.length) % TABS.length]!);
  requestAnimationFrame(() => document.getElementById(`tab-${tab.value}`)?.focus());
}
