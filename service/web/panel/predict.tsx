/** Predict each gradient before the page shows it; below, the lessons' tasks and quiz. */

import { Answer, interactionWords } from "../shared.tsx";
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
import { inChosenLanguage, words } from "../words.ts";
import { hintFor } from "../words/sentences.ts";
import { Rich } from "../words/text.tsx";

const text = inChosenLanguage(() => interactionWords.value.predict);
const taskText = inChosenLanguage(() => interactionWords.value.tasks);

export function Predict() {
  return (
    <>
      {guesses.value.names.length > 0 && <Guesses />}
      <Tasks />
    </>
  );
}

function Guesses() {
  const { names, verdicts, right } = guesses.value;
  const open = names.find((name) => !right.has(name));
  return (
    <form
      class="predict"
      onSubmit={(event) => {
        event.preventDefault();
        checkGuesses();
      }}
    >
      <h2>{text.title}</h2>
      <ul class="guesses">
        {names.map((name) => (
          <Guess key={name} name={name} verdict={verdicts.get(name)!} />
        ))}
      </ul>
      {open === undefined ? (
        <p class="outcome good">{text.all}</p>
      ) : (
        <>
          <div class="wraps">
            <button class="primary">{text.check}</button>
            <button class="plain" type="button" onClick={() => giveAway(open)}>
              {text.show(open)}
            </button>
          </div>
          <p class="outcome">
            {right.size > 0 && <Rich text={text.some(right.size, names.length, open)} />}
          </p>
        </>
      )}
    </form>
  );
}

function Guess({ name, verdict }: { name: string; verdict: Verdict }) {
  const isOff = verdict === "wrong" || verdict === "no number";
  const isGiven = verdict === "given";
  const guess = ownValue(typed.value, name) ?? "";
  const value = isGiven ? String(shown.value.document.gradients[name]) : guess;
  const verdicts: Readonly<Record<Verdict, string>> = {
    open: "",
    right: taskText.right,
    wrong: text.wrong(guess.trim()),
    "no number": text.notANumber,
    given: text.shownWord,
  };
  return (
    <li class={isOff ? "off" : ""}>
      <label for={`guess-${name}`}>
        {text.gradOf} <b>{name}</b>
      </label>
      <input
        class="number"
        id={`guess-${name}`}
        inputmode="decimal"
        autocomplete="off"
        readonly={isGiven}
        aria-invalid={isOff}
        aria-describedby={`verdict-${name}`}
        value={value.replaceAll("-", "−")}
        onInput={(event) => (typed.value = { ...typed.value, [name]: event.currentTarget.value })}
      />
      <span id={`verdict-${name}`} class={isOff ? "bad" : "good"} role="status">
        {verdicts[verdict]}
      </span>
      {isOff && (
        <p class="hint">
          <Rich text={hintFor(words.value, interactionWords.value.rules, shown.value, name)} />
        </p>
      )}
    </li>
  );
}

function Tasks() {
  return (
    <div class="tip-card tasks">
      <h2>
        {interactionWords.value.tryThis}: {words.value.of(done.value.size, TASKS.length)} ✓
      </h2>
      <ul>
        {TASKS.map((task) => {
          const isDone = done.value.has(task.name);
          const isNow = doing.value === task.name;
          return (
            <li key={task.name} class={isDone ? "good" : ""}>
              <span aria-hidden="true">{isDone ? "✓" : isNow ? "●" : "○"}</span>
              <Rich text={taskText.names[task.name]} />
              {isDone || isNow ? (
                <b>{isDone ? taskText.done : taskText.now}</b>
              ) : (
                <button onClick={() => startTask(task)}>{taskText.start}</button>
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
      question={taskText.what(of, request.expression)}
      buttons={
        <>
          {!onStage && (
            <button type="button" onClick={() => showQuizQuestion(quizIndex.value)}>
              {taskText.show}
            </button>
          )}
          <button
            class="plain"
            type="button"
            onClick={() => showQuizQuestion(isLast ? 0 : quizIndex.value + 1)}
          >
            {taskText.next}
          </button>
        </>
      }
      explanation={
        isQuizRight.value === false && onStage
          ? hintFor(words.value, interactionWords.value.rules, shown.value, of)
          : ""
      }
    />
  );
}
