/** What stands above the graph of a scene: its caption, its task, and what follows an answer. */

import { useSignalEffect } from "@preact/signals";
import { createRef } from "preact";
import { lazy } from "../lazy.tsx";
import { lessonWords } from "../lesson_words.ts";
import {
  answer,
  caption,
  checkReply,
  expected,
  isRight,
  leave,
  lesson,
  reply,
  task,
} from "../state/scene.ts";
import { Rich } from "../words/rich.tsx";
import { after, linkOf, scene } from "./progress.ts";
import { END, NAMES } from "./scenes.ts";
import type { SceneName } from "./scenes.ts";
import { Learned, Places } from "./way.tsx";

const Answer = lazy(({ Answer }) => Answer);
const head = createRef<HTMLHeadingElement>();

export function Scene() {
  // Who goes on by a link of the scene is told where that leads.
  useSignalEffect(() => {
    void lesson.value;
    if (head.current?.closest("section")?.contains(document.activeElement)) head.current.focus();
  });
  const text = lessonWords.value;
  const name = scene.value;
  const own = name === null ? null : text.scenes[name];
  const said = own?.caption ?? caption.value;
  return (
    <section class="scene" aria-label={text.name}>
      <div class="scene-head">
        <h2 ref={head} tabIndex={-1}>
          <Rich text={heading()} />
        </h2>
        {lesson.value !== "" && <Places />}
        <button class="plain" onClick={leave}>
          {lesson.value === "" ? text.close : text.leave}
        </button>
      </div>
      {lesson.value === END && <Learned />}
      {said !== "" && (
        <p>
          <Rich text={said} />
        </p>
      )}
      <Task />
    </section>
  );
}

function heading(): string {
  const text = lessonWords.value;
  if (lesson.value === END) return text.end;
  if (scene.value === null) return text.name;
  const { title } = text.scenes[scene.value];
  return text.title(NAMES.indexOf(scene.value) + 1, NAMES.length, title);
}

/** The task, and where its answer is known a field for it. */
function Task() {
  const text = lessonWords.value;
  const name = scene.value;
  const own = name === null ? null : text.scenes[name];
  const asked = own?.task ?? task.value;
  if (asked === "" || lesson.value === END) return null;
  if (answer.value === "" || expected.value === null)
    return (
      <p>
        <b>{text.task}</b> <Rich text={asked} />
      </p>
    );
  return (
    <Answer
      id="reply"
      lead={own === null ? text.task : text.predict}
      question={asked}
      typed={reply}
      isRight={isRight}
      check={checkReply}
      said={(isRight.value ? own?.why : own?.hint) ?? ""}
    >
      {name !== null && <Onward from={name} />}
    </Answer>
  );
}

/** Where the lesson goes on. */
function Onward({ from }: { from: SceneName }) {
  const text = lessonWords.value;
  const isLast = after(from) === END;
  return (
    <>
      {" "}
      <a href={linkOf(after(from))}>
        {!isRight.value ? text.skip : isLast ? text.finish : text.next}
      </a>
    </>
  );
}
