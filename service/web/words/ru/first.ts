/** Russian: what is seen at first. Marks in sentences are those of the English file. */

import type { Words } from "../en/first.ts";
import { counted } from "../counted.ts";

/** How two operands are joined, and what is done to a result by the second one. */
const VERBS: Readonly<Record<string, readonly [joined: string, done: string]>> = {
  "+": [" плюс", "прибавляем"],
  "-": [" минус", "вычитаем"],
  "*": [" умножить на", "умножаем на"],
  "/": [" разделить на", "делим на"],
  "**": [" в степени", "возводим в степень"],
};

export const FIRST: Words = {
  language: "ru",
  languages: "Язык",
  title: "Песочница градиентов",
  tagline: "Напишите формулу, пройдите её назад и узнайте роль каждого входа.",
  skip: "Перейти к песочнице",
  site: "Сайт",
  lesson: "Урок",
  sandbox: "Песочница",
  reference: "Справочник",
  problems: "Коды ошибок",
  expression: "Выражение",
  share: "Поделиться",
  examples: "Примеры",
  stage: {
    name: "Граф",
    graphOf: (text, result) => `Граф выражения ${text}, результат ${result}`,
    way: "Направление прохода",
    forward: "Прямой: data",
    sort: "Сортировка",
    backward: "Обратный: grad",
    local: "Лок. производные",
    final: "Все градиенты",
    accuracy: "Точность",
    reset: "Сбросить вид",
    options: "Опции",
    input: "вход",
    parameter: "парам.",
    constant: "конст.",
    result: "результат",
    derived: "составная",
    partial: (arrived, expected) => `${arrived} из ${expected}`,
    edge: (formula, from, to) => `${formula}, от ${from} к ${to}`,
    from: (name) => `из ${name}`,
    to: (name) => `в ${name}`,
    group: (count) =>
      `группа из ${counted("ru", count, "операции", "операций", "операций")}, закрыта`,
    openGroup: "группа открыта",
    open: (name) => `Раскрыть ${name}`,
    close: (name) => `Свернуть ${name}`,
  },
  play: {
    backward: "Обратный проход",
    forward: "Прямой проход",
    sort: "Сортировка",
    again: "Ещё раз",
    pause: "Пауза",
    back: "Назад",
    step: "Шаг",
    timeline: {
      forward: "Шкала: одно деление, одна операция",
      sort: "Шкала: одно деление, один шаг сортировки",
      backward: "Шкала: одно деление, одно ребро",
    },
    begin: { forward: "входы", sort: "старт", backward: "пуск" },
    count: (at, of) => `${at} из ${of}`,
    speed: "Скорость",
  },
  tabs: {
    values: "Значения",
    code: "Код",
    predict: "Прогноз",
    break: "Ошибки",
    train: "Обучение",
  },
  workbench: "Рабочая панель",
  tablist: "Что делать с этим графом",
  seed: "Какой вход влияет на результат и насколько сильно? Запустите обратный проход.",
  seedForward: "Входы известны. Запустите прямой проход и посмотрите, как получается результат.",
  is: (part, value) => `\`${part}\` = [d:${value}]`,
  makes: (operation, left, right, result) => {
    const [joined, done] = VERBS[operation]!;
    if (left === "") return `${done} \`${right}\` и получаем [d:${result}].`;
    return `${left.trimEnd()}${joined} \`${right}\` = [d:${result}].`;
  },
  resultOne: "Результат меняется ровно так же, как он сам: его градиент равен 1.",
};
