/** The keys, as a list; `keys.ts` acts on them. */

import { laterWords } from "../later_words.ts";

export function Keyboard() {
  return (
    <dl class="keys">
      {laterWords.value.keys.map(([keys, does]) => (
        <div>
          <dt>
            {keys.map((key) => (
              <>
                <kbd>{key}</kbd>{" "}
              </>
            ))}
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
  );
}
