/** Above the graph in a scene: caption, task, answer, and links to the lecture's other scenes. */

import { computed, effect, signal, useSignalEffect } from "@preact/signals";
import { createRef } from "preact";
import { Answer, interactionWords } from "../shared.tsx";
import { lectureAddress, parseAddress } from "../state/address.ts";
import {
  caption,
  checkReply,
  expected,
  isReplyRight,
  leaveScene,
  lesson,
  reply,
  sceneIndex,
  scenes,
  storedNames,
  storeNames,
  task,
  taskAnswer,
} from "../state/tasks.ts";
import { language } from "../state/view.ts";
import { inChosenLanguage, wordsOf, words } from "../words.ts";
import { LESSON } from "../words/en.ts";
import { plain, Rich } from "../words/text.tsx";

const text = inChosenLanguage(wordsOf("lesson", LESSON));

type SceneName = keyof typeof LESSON.scenes;

const SUM = "e=(a + b) * c&v=a:2,b:-3,c:10";
const DIAMOND = "e=b = a + 1; c = a * 3; d = b * c&v=a:2";
const NEURON =
  "e=x1w1 = x1 * w1; x2w2 = x2 * w2; s = x1w1 + x2w2; n = s + b; o = tanh(n)" +
  "&v=x1:2,x2:0,w1:-3,w2:1,b:6.881373587019543";
const LINE = "e=loss = (w * x + b - y) ** 2&v=w:2,x:3,b:1,y:5&p=w,b";

/** The address of each scene, in the lesson's order. */
const SCENES: Readonly<Record<SceneName, string>> = {
  graph: `${SUM}&w=forward&answer=-10`,
  product: `${SUM}&s=0&answer=-1`,
  sum: `${SUM}&s=2&answer=10`,
  twice: "e=a * a&v=a:3&s=0&answer=6",
  order: `${DIAMOND}&t=break&visits=2.5.4.0&answer=9`,
  sort: `${DIAMOND}&t=code&w=sort&answer=1`,
  dead: "e=relu(w * x + b)&v=w:1,x:2,b:-10&s=0&answer=0",
  neuron: `${NEURON}&s=0&answer=1`,
  training: `${LINE}&t=train&answer=1.88`,
  modes: `${NEURON}&g=1&answer=5`,
};

const SCENE_NAMES = Object.keys(SCENES) as SceneName[];

/** The lesson's end, with a summary, and the graph below it. */
const END = "end";
const END_SCENE = `${SUM}&g=1`;

/** The browser's storage key for the scenes that are done. */
const LESSON_KEY = "gradient-sandbox-lesson";

const scenesDone = signal(storedNames(LESSON_KEY, SCENE_NAMES));

/** The current scene; null at the lesson's end, or outside a lesson. */
const currentScene = computed(() => SCENE_NAMES.find((name) => name === lesson.value) ?? null);

/** Return the address of a scene or of the end, with the language if it is not the browser's. */
function sceneAddressOf(name: SceneName | typeof END): string {
  const lang = language.value === null ? "" : `&lang=${language.value}`;
  return `lesson=${name}${lang}`;
}

/** `lesson=NAME` -> the scene's whole address; for an unknown name, the first scene not done. */
export function sceneAddress(hash: string): string {
  const [, named, rest] = /^lesson=(\w*)(.*)$/.exec(hash)!;
  const name =
    SCENE_NAMES.find((each) => each === named) ??
    SCENE_NAMES.find((each) => !scenesDone.peek().has(each));
  if (named === END || name === undefined) return `${END_SCENE}&lesson=${END}${rest}`;
  return `${SCENES[name]}&lesson=${name}${rest}`;
}

interface SceneLink {
  readonly address: string;
  readonly title: string;
  readonly isDone: boolean;
}

/** The scenes of the lesson, or of a teacher's lecture, in order. */
const row = computed<readonly SceneLink[]>(() =>
  lesson.value === ""
    ? scenes.value.map((scene, at) => ({
        address: lectureAddress(at),
        title: `${words.value.of(at + 1, scenes.value.length)} · ${captionOf(scene)}`,
        isDone: false,
      }))
    : SCENE_NAMES.map((name) => ({
        address: sceneAddressOf(name),
        title: plain(titleOf(name)),
        isDone: scenesDone.value.has(name),
      })),
);

/** Return a scene's caption, or else its program. */
function captionOf(scene: string): string {
  const parsed = parseAddress(scene);
  return "why" in parsed ? scene : (parsed.parts.get("caption") ?? parsed.expression);
}

