/** Predict each gradient before the page shows it; below that, the lessons' tasks and quiz. */

import { Answer } from "../controls.tsx";
import { deferredWords } from "../deferred_words.ts";
import { checkGuesses, giveAway, guesses, typed } from "../state/guesses.ts";
import type { Verdict } from "../state/guesses.ts";
import { ownValue } from "../state/helpers.ts";
import { shown } from "../state/program.ts";
import {
  checkQuizReply,
  doing,
  done,
  isQuizRight,
  QUIZ,
  quizIndex,
  quizReply,
  showQuizQuestion,
  startTask,
  TASKS,
} from "../state/tasks.ts";
import { words } from "../words.ts";
import { hintFor } from "../words/sentences.ts";
import { Rich } from "../words/text.tsx";
import { NoVariables } from "./values.tsx";

export function Predict() {
  return (
    <>
      <Guesses />
      <Tasks />
    </>
  );
}

function Guesses() {
  const text = deferredWords.value.predict;
  const { names, verdicts, right, isOpen } = guesses.value;
  const open = names.find((name) => !right.has(name));
  if (names.length === 0) return <NoVariables />;
  return (
    <form class="predict" onSubmit={submit}>
      <h2>{text.title}</h2>
      <p class="muted small">{text.question}</p>
      <ul class="guesses">
        {names.map((name) => (
          <Guess key={name} name={name} verdict={verdicts.get(name)!} />
        ))}
      </ul>
      <div class="wraps">
        {isOpen && <button class="primary">{text.check}</button>}
        {open !== undefined && (
          <button class="plain" type="button" onClick={() => giveAway(open)}>
            {text.show(open)}
          </button>
        )}
      </div>
      <p class={`outcome${isOpen ? "" : " good"}`}>
        {!isOpen && text.all}
        {isOpen && right.size > 0 && <Rich text={text.some(right.size, names.length, open!)} />}
      </p>
    </form>
  );
}

function submit(event: Event): void {
  event.preventDefault();
  checkGuesses();
}

function Guess({ name, verdict }: { name: string; verdict: Verdict }) {
  const isOff = verdict === "wrong" || verdict === "no number";
  const value =
    verdict === "given"
      ? String(shown.value.document.gradients[name])
      : (ownValue(typed.value, name) ?? "");
  return (
    <li class={isOff ? "off" : ""}>
      <label for={`guess-${name}`}>
        {deferredWords.value.predict.gradOf} <b>{name}</b>
      </label>
      <input
        class="number"
        id={`guess-${name}`}
        inputmode="decimal"
        autocomplete="off"
        readonly={verdict === "given"}
        aria-invalid={isOff}
        aria-describedby={`verdict-${name}`}
        value={value.replaceAll("-", "−")}
        onInput={(event) => (typed.value = { ...typed.value, [name]: event.currentTarget.value })}
      />
      <span id={`verdict-${name}`} class={isOff ? "bad" : "good"} role="status">
        {verdictText(verdict, ownValue(typed.value, name) ?? "")}
      </span>
      {isOff && (
        <p class="hint">
          <Rich text={hintFor(words.value, deferredWords.value.rules, shown.value, name)} />
        </p>
      )}
    </li>
  );
}

function verdictText(verdict: Verdict, guess: string): string {
  const text = deferredWords.value.predict;
  if (verdict === "right") return deferredWords.value.tasks.right;
  if (verdict === "wrong") return text.wrong(guess.trim());
  if (verdict === "no number") return text.notANumber;
  return verdict === "given" ? text.shownWord : "";
}

function Tasks() {
  const text = deferredWords.value.tasks;
  return (
    <div class="tip-card tasks">
      <h2>
        {deferredWords.value.invite.title}: {words.value.of(done.value.size, TASKS.length)} ✓
      </h2>
      <ul>
        {TASKS.map((task) => {
          const isDone = done.value.has(task.name);
          const isNow = doing.value === task.name;
          return (
            <li key={task.name} class={isDone ? "good" : ""}>
              <span aria-hidden="true">{isDone ? "✓" : isNow ? "●" : "○"}</span>
              <Rich text={text.names[task.name]} />
              {isDone || isNow ? (
                <b>{isDone ? text.done : text.now}</b>
              ) : (
                <button onClick={() => startTask(task)}>{text.start}</button>
              )}
            </li>
          );
        })}
      </ul>
      <Quiz />
    </div>
  );
}

function Quiz() {
  const text = deferredWords.value.tasks;
  const { of, request } = QUIZ[quizIndex.value]!;
  const isLast = quizIndex.value === QUIZ.length - 1;
  const onStage = shown.value.expression === request.expression;
  return (
    <Answer
      id="answer"
      typed={quizReply}
      isRight={isQuizRight}
      check={checkQuizReply}
      lead={`${words.value.of(quizIndex.value + 1, QUIZ.length)}:`}
      question={text.what(of, request.expression)}
      beside={
        <>
          {!onStage && (
            <button type="button" onClick={() => showQuizQuestion(quizIndex.value)}>
              {text.show}
            </button>
          )}
          <button
            class="plain"
            type="button"
            onClick={() => showQuizQuestion(isLast ? 0 : quizIndex.value + 1)}
          >
            {text.next}
          </button>
        </>
      }
      explanation={
        isQuizRight.value === false && onStage
          ? hintFor(words.value, deferredWords.value.rules, shown.value, of)
          : ""
      }
    />
  );
}
