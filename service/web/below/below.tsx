/** Under the fold: every number as a table, the program to take along, and the keys. */

import { signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { Keyboard } from "./keyboard.tsx";
import { Tables } from "./tables.tsx";
import { lazyTaking } from "../asked.ts";
import { laterWords } from "../later_words.ts";

export type Part = "table" | "take" | "keyboard";

const Take = lazyTaking(({ Take }) => Take);

/** What is open. */
const unfolded = signal<ReadonlySet<Part>>(new Set());

export function Below() {
  const text = laterWords.value.below;
  return (
    <section class="below" aria-label={text.name}>
      <Fold part="table" title={text.table} of={Tables} />
      <Fold part="take" title={text.takeIt} of={Take} />
      <Fold part="keyboard" title={text.keyboard} of={Keyboard} />
    </section>
  );
}

function Fold({ part, title, of: Part }: { part: Part; title: string; of: ComponentType<object> }) {
  const isOpen = unfolded.value.has(part);
  return (
    <details id={part} open={isOpen} onToggle={(event) => unfold(part, event.currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && <Part />}
    </details>
  );
}

export function unfold(part: Part, isOpen: boolean): void {
  const others = [...unfolded.value].filter((each) => each !== part);
  unfolded.value = new Set(isOpen ? [...others, part] : others);
}
