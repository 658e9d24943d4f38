/** What stands above the graph of a scene: its caption, its task, and what is said to an answer. */

import { useSignalEffect } from "@preact/signals";
import { createRef } from "preact";
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
import { Learned, Places } from "./way.tsx";

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
  const own = scene.value === null ? null : text.scenes[scene.value];
  const asked = own?.task ?? task.value;
  if (asked === "" || lesson.value === END) return null;
  if (answer.value === "" || expected.value === null)
    return (
      <p>
        <b>{text.task}</b> <Rich text={asked} />
      </p>
    );
  return (
    <form class="task" onSubmit={submit}>
      <label for="reply">
        <b>{own === null ? text.task : text.predict}</b> <Rich text={asked} />
      </label>
      <input
        class="number"
        id="reply"
        inputmode="decimal"
        autocomplete="off"
        value={reply.value}
        aria-invalid={isRight.value === false}
        aria-describedby="told"
        onInput={(event) => {
          reply.value = event.currentTarget.value;
          isRight.value = null;
        }}
      />
      <button>{text.check}</button>
      <Told />
    </form>
  );
}

function submit(event: Event): void {
  event.preventDefault();
  checkReply();
}

/** What is said to an answer; of the lesson also why, and where it goes on. */
function Told() {
  const text = lessonWords.value;
  const name = scene.value;
  const own = name === null ? null : text.scenes[name];
  const isDone = isRight.value === true;
  return (
    <p id="told" class="told" role="status">
      {isRight.value !== null && (
        <>
          <b class={isDone ? "good" : "bad"}>{isDone ? text.right : text.wrong}</b>
          {own !== null && <Rich text={` ${isDone ? own.why : own.hint}`} />}
        </>
      )}
      {name !== null && (
        <>
          {" "}
          <a href={linkOf(after(name))}>
            {!isDone ? text.skip : after(name) === END ? text.finish : text.next}
          </a>
        </>
      )}
    </p>
  );
}
