/** The keys, as a list; `keys.ts` acts on them. */

import { laterWords } from "../later_words.ts";

const ARROWS = "← → ↑ ↓";
const KEYS: readonly (readonly string[])[] = [
  ["Space"],
  ["←", "→"],
  ["Home", "End"],
  [",", "."],
  [ARROWS, "Home", "End"],
  ["0"],
  ["F", "S", "B"],
  ["/"],
  ["1", "2", "3", "4", "5"],
  ["Tab"],
  ["Enter"],
  ["Shift", ARROWS],
  ["R"],
  ["+", "−"],
  ["Ctrl", "Z"],
  ["Ctrl", "Shift", "Z"],
  ["?"],
];

export function Keyboard() {
  const { keys: does, keyNames } = laterWords.value;
  return (
    <dl class="keys">
      {KEYS.map((keys, at) => (
        <div>
          <dt>
            {keys.map((key) => (
              <>
                <kbd>{keyNames[key] ?? key}</kbd>{" "}
              </>
            ))}
          </dt>
          <dd>{does[at]}</dd>
        </div>
      ))}
    </dl>
  );
}
