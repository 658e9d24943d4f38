/** The way through the lesson: a link for each scene, and at its end what was learned. */

import { lessonWords } from "../lesson_words.ts";
import { plain, Rich } from "../words/rich.tsx";
import { done, linkOf, scene } from "./progress.ts";
import { NAMES } from "./scenes.ts";

export function Places() {
  const text = lessonWords.value;
  return (
    <ol class="places" aria-label={text.places}>
      {NAMES.map((name, at) => {
        const isDone = done.value.has(name);
        const title = plain(text.title(at + 1, NAMES.length, text.scenes[name].title));
        return (
          <li key={name}>
            <a
              href={linkOf(name)}
              class={isDone ? "done" : ""}
              title={title}
              aria-label={`${title}${isDone ? `, ${text.done}` : ""}`}
              aria-current={name === scene.value ? "step" : undefined}
            >
              {isDone ? "✓" : at + 1}
            </a>
          </li>
        );
      })}
    </ol>
  );
}

export function Learned() {
  const text = lessonWords.value;
  return (
    <>
      <p>{text.learned(done.value.size, NAMES.length)}</p>
      <ul class="learned">
        {NAMES.map((name) => (
          <li key={name} class={done.value.has(name) ? "" : "soft"}>
            <span aria-hidden="true">{done.value.has(name) ? "✓" : "○"}</span>
            {done.value.has(name) ? (
              <Rich text={text.scenes[name].learned} />
            ) : (
              <a href={linkOf(name)}>
                <Rich text={text.scenes[name].title} />
              </a>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