const place = computed(() =>
  lesson.value === "" ? sceneIndex.value : SCENE_NAMES.findIndex((name) => name === lesson.value),
);

/** Return the address of the next scene, or of the previous one; null if there is none. */
export function neighbour(by: -1 | 1): string | null {
  return row.value[place.value + by]?.address ?? null;
}

effect(() => {
  const name = currentScene.value;
  if (!isReplyRight.value || name === null || scenesDone.peek().has(name)) return;
  scenesDone.value = new Set([...scenesDone.peek(), name]);
  storeNames(LESSON_KEY, scenesDone.peek());
});

const headingElement = createRef<HTMLHeadingElement>();

export function Scene() {
  // After a link to a scene, screen readers read the new heading.
  useSignalEffect(() => {
    void [lesson.value, sceneIndex.value];
    if (headingElement.current?.closest("section")?.contains(document.activeElement))
      headingElement.current.focus();
  });
  const shownCaption =
    currentScene.value === null ? caption.value : text.scenes[currentScene.value].caption;
  const next = neighbour(1);
  return (
    <section class="scene" aria-label={text.name}>
      <div class="wraps scene-head">
        <h2 ref={headingElement} tabIndex={-1}>
          <Rich text={heading()} />
        </h2>
        {row.value.length > 0 && <SceneLinks />}
        {scenes.value.length > 0 && next !== null && <a href={`#${next}`}>{text.next}</a>}
        <button class="plain" onClick={leaveScene}>
          {text.close}
        </button>
      </div>
      {lesson.value === END && <LessonSummary />}
      {shownCaption !== "" && (
        <p>
          <Rich text={shownCaption} />
        </p>
      )}
      {lesson.value !== END && <SceneTask />}
    </section>
  );
}

function heading(): string {
  if (lesson.value === END) return text.end;
  if (currentScene.value !== null) return titleOf(currentScene.value);
  const count = scenes.value.length;
  return count === 0 ? text.name : `${text.name} ${words.value.of(place.value + 1, count)}`;
}

/** Return a scene's title with its place. */
function titleOf(name: SceneName): string {
  const place = words.value.of(SCENE_NAMES.indexOf(name) + 1, SCENE_NAMES.length);
  return `${place} · ${text.scenes[name].title}`;
}

/** The task, a field if its answer is known, and a link to the next scene. */
function SceneTask() {
  const name = currentScene.value;
  const scene = name === null ? null : text.scenes[name];
  const question = scene?.task ?? task.value;
  if (question === "") return null;
  const lead = `${interactionWords.value.export.task}:`;
  if (taskAnswer.value === "" || expected.value === null)
    return (
      <p>
        <b>{lead}</b> <Rich text={question} />
      </p>
    );
  const next = name && (SCENE_NAMES[SCENE_NAMES.indexOf(name) + 1] ?? END);
  const goOn = next === END ? `${text.end} →` : text.next;
  return (
    <Answer
      id="reply"
      lead={scene === null ? lead : `${words.value.tabs.predict}:`}
      question={question}
      typed={reply}
      isRight={isReplyRight}
      check={checkReply}
      explanation={(isReplyRight.value ? scene?.why : scene?.hint) ?? ""}
    >
      {next && [
        " ",
        <a href={`#${sceneAddressOf(next)}`}>{isReplyRight.value ? goOn : text.skip}</a>,
      ]}
    </Answer>
  );
}

function SceneLinks() {
  const done = interactionWords.value.tasks.done;
  return (
    <ol class="scene-links" aria-label={text.places}>
      {row.value.map(({ address, title, isDone }, at) => (
        <li key={at}>
          <a
            href={`#${address}`}
            class={isDone ? "done" : ""}
            title={title}
            aria-label={`${title}${isDone ? `, ${done}` : ""}`}
            aria-current={at === place.value ? "step" : undefined}
          >
            {isDone ? "✓" : at + 1}
          </a>
        </li>
      ))}
    </ol>
  );
}

function LessonSummary() {
  return (
    <>
      <p>{text.learned(scenesDone.value.size, SCENE_NAMES.length)}</p>
      <ul class="learned">
        {SCENE_NAMES.map((name) => {
          const isDone = scenesDone.value.has(name);
          const { learned, title } = text.scenes[name];
          return (
            <li key={name} class={isDone ? "" : "muted"}>
              <span aria-hidden="true">{isDone ? "✓" : "○"}</span>
              {isDone ? (
                <Rich text={learned} />
              ) : (
                <a href={`#${sceneAddressOf(name)}`}>
                  <Rich text={title} />
                </a>
              )}
            </li>
          );
        })}
      </ul>
    </>
  );
}
