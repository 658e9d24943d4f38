/** Russian: the true number beside one that is shown, and what a central difference is off by. */

import type { AccuracyWords } from "../en/accuracy.ts";

export const ACCURACY: AccuracyWords = {
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
