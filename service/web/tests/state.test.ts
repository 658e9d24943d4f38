/** The state of the page without a browser: addresses, the schedule of a pass, numbers, guesses. */

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import {
  currentAddress,
  currentScene,
  lectureAddress,
  parseAddress,
  PARTS,
  sceneOfLecture,
  sharedAddress,
} from "../state/address.ts";
import { settings, USUAL_SETTINGS } from "../state/descent.ts";
import { checkGuesses, giveAway, guesses, isPlayable, openTab, typed } from "../state/guesses.ts";
import { readNumber } from "../state/helpers.ts";
import { beats, goTo, partialGrads, readingTime, selectPass, ticks } from "../state/play.ts";
import { editText, fault, loadProgram, setValue, shown, START } from "../state/program.ts";
import { checkQuizReply, isQuizRight, quizReply, showQuizQuestion } from "../state/tasks.ts";
import { done, leaveScene, scenes, startTask, TASKS } from "../state/tasks.ts";
import "../state/mistakes.ts";
import ru from "../words/ru.json" with { type: "json" };
import { say } from "../words/spoken.ts";
import { translated } from "../words/translated.ts";

afterEach(() => {
  loadProgram(START);
  for (const part of PARTS) part.read("");
});

/** Show an address, given without its #. */
function open(hash: string): void {
  const parsed = parseAddress(hash);
  assert.ok(!("why" in parsed), hash);
  loadProgram(parsed);
  for (const { name, read } of PARTS) read(parsed.parts.get(name) ?? "");
}

test("an address is written as it was read", () => {
  const addresses = [
    "e=(a+b)*c&v=a:2,b:-3,c:10&s=3",
    "e=a*a&v=a:3&t=break&m=second-backward&side=right&s=2",
    "e=(w*x-y)**2&v=w:2,x:3,y:5&p=w&t=predict&r=w:-5:5",
    "e=a*b&v=a:2,b:3&w=forward&d=1&g=1&s=1&caption=One%20step",
  ];
  for (const address of addresses) {
    open(address);
    assert.equal(currentAddress(), address);
  }
});

const SUM = "e=(a+b)*c&v=a:2,b:-3,c:10";

test("a plus sign is a space only if a form encoder wrote it", () => {
  const values = { a: 2, b: -3, c: 10 };
  const form = new URLSearchParams({ e: "(a + b) * c", v: "a:2,b:-3,c:10", caption: "One step" });
  for (const [address, text, caption] of [
    [String(form), "(a + b) * c", "One step"],
    ["e=a+*+b+*+c&v=a%3a2%2Cb%3A-3%2Cc%3A10", "a * b * c", undefined],
    ["e=%28a+b%29*c&v=a:2,b:-3,c:10&caption=C++", "(a+b)*c", "C++"], // by Markdown
    [`${SUM}&caption=C++`, "(a+b)*c", "C++"],
    [`e=${encodeURIComponent("(a + b)*c")}&v=a:2,b:-3,c:10`, "(a + b)*c", undefined],
  ] as const) {
    const parsed = parseAddress(address);
    assert.ok(!("why" in parsed), address);
    assert.deepEqual(
      [parsed.expression, parsed.values, parsed.parts.get("caption")],
      [text, values, caption],
    );
  }
});

test("an address of a lecture shows one of its scenes, by default the first", () => {
  const first = "e=a*b&v=a:2,b:3&s=1&caption=50%25%20%26%20more";
  const second = "e=a*a&v=a:3&t=predict&task=grad%20of%20a?&answer=a".replace("?", "%3F");
  const lecture = `${first}&&${second}`;
  for (const [place, scene] of [
    ["", first],
    ["&&at=1", first],
    ["&&at=2", second],
    ["&&at=2&lang=es", second],
    ...["&&at=", "&&at=0", "&&at=3", "&&at=x", "&&at=-1"].map((wrong) => [wrong, first] as const),
  ] as const) {
    open(sceneOfLecture(lecture + place));
    assert.equal(currentScene(), scene, place);
    assert.deepEqual(scenes.value, [first, second], place);
    open(currentAddress()); // as after a reload
    assert.equal(currentScene(), scene, place);
    assert.equal(lectureAddress(1).startsWith(`${lecture}&&at=2`), true);
    assert.equal(sharedAddress().startsWith(`${lecture}&&at=1`), true);
  }
  leaveScene();
  assert.equal(sharedAddress(), currentAddress());
  assert.ok("why" in parseAddress(sceneOfLecture("=&&=&&at=1")));
  assert.ok("why" in parseAddress(sceneOfLecture(`${first}&&${"x".repeat(700_000)}`)));
});

