/** The rows that a loss is the mean of: inputs, what is wanted, what comes out. */

import { forward } from "../../../engine_ts/src/forward.ts";
import type { Row } from "../state/lessons.ts";
import { shown, values } from "../state/program.ts";
import { trainingWords } from "../training_words.ts";
import { short } from "../words/numbers.ts";
import { Heads } from "./heads.tsx";

/** The node that is compared with what is wanted. */
const OUT = "out";

export function Rows({ rows }: { rows: readonly Row[] }) {
  const text = trainingWords.value;
  const names = Object.keys(rows[0]!);
  return (
    <table class="beside">
      <caption>{text.rows}</caption>
      <Heads of={[...names, OUT, <span class="unseen">{text.look}</span>]} />
      <tbody>
        {rows.map((row) => {
          const isHere = names.every((name) => shown.value.values[name] === row[name]);
          const told = names.map((name) => short(row[name]!)).join(", ");
          return (
            <tr key={told} class={isHere ? "now" : ""} aria-current={isHere || undefined}>
              {names.map((name) => (
                <td class="mono">{short(row[name]!)}</td>
              ))}
              <td class="mono d">{short(outOf(row))}</td>
              <td>
                <button class="plain" onClick={() => (values.value = { ...values.value, ...row })}>
                  {text.see(told)}
                </button>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function outOf(row: Row): number {
  const { prepared, values: now, document } = shown.value;
  const node = document.nodes.findIndex(({ label }) => label === OUT);
  const all = new Map(Object.entries({ ...now, ...row }));
  const { graph, order, steps } = prepared;
  return forward(graph, order, steps, all)[0][order[node]!]!;
}
