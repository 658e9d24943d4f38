/** Russian: what is seen after the first sight, when something is opened or tried. */

import { counted } from "./counted.ts";
import type { LaterWords } from "../en/later.ts";
import { BROKEN } from "./broken.ts";
import { told } from "./faults.ts";
import { EXAMPLES } from "./published.ts";
import { RULES } from "./rules.ts";
import { TASKS } from "./tasks.ts";

export const LATER: LaterWords = {
  ...RULES,
  examples: EXAMPLES,
  allExamples: (count) => `Все ${count}`,
  fewerExamples: "Свернуть",
  broken: BROKEN,
  tasks: TASKS,
  values: {
    value: (name) => `Значение ${name}`,
    slider: (name) => `Ползунок ${name}`,
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
    at: (name, value, result) => `${name} = ${value}: ${result}`,
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
  differ: (where, here, there) =>
    `✕ Движки впервые расходятся в ${where}: здесь ${here}, там ${there}`,
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
    told,
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
      `${counted(cards, "значение", "значения", "значений")}, каждое точкой. Показать`,
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
  },
  keys: [
    [["Пробел"], "Запустить или остановить"],
    [["←", "→"], "На одно ребро назад или вперёд"],
    [["Home", "End"], "Первое или последнее ребро"],
    [[",", "."], "На одно ребро назад или вперёд, и на карточке"],
    [["← → ↑ ↓", "Home", "End"], "На карточке: по её рёбрам, ко входам, к результату"],
    [["0"], "Весь граф или снова за волной"],
    [["F", "S", "B"], "Прямой проход, сортировка или обратный проход"],
    [["/"], "Написать выражение"],
    [["1", "2", "3", "4", "5"], "Значения, Код, Прогноз, Ошибки, Обучение"],
    [["Tab"], "От ребра к ребру в порядке обхода"],
    [["Enter"], "Прочитать локальную производную ребра"],
    [["Shift", "← → ↑ ↓"], "Повернуть граф"],
    [["R"], "Сбросить вид"],
    [["+", "−"], "Масштаб"],
    [["?"], "Этот список"],
  ],
  derivative: (of, by, formula, value, remark) =>
    `∂(\`${of}\`)/∂\`${by}\` = ${formula === null ? "" : `\`${formula}\` = `}[d:${value}]${remark}.`,
  whatever: (name) => ` при любом значении \`${name}\``,
  noGradient: (name) =>
    `\`${name}\` стоит в показателе степени: это константа, градиент в неё не идёт.`,
  noDouble: (name) =>
    `Наклон по \`${name}\` слишком велик, а переменных ниже нет: градиент туда не идёт.`,
};
