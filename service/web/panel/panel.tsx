/** The panel beside the graph: tabs, and the room that is open. */

import { tab } from "../state/view.ts";
import { words } from "../words.ts";
import { ROOMS } from "./rooms.ts";

export function Panel() {
  const [, Room] = ROOMS.find(([each]) => each === tab.value) ?? ROOMS[0]!;
  return (
    <aside class="panel" aria-label={words.value.workbench}>
      <div class="tabs" role="tablist" aria-label={words.value.tablist} onKeyDown={onKey}>
        {ROOMS.map(([each]) => (
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
function onKey(event: KeyboardEvent): void {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (by === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  const at = ROOMS.findIndex(([each]) => each === tab.value);
  tab.value = ROOMS[(at + by + ROOMS.length) % ROOMS.length]![0];
  requestAnimationFrame(() => document.getElementById(`tab-${tab.value}`)?.focus());
}
