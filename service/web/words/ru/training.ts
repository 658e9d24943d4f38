/** Russian: the room where parameters learn. */

import type { TrainingWords } from "../en/training.ts";

export const TRAINING: TrainingWords = {
  lessons: "Что обучать",
  names: { line: "Прямая", neuron: "Нейрон", xor: "XOR, 2-4-1 tanh" },
  which: "Какие переменные обучать?",
  mark: "Шаг обучения сдвигает параметры против их градиента, и результат уменьшается. Отметьте хотя бы один параметр:",
  stopped: "Это нельзя обучить",
  stepFact: "шаг",
  loss: "Потери",
  size: "норма grad",
  drag: "к любому шагу можно вернуться",
  timeline: "Шкала: одно деление, один шаг обучения",
  step: (at, of) => `шаг ${at} из ${of}`,
  curve: (first, at, now) => `Потери по шагам: ${first} на шаге 0, ${now} на шаге ${at}`,
  train: "Обучить",
  pause: "Пауза",
  again: "Обучить снова",
  toStart: "В начало",
  rate: "Размер шага",
  rateNumber: "Размер шага, числом",
  endedAt: (step) => `Шаг ${step} не сделан:`,
  rows: "Потери усреднены по четырём строкам; граф показывает одну из них.",
  look: "Показать строку",
  see: (row) => `Показать ${row}`,
  bold: "Шаг слишком велик?",
  boldly:
    "При 0.01 после каждого шага остаётся 0.64 потерь. При 0.1 прямая перескакивает через ответ, и потери остаются равны 4.",
  setAndSee: (rate) => `Попробовать ${rate}`,
  trainXor: "Обучить XOR",
  map: {
    result: "результат",
    caption: (output, first, second) =>
      `\`${output}\` в зависимости от \`${first}\` и \`${second}\` при весах этого шага; на линии 0.`,
    right: (right, all) => `Знак верен: ${right} из ${all}.`,
    told: (output, first, second, share) =>
      `Карта: ${output} в зависимости от ${first} и ${second}, выше 0 на ${share} % площади`,
  },
};
