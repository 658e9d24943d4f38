/** The lessons' `backward()` with the line of this step lit, and its numbers under their names. */

import { signal } from "@preact/signals";
import { codeWords } from "../code_words.ts";
import { current, way } from "../state/play.ts";
import { shown } from "../state/program.ts";
import { rightFirst } from "../state/sorted.ts";
import { nameOf } from "../words/names.ts";
import { short } from "../words/numbers.ts";
import { Rich } from "../words/rich.tsx";
import { listing } from "./listing.ts";
import type { Line, Programming } from "./listing.ts";
import { before, litNow } from "./lit.ts";
import type { Lit } from "./lit.ts";
import { Order } from "./order.tsx";
import { Sort } from "./sort.tsx";

const LANGUAGES: readonly Programming[] = ["Python", "TypeScript"];
const language = signal<Programming>("Python");

export function Code() {
  const text = codeWords.value;
  const lines = listing(language.value, rightFirst.value);
  const lit = litNow(language.value);
  const at = lines.findIndex(({ role }) => role !== null && role === lit?.role);
  const seed = lines.findIndex(({ role }) => role === "seed");
  // The rest of it is not of the sort.
  const isSeen = ({ role }: Line, place: number) =>
    way.value !== "sort" || place < seed || role === "reverse";
  return (
    <>
      <div class="acts code-head">
        <h2 class="mono">backward()</h2>
        <span class="soft small">
          {at < 0 ? text.lines(lines.length) : text.line(at + 1, lines.length)}
        </span>
        <div class="pair" role="radiogroup" aria-label={text.language}>
          {LANGUAGES.map((each) => (
            <label>
              <input
                type="radio"
                name="programming"
                checked={language.value === each}
                onChange={() => (language.value = each)}
              />
              {each}
            </label>
          ))}
        </div>
      </div>
      <ol class="listing mono" translate={false} tabindex={0} aria-label="backward()">
        {lines.map(
          (line, place) =>
            isSeen(line, place) && (
              <li
                key={place}
                data-line={place + 1}
                class={place === at ? "now" : ""}
                style={{ "--indent": line.text.search(/\S/) }}
                aria-current={place === at ? "step" : undefined}
              >
                <code>{line.text}</code>
                {place === at && <InPlace line={line} lit={lit!} />}
              </li>
            ),
        )}
      </ol>
      {lit === null && (
        <p class="soft small">{way.value === "forward" ? text.forward : text.idle}</p>
      )}
      {way.value === "sort" ? <Sort /> : <Order />}
      {way.value === "backward" && current.value !== null && <Why />}
    </>
  );
}

/** Each value begins where its name does, for all letters are as wide. */
function InPlace({ line, lit }: { line: Line; lit: Lit }) {
  let end = 0;
  return (
    <>
      <span class="under">
        {lit.under.map(([name, value, kind]) => {
          const start = line.text.search(new RegExp(`(?<![\\w.])(?:${name})\\b`));
          const gap = " ".repeat(Math.max(1, start - end));
          end = Math.max(start, end + 1) + value.length;
          return [gap, <b class={kind}>{value}</b>];
        })}
      </span>
      {lit.after !== "" && (
        <span class="under">
          {/^ */.exec(line.text)![0]}
          <Rich text={lit.after} />
        </span>
      )}
    </>
  );
}

/** Why what arrives is added. */
function Why() {
  const text = codeWords.value;
  const [name, old] = [nameOf(shown.value, current.value!.node), before()];
  return (
    <p class="tip-card small">
      <Rich text={old === 0 ? text.whyEmpty(name) : text.why(name, short(old))} />
    </p>
  );
}
