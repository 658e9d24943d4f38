/** The lessons' four tasks, which the page watches, and their questions, which it checks. */

import { Answer } from "../answer.tsx";
import {
  answer,
  ask,
  asked,
  checkAnswer,
  doing,
  done,
  isRight,
  QUESTIONS,
  start,
  TASKS,
} from "../state/tasks.ts";
import { shown } from "../state/program.ts";
import { hintFor } from "../words/hint.ts";
import { laterWords } from "../later_words.ts";
import { words } from "../words.ts";
import { Rich } from "../words/rich.tsx";

export function Tasks() {
  const text = laterWords.value.tasks;
  return (
    <div class="tip-card tasks">
      <h2>{text.title(done.value.size, TASKS.length)}</h2>
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
                <button onClick={() => start(task)}>{text.start}</button>
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
  const text = laterWords.value.tasks;
  const { of, request } = QUESTIONS[asked.value]!;
  const isLast = asked.value === QUESTIONS.length - 1;
  const onStage = shown.value.expression === request.expression;
  return (
    <Answer
      id="answer"
      typed={answer}
      isRight={isRight}
      check={checkAnswer}
      lead={text.question(asked.value + 1, QUESTIONS.length)}
      question={text.what(of, request.expression)}
      beside={
        <>
          {!onStage && (
            <button type="button" onClick={() => ask(asked.value)}>
              {text.show}
            </button>
          )}
          <button class="plain" type="button" onClick={() => ask(isLast ? 0 : asked.value + 1)}>
            {text.next}
          </button>
        </>
      }
      said={
        isRight.value === false && onStage
          ? hintFor(words.value, laterWords.value.rules, shown.value, of)
          : ""
      }
    />
  );
}
