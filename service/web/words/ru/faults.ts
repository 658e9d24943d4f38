/**
 * Russian: what is wrong with a program, told by the error's code, data and place.
 *
 * The engine's message is English and may change, so all that is taken from it are the names and
 * formulas of its cure, where they can be found; without them the sentence is whole, too.
 */

import type { Told } from "../en/faults.ts";
import { counted } from "./counted.ts";
import { misplaced, unreadable } from "./misplaced.ts";

/** By code: what a fault says. What is not here can't come about on this page. */
const SENTENCES: Readonly<Record<string, (fault: Told) => string>> = {
  unexpected_character: unreadable,
  unexpected_token: misplaced,
  unexpected_end: ({ before }) =>
    before.split("(").length > before.split(")").length
      ? "Выражение обрывается. Допишите недостающее или закройте скобку: `)`."
      : "Выражение обрывается. Здесь нужно число, имя или `(`.",
  unknown_function: ({ data, message }) =>
    `\`${text(data["name"])}\` не является функцией. ${cureOfCall(message)}`,
  wrong_arity: ({ data }) =>
    `Функции \`${text(data["name"])}\` нужно ${counted(Number(data["expected"]), "значение", "значения", "значений")}, а не ${text(data["actual"])}.`,
  exponent_not_literal: () =>
    "Показатель степени может быть только числом: степень дифференцируется по основанию. " +
    "При x > 0 вместо `x ** y` пишите `exp(y * log(x))`.",
  duplicate_name: ({ data }) =>
    `Имя \`${text(data["name"])}\` уже занято. Возьмите для результата другое.`,
  unused_name: ({ data }) =>
    `Результат не зависит от \`${text(data["name"])}\`. Используйте это имя или уберите его.`,
  missing_value: ({ data }) => `Нет значения для \`${text(data["name"])}\`.`,
  domain_error: outsideDomain,
  non_finite: tooLarge,
  limit_exceeded: ({ data }) => {
    const [limit, actual] = [text(data["limit"]), text(data["actual"])];
    if (data["name"] === "characters")
      return `Выражение слишком длинное: рисуется не больше ${limit} символов.`;
    if (data["name"] === "nodes")
      return `В графе больше ${limit} узлов. Напишите программу короче.`;
    return `Слишком много вычислений: ${actual} при пределе ${limit}.`;
  },
};

/** Say what is wrong, and what to do. */
export function told(fault: Told): string {
  const sentence = SENTENCES[fault.code];
  return sentence?.(fault) ?? `Это нельзя вычислить: \`${fault.code}\`.`;
}

function text(member: unknown): string {
  return String(member);
}

function cureOfCall(message: string): string {
  const meant = /did you mean (`\w+`)/.exec(message)?.[1];
  if (meant !== undefined) return `Возможно, имелось в виду ${meant}?`;
  const cures = [...message.matchAll(/(`[^`]+`) for (`[^`]+`)/g)];
  if (cures.length > 0)
    return `${cures.map(([, write, wanted]) => `Вместо ${wanted} пишите ${write}`).join(". ")}.`;
  return "Если нужно умножение, поставьте перед скобкой `*`.";
}

function outsideDomain({ data }: Told): string {
  const operation = text(data["operation"]);
  const [base] = data["operands"] as readonly number[];
  if (operation === "/") return "Деление на 0.";
  if (operation === "sqrt") return "Корень есть только у чисел от 0.";
  if (operation === "log") return "Логарифм есть только у чисел больше 0.";
  if (operation === "**")
    return base === 0
      ? "У 0 нет отрицательной степени."
      : "У отрицательного основания нет дробной степени.";
  return `Для таких чисел \`${operation}\` не определена.`;
}

function tooLarge({ data }: Told): string {
  const { stage, operation } = data;
  if (stage === "literal") return "Это число больше наибольшего double, 1.7976931348623157e308.";
  const cure = "Возьмите значения ближе к 0.";
  if (stage === "local_grad" && (data["operands"] as readonly number[])[0] === 0)
    return `В нуле наклон бесконечен: \`${text(operation)}\`. Возьмите значение больше 0.`;
  if (stage !== "data") return `Градиент слишком велик для double. ${cure}`;
  if (operation === null) return `Число слишком велико для double. ${cure}`;
  return `Результат \`${text(operation)}\` слишком велик для double. ${cure}`;
}