test("a malformed part of an address has its initial value", () => {
  const parts = [
    ...["t=__proto__", "w=up", "m=__proto__", "open=7.x", "camera=9e9:1:1:1:1"],
    ...["r=a:5:1", "r=a:1", "r=__proto__:1:2", "curve=__proto__", "guesses=__proto__:1"],
  ];
  for (const part of parts) {
    open(`${SUM}&${part}`);
    assert.equal(currentAddress(), SUM, part);
  }
  open(`${SUM}&t=break&visits=0.0.0`);
  assert.equal(currentAddress(), `${SUM}&t=break`);
  for (const rate of ["-1:0:20", "0.1:0:1e9", "0.1:1:20", "0.1:x:20"]) {
    open(`e=a*a&v=a:3&p=a&t=train&rate=${rate}`);
    assert.deepEqual(settings.value, USUAL_SETTINGS, rate);
  }
  open(`${SUM}&caption=${"x".repeat(5_000)}&s=99999`);
  assert.equal(currentAddress(), `${SUM}&s=5&caption=${"x".repeat(600)}`);
});

test("an address without a valid program is refused with the reason", () => {
  const refused = [
    ["s=3", { why: "form" }],
    ["e=a&v=a", { why: "form" }],
    ["e=a&v=a:1:2", { why: "form" }],
    ["e=%E0%A4%A", { why: "form" }],
    ["e=a&p=<b>", { why: "form" }],
    ["e=a&v=a:NaN", { why: "value", name: "a" }],
    ["e=a&v=a:", { why: "value", name: "a" }],
    [`e=${"a".repeat(20_000)}`, { why: "long" }],
  ] as const;
  for (const [hash, why] of refused) assert.deepEqual(parseAddress(hash), why, hash);
});

/** Return the address of a sum of products of neighbours, with a value for each input. */
function chained(terms: number): string {
  const names = Array.from({ length: terms }, (_, at) => `x${at}`);
  const products = names.map((name, at) => `${name}*${names[(at + 1) % terms]}`);
  return `e=${products.join("+")}&v=${names.map((name) => `${name}:1.5`).join(",")}`;
}

const CHAIN = `e=${"relu(".repeat(60)}x${")".repeat(60)}&v=x:1`;

test("a pass over a large graph takes at most 12 seconds", () => {
  for (const address of [chained(100), chained(20), CHAIN])
    for (const to of ["backward", "forward"] as const) {
      open(address);
      selectPass(to);
      readingTime.value = 4_000;
      const all = beats.value.reduce((sum, { duration }) => sum + duration, 0);
      assert.ok(all <= 12_000 + 1e-6, `${to} ${all}`);
      assert.equal(beats.value.at(-1)!.end, ticks.value.length);
    }
});

// The k-th of 33 sums sends after the next one, in the same front as the product next to it.
test("a wave front of a chain of sums is a column", () => {
  open(chained(34));
  const ends = beats.value.map(({ end }) => end);
  const sizes = ends.map((end, at) => end - (ends[at - 1] ?? 0));
  assert.deepEqual(sizes, [2, ...Array.from({ length: 32 }, () => 4), 4]);
});

test("the first arrow takes the reading time, the others less", () => {
  selectPass("backward");
  readingTime.value = 4_000;
  assert.deepEqual(
    beats.value.map(({ end }) => end),
    [1, 2, 3, 4],
  );
  assert.equal(beats.value[0]!.duration, 4_000);
  for (const { duration } of beats.value.slice(1))
    assert.ok(duration >= 1_200 && duration <= 1_500);
});

test("a number is parsed as people type it", () => {
  const numbers: Readonly<Record<string, number | null>> = {
    ...{ " -3 ": -3, "−3": -3, "2,5": 2.5, ".5": 0.5, "1e3": 1_000, "5.": 5 },
    ...{ "": null, two: null, "1e999": null, "0x10": null, "1 2": null, Infinity: null },
  };
  for (const [text, number] of Object.entries(numbers))
    assert.equal(readNumber(text), number, text);
});

