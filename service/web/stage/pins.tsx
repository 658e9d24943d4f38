/** Where an arrow leaves the window: a button with the name of the card at its other end, which leads there. */

import { lookAt } from "../state/sight.ts";
import { shown } from "../state/program.ts";
import { laterWords } from "../later_words.ts";
import { nameOf } from "../words/names.ts";
import { pins } from "./beyond.ts";
import { focusOn } from "./walk.ts";

export function Pins() {
  return (
    <>
      {pins.value.map(({ card, x, y, text }) => (
        <button
          key={card}
          class="pin mono"
          style={`left:${x}px;top:${y}px`}
          aria-label={laterWords.value.zoom.to(nameOf(shown.value, card))}
          onClick={() => {
            lookAt([card]);
            focusOn(card);
          }}
        >
          {text}
        </button>
      ))}
    </>
  );
}
