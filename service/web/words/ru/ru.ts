/** Russian: what is seen at first. Marks in sentences are those of the English file. */

import type { AccuracyWords } from "../en/accuracy.ts";
import type { CodeWords } from "../en/code.ts";
import type { Words } from "../en/first.ts";
import type { TrainingWords } from "../en/training.ts";
import { counted } from "../translated.ts";

export { deferred } from "./deferred.ts";
export { lesson } from "./lesson.ts";

/** How two operands are joined, and what is done to a result by the second one. */
const VERBS: Readonly<Record<string, readonly [joined: string, done: string]>> = {
  "+": [" плюс", "прибавляем"],
  "-": [" минус", "вычитаем"],
  "*": [" умножить на", "умножаем на"],
  "/": [" разделить на", "делим на"],
  "**": [" в степени", "возводим в степень"],
};

export const first: Words = {
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

export const accuracy: AccuracyWords = {
  bits: (number, name, bits) => `${number} у ${name}: верных бит ${bits} из 53`,
  noTruth: (number, name) => `${number} у ${name} не имеет истинного значения`,
  right: (number, name, bits) => `${number} у \`${name}\`: верных бит ${bits} из 53.`,
  exactly: (told) => `Это ${told}, в точности истинное значение.`,
  nearest: (told) => `Это ${told}, ближайшее к истинному значению число двойной точности.`,
  truly: (told, truth) => `Это ${told}, а на самом деле ${truth}.`,
  reasons: {
    domain: "Истинный аргумент лежит вне области определения.",
    depends: "Оно зависит от числа, которого нет.",
    too_large: "Оно больше всех чисел двойной точности.",
    out_of_range: "Оно слишком велико, слишком мало или слишком близко к 0.",
  },
  given: (text, double) =>
    `Истина найдена для заданных чисел двойной точности: \`${text}\` — это ${double}.`,
  invite:
    "Полоса под числом показывает, сколько из его 53 бит верны. Выберите полосу, чтобы узнать, чьё округление отняло остальные.",
  tooMuch: "Искать истинные значения этой программы для страницы слишком долго.",
  rounded: {
    local_grad: (from, to) => `наклона от \`${from}\` к \`${to}\``,
    contribution: (from, to) => `вклада от \`${from}\` к \`${to}\``,
    running_grad: (_, to) => `суммы градиентов у \`${to}\``,
  },
  culprit: (what, rounding, weight, share, error) =>
    `Округление ${what} дало сдвиг ${rounding}; с весом ${weight} это ${share}` +
    (share === error ? ", вся ошибка." : ` из ошибки ${error}.`),
  absorbed: (part, sum, told) =>
    `\`${sum}\` округляется до ${told}, и от \`${part}\` ничего не остаётся.`,
  saturated: (out, told, formula) =>
    `\`${out}\` округляется до ${told}, и от \`${formula}\` ничего не остаётся.`,
  flat: (out, told, formula) =>
    `\`${out}\` — почти ${told}, от \`${formula}\` остаётся мало, а округление никуда не девается.`,
  cancels: (where, size, left) =>
    `В \`${where}\` числа до ${size} взаимно уничтожаются до ${left}, а их округления остаются.`,
  cancelsAt: (where, size, left) =>
    `У \`${where}\` вклады до ${size} взаимно уничтожаются до ${left}, а их округления остаются.`,
  quotients: {
    title: (name) => `Ошибка (f(${name} + h) − f(${name} − h)) / 2h в зависимости от h`,
    rounding: "округление",
    truncation: "усечение",
    best: (error, step) => `меньше всего: ${error} при h = ${step}`,
    backward: (error) => `обратный проход: ${error}`,
    none: "Здесь ни одну центральную разность не с чем сравнить.",
  },
};

export const code: CodeWords = {
  line: (at, of) => `строка ${at} из ${of}`,
  lines: (count) => counted("ru", count, "строка", "строки", "строк"),
  language: "Язык программирования",
  idle: "Запустите обратный проход или сортировку: загорится строка каждого шага.",
  forward: "Прямой проход и есть сама программа; здесь код обратного прохода.",
  why: (name, old) =>
    `Почему \`+=\`: новое прибавляется к тому, что уже есть. У \`${name}\` было [g:${old}], и с \`=\` оно пропало бы.`,
  whyEmpty: (name) =>
    `Почему \`+=\`: новое прибавляется к тому, что уже есть. У \`${name}\` было [g:0]; у того, что используется дважды, уже что-то было бы.`,
  goesDown: "v идёт по этому списку",
  done: "пройдено",
  now: "сейчас",
  waiting: "впереди",
  more: (count) => `… ещё ${count}`,
  operands: "Какой операнд вызвать первым",
  leftFirst: "левый первым",
  rightFirst: "правый первым",
  stack: "Стек вызовов",
  stackEmpty: "пуст: все завершены",
  notBegun: "ещё пусто",
  child: (at, of) => `операнд ${at} из ${of}`,
  noChild: "нет операндов",
  begins: "начинается",
  returns: "уже вызывался: сразу выходит",
  visited: "множество вызванных",
  topo: "список: кто готов",
  reversed: "порядок обратного прохода",
  empty: "пусто",
  start:
    "В каком порядке каждое значение идёт после всех, от кого зависит? Сортировка сначала вызывает все операнды: первым левый или правый.",
  root: (name) =>
    `Сортировка начинается с результата: \`build(${name})\` заносит \`${name}\` в \`visited\`.`,
  enter: (from, to) =>
    `\`${from}\` обращается к операнду \`${to}\`, он новый: начинается \`build(${to})\`, а \`${from}\` ждёт.`,
  skip: (from, to) =>
    `\`${from}\` обращается к \`${to}\`, но он уже есть в \`visited\`: пропуск. Поэтому \`${to}\` стоит в \`topo\` один раз, раньше всех, кто его использует.`,
  leaf: (name, place) =>
    `У \`${name}\` нет операндов: он сразу попадает в \`topo\`, его номер ${place}.`,
  append: (name, place) =>
    `Все операнды \`${name}\` уже в \`topo\`, за ними идёт \`${name}\`, его номер ${place}.`,
  reverse: (first) =>
    `Наоборот \`topo\` даёт порядок обратного прохода: сначала \`${first}\`, и каждое значение после всех, кто его использует.`,
};

export const training: TrainingWords = {
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
