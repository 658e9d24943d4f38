/** A long table, turned over like pages. */

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { laterWords } from "../later_words.ts";

/** Rows of a page. */
const PAGE = 100;

interface PagesProps {
  readonly count: number;
  /** The row of this moment, or -1. */
  readonly now: number;
  readonly columns: number;
  readonly row: (at: number) => ComponentChildren;
}

/** The rows of a table: of a long one those around this moment, until others are turned to. */
export function Pages({ count, now, columns, row }: PagesProps) {
  const text = laterWords.value.tables;
  const turned = useSignal({ since: now, page: Math.floor(Math.max(0, now) / PAGE) });
  const { since, page } = turned.value;
  const first = PAGE * (since === now ? page : Math.floor(Math.max(0, now) / PAGE));
  const last = Math.min(count, first + PAGE);
  const turn = (by: number) => (turned.value = { since: now, page: first / PAGE + by });
  return (
    <>
      <tbody>{Array.from({ length: last - first }, (_, place) => row(first + place))}</tbody>
      {count > PAGE && (
        <tfoot>
          <tr>
            <td colspan={columns}>
              <div class="acts">
                <button disabled={first === 0} onClick={() => turn(-1)}>
                  {text.earlier}
                </button>
                <span>{text.rows(first + 1, last, count)}</span>
                <button disabled={last === count} onClick={() => turn(1)}>
                  {text.later}
                </button>
              </div>
            </td>
          </tr>
        </tfoot>
      )}
    </>
  );
}
