/** Russian: what is seen after the first sight, when something is opened or tried. */

import { counted } from "../counted.ts";
import type { LaterWords } from "../en/later.ts";
import { BROKEN } from "./broken.ts";
import { byCode } from "../by_code.ts";
import { FAULTS } from "./faults.ts";
import { EXAMPLES } from "./published.ts";
import { RULES } from "./rules.ts";
import { TASKS } from "./tasks.ts";

export const LATER: LaterWords = {
  rules: RULES,
  examples: EXAMPLES,
  allExamples: (count) => `Все ${count}`,
  fewerExamples: "Свернуть",
  broken: BROKEN,
  tasks: TASKS,
  values: {
    value: (name) => `Значение ${name}`,
    from: (name) => `Наименьшее значение ${name}`,
    to: (name) => `Наибольшее значение ${name}`,
    slope: (name) => `Наклон результата по ${name}`,
    gradient: "градиент",
    notReached: "ещё не получен",
    onItsWay: "в пути",
    partOf: (arrived, expected) => `пока пришло вкладов: ${arrived} из ${expected}`,
    up: "рост на 0.01: результат",
    none: "В этом выражении нет переменных, менять нечего. Напишите другое, например `2 * x`.",
  },
  invite: {
    title: "Попробуйте",
    before: "Прежде чем запускать проход: какими будут градиенты?",
    button: "Предсказать градиенты",
  },
  edits: { undo: "Отменить", redo: "Вернуть" },
  below: {
    name: "Ещё",
    table: "Все числа в таблице",
    takeIt: "Забрать с собой",
    keyboard: "Клавиши",
  },
  predict: {
    title: "Каким будет каждый градиент?",
    question: "Как быстро меняется результат вслед за переменной?",
    gradOf: "градиент",
    right: "✓ верно",
    wrong: (guess) => `✕ не ${guess}`,
    notANumber: "✕ не число",
    check: "Проверить ответы",
    show: (name) => `Показать ${name}`,
    shownWord: "показано",
    all: "Всё верно: вы выполнили обратный проход вручную.",
    some: (right, of, open) => `Верно ${right} из ${of}. Ещё не найден \`${open}\`.`,
  },
  curve: {
    parameter: "Параметр",
    central: "Центральная разность",
    curve: (result, name, from, to) => `${result}, когда ${name} идёт от ${from} до ${to}`,
    tangent: (slope) => `касательная, наклон ${slope}`,
    nudge: (name) => `Увеличить ${name}`,
    by: "На сколько увеличить",
    foretold: "предсказано",
    happened: "получилось",
    nudged: (name, by, foretold, happened, same) =>
      `Увеличим \`${name}\` на ${by}: предсказано [g:${foretold}], получилось [d:${happened}]. ` +
      (same ? "Здесь график прямой." : "Разница возникает из-за изгиба графика."),
    noValue: (name, by) => `Если увеличить \`${name}\` на ${by}, результата не существует.`,
  },
  parity: {
    asking: "… Запрос к сервису",
    agree: "✓ Браузер и сервис совпали до бита",
    agreeShort: "✓ Сверено",
    away: "○ Сервис недоступен: посчитано только здесь",
    awayShort: "○ Без сервиса",
    alone: "○ Посчитано здесь, без сервиса",
    refused: "○ Сервис не принимает эту программу: посчитано только здесь",
    differ: (where, here, there) =>
      `✕ Движки впервые расходятся в ${where}: здесь ${here}, там ${there}`,
  },
  circles: "в кружках: ваш порядок обхода",
  hidden: "пока вы отвечаете, градиенты скрыты",
  fault: {
    stale: "Последний верный граф:",
    follows: "Граф обновится, когда снова будет результат. Ничего не потеряно.",
    column: (column) => `Позиция ${column}:`,
    write: (text) => `Записать ${text}`,
    backTo: (text) => `Вернуть ${text}`,
    backToValues: "Вернуть прежние значения",
    empty: "Напишите выражение или возьмите пример.",
    ofParts: "Локальные производные показаны по частям операции, и одна из частей слишком велика.",
    fold: "Скрыть локальные производные",
    told: byCode(FAULTS),
  },
  ending: {
    nudge: ({ name, by, before, after, came, gradient, foretold }) =>
      `Важнее всех \`${name}\`: прибавьте ${by}, и результат сменится с [d:${before}] на [d:${after}], то есть на [d:${came}]; ` +
      (foretold === came
        ? `градиент [g:${gradient}] говорит то же.`
        : `по градиенту [g:${gradient}] это [g:${foretold}], остальное — кривизна.`),
    down: (name) => `Только \`${name}\` уменьшает результат.`,
    zero: (name, by) =>
      `До \`${name}\` ничего не доходит${by === null ? "" : `: \`${by}\` не пропускает`}.`,
  },
  zoom: {
    name: "Масштаб графа",
    in: "Приблизить",
    out: "Отдалить",
    full: "На весь экран",
    all: "Весь граф",
    follow: "Следить",
    to: (name) => `К ${name}`,
    map: "Весь граф и видимая его часть",
    dots: (cards) =>
      `${counted("ru", cards, "значение", "значения", "значений")}, каждое точкой. Показать`,
  },
  tables: {
    caption: (text, at, of) => `${text}: ребро ${at} из ${of}`,
    arrow: "Ребро",
    incoming: "Входящий градиент",
    local: "Локальная производная",
    contribution: "Вклад",
    state: "Состояние",
    node: "Узел",
    kind: "Вид",
    arrived: "пройдено",
    now: "сейчас",
    waiting: "не пройдено",
    constant: "константа, ничего не передаёт",
    rows: (first, last, of) => `Строки с ${first} по ${last} из ${of}`,
    earlier: "Предыдущие строки",
    later: "Следующие строки",
  },
  address: {
    bad: (why) => `Адрес не удалось прочитать: ${why}. Вместо него показан пример.`,
    long: "он слишком длинный",
    value: (name) => `значение ${name} не является числом`,
    form: "его части должны иметь вид e=… и v=имя:число,…",
    language: (code) => `Языка \`${code}\` здесь нет, поэтому страница на английском.`,
    noWords: (name) =>
      `Страницу на языке \`${name}\` не удалось загрузить: нет связи. Попробуйте обновить её.`,
  },
  take: {
    link: "Копировать ссылку",
    curl: "Копировать curl",
    python: "Копировать код Python",
    typescript: "Копировать код TypeScript",
    command: "Копировать команду",
    svg: "Сохранить SVG",
    png: "Сохранить PNG",
    mermaid: "Копировать Mermaid",
    dot: "Копировать DOT",
    embed: "Копировать код для вставки",
    tooLarge: "Граф слишком велик, браузер не может его нарисовать; в SVG он есть целиком.",
    things: {
      link: "ссылка",
      curl: "команда curl",
      python: "код Python",
      typescript: "код TypeScript",
      command: "команда",
      mermaid: "текст Mermaid",
      dot: "текст DOT",
      embed: "код для вставки",
    },
    copied: (what) => `Скопировано: ${what}.`,
    ofFile: (service) =>
      `Эта страница открыта из файла, которого у других нет: скопированное ведёт на ${service}, к сервису на вашем компьютере.`,
    denied: "Браузер не разрешает копировать; выделите текст и скопируйте его сами.",
    text: "Что копируется",
    scene: "Что сказать над графом тому, кому это отправлено:",
    caption: "Подпись",
    task: "Задание",
    answer: "Ответ: число или переменная, чей это градиент",
    guesses: "с моими ответами",
  },
  keyNames: { Space: "Пробел", Home: "Home", End: "End", Enter: "Enter", Shift: "Shift" },
  keys: [
    "Запустить или остановить",
    "На одно ребро назад или вперёд",
    "Первое или последнее ребро",
    "На одно ребро назад или вперёд, и на карточке",
    "На карточке: по её рёбрам, ко входам, к результату",
    "Весь граф или снова за волной",
    "Прямой проход, сортировка или обратный проход",
    "Написать выражение",
    "Значения, Код, Прогноз, Ошибки, Обучение",
    "От ребра к ребру в порядке обхода",
    "Прочитать локальную производную ребра",
    "Повернуть граф",
    "Сбросить вид",
    "Масштаб",
    "Отменить",
    "Вернуть",
    "Этот список",
  ],
  whatever: (name) => ` при любом значении \`${name}\``,
  noGradient: (name) =>
    `\`${name}\` стоит в показателе степени: это константа, градиент в неё не идёт.`,
  noDouble: (name) =>
    `Наклон по \`${name}\` слишком велик, а переменных ниже нет: градиент туда не идёт.`,
};
