/** Russian: the lessons' tasks and questions. */

import type { LaterWords } from "../en/later.ts";

export const TASKS: LaterWords["tasks"] = {
  title: (done, of) => `Попробуйте: сделано ${done} из ${of}`,
  names: {
    predict: "Предскажите все три градиента `(a + b) * c`",
    dead: "Погасите relu: двигайте ползунки, пока `a * b` не станет отрицательным",
    twice: "Пройдите `a * a`: вклады двух путей складываются",
    negative: "Напишите выражение, где рост переменной уменьшает результат",
  },
  done: "готово",
  now: "сейчас",
  start: "Начать",
  question: (at, of) => `Вопрос ${at} из ${of}:`,
  what: (name, text) => `чему равен градиент \`${name}\` в \`${text}\`?`,
  check: "Проверить",
  show: "Показать граф",
  next: "Следующий вопрос",
  right: "✓ Верно.",
  wrong: "✕ Нет.",
};