test("new values hide the gradients that were predicted before", () => {
  openTab("predict");
  typed.value = { a: "10", b: "10", c: "-1" };
  checkGuesses();
  assert.ok(isPlayable.value);
  goTo(99);
  setValue("a", 5);
  assert.deepEqual([isPlayable.value, partialGrads.value[0]!.grad], [false, null]);
});

test("a task is done when its condition is met, and not before", () => {
  const [predict, dead, twice, negative] = TASKS;
  done.value = new Set();
  const isDone = (...names: string[]) => assert.deepEqual([...done.value], names);
  startTask(predict!);
  typed.value = { a: "10", b: "10", c: "10" };
  checkGuesses();
  isDone();
  typed.value = { a: "10", b: "10", c: "-1" };
  checkGuesses();
  isDone("predict");
  startTask(dead!);
  isDone("predict");
  setValue("b", -3);
  isDone("predict", "dead");
  startTask(twice!);
  goTo(1);
  isDone("predict", "dead");
  goTo(2);
  isDone("predict", "dead", "twice");
  startTask(negative!);
  isDone("predict", "dead", "twice");
  editText("a - 2 * b", true);
  isDone("predict", "dead", "twice", "negative");
});

test("each question accepts the lesson's answer and no other", () => {
  for (const [place, answer] of ["10", "10", "1.0", "15"].entries()) {
    showQuizQuestion(place);
    for (const [reply, isRight] of [["7", false] as const, [answer, true] as const]) {
      quizReply.value = reply;
      checkQuizReply();
      assert.equal(isQuizRight.value, isRight, `${place}: ${reply}`);
    }
  }
});

test("a task is not done by revealed answers", () => {
  for (const name of ["a", "b", "c"]) giveAway(name);
  assert.ok(!guesses.value.isOpen);
  assert.ok(!TASKS[0]!.isDone(shown.value));
});

test("an error is described in the words of a language", () => {
  const described = [
    ["2x", "Между 2 и x нет знака операции."],
    ["exp a", "Чтобы вызвать функцию, пишите exp(...)."],
    ["a +", "Выражение обрывается. Здесь нужно число, имя или (."],
    ["exp(a", "Выражение обрывается. Допишите недостающее или закройте"],
    ["a + * b", "Перед * нужно число, имя или (."],
    ["a)", ") здесь лишняя: ни одна скобка не открыта."],
    ["()", "Перед ) нужно число, имя или (."],
    ["a, b", "Запятая только разделяет аргументы функции."],
    ["a == b", "= стоит только после имени в начале"],
    ["a; b", "Без имени может быть только последняя строка"],
    ["a ^ 2", "Символа ^ в языке нет."],
    ["а + 1", "Символа а в языке нет. Это кириллица. Пишите латинские буквы"],
    ["tahn(a)", "tahn не является функцией. Возможно, имелось в виду tanh?"],
    ["ln(a)", "ln не является функцией."],
    ["exp(a, b)", "Функции exp нужно значений: 1, а не 2."],
    ["a ** b", "Показатель степени может быть только числом"],
    ["a = 1; a = 2; a", "Имя a уже занято."],
    ["b = 1; a", "Результат не зависит от b."],
    ["1 / (a - a)", "Деление на 0."],
    ["log(0 - 1)", "Логарифм есть только у чисел больше 0."],
    ["(0 - 8) ** 0.5", "У отрицательного основания нет дробной степени."],
    ["(a - a) ** -1", "У 0 нет отрицательной степени."],
    ["exp(1000)", "Результат exp слишком велик для double."],
    ["sqrt(a - a)", "В нуле наклон бесконечен: sqrt. Возьмите значение больше 0."],
    ["1e999", "Это число больше наибольшего double"],
    ["a".repeat(4_001), "Выражение слишком длинное: рисуется не больше 4000 символов."],
  ] as const;
  const { fault: words } = translated(ru, say)["interaction"];
  for (const [written, expected] of described) {
    editText(written, true);
    const { code, message, data, span } = fault.value!;
    const points = [...written];
    const before = points.slice(0, span?.start).join("");
    const found = points.slice(span?.start, span?.end).join("");
    const sentence = words.describe({ code, message, data, span, before, found });
    assert.ok(sentence.replaceAll("`", "").startsWith(expected), `${written}: ${sentence}`);
  }
});
