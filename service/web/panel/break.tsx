/** Do the backward pass wrong, and see what is lost: an order put together by hand, and pitfalls. */

import { choose, mistake, MISTAKES, ORDER } from "../state/break.ts";
import "./outcome.ts";
import { laterWords } from "../later_words.ts";
import { Pitfall } from "./pitfall.tsx";
import { Visits } from "./visits.tsx";

export function BreakIt() {
  const text = laterWords.value.broken;
  return (
    <>
      <div class="mistakes wraps" role="group" aria-label={text.mistakes}>
        {MISTAKES.map((name) => (
          <button
            key={name}
            class="chip"
            aria-pressed={name === mistake.value}
            onClick={() => choose(name)}
          >
            {text.chips[name]}
          </button>
        ))}
      </div>
      {mistake.value === ORDER ? <Visits /> : <Pitfall key={mistake.value} />}
    </>
  );
}
