/** Russian: the room where the backward pass goes wrong. */

import type { LaterWords } from "../en/later.ts";
import { counted } from "../counted.ts";
import { PITFALLS } from "./published.ts";
import { RULES } from "./rules.ts";

const { sends } = RULES;

export const BROKEN: LaterWords["broken"] = {
  mistakes: "Ошибки",
  chips: {
    "wrong-order": "Не тот порядок",
    "assigning-instead-of-adding": "= вместо +=",
    "second-backward": "Дважды",
    "mutation-before-backward": "Данные изменены",
    "dead-relu": "Мёртвая relu",
    "variable-exponent": "Переменный показатель",
  },
  known: PITFALLS,
  title: "Расставьте узлы в порядке обхода",
  how: "Здесь узлы отправляют: каждый передаёт операндам то, что дошло до него к этому моменту. Перетащите узел или переставьте кнопками.",
  visit: (place, name) => `Место ${place}: ${name}`,
  earlier: "Раньше",
  later: "Позже",
  earlierOf: (name) => `Посетить ${name} раньше`,
  laterOf: (name) => `Посетить ${name} позже`,
  sent: (amounts) => `передано ${amounts.map(([amount, to]) => `${amount} в ${to}`).join(", ")}`,
  sendsNothing: "ничего не передаёт",
  tooEarly: "Слишком рано",
  run: "Проверить порядок",
  showRight: "Показать верный порядок",
  take: (text) => `Взять ${text}`,
  tooMany: (count, most) =>
    `В обходе этого графа ${counted("ru", count, "узел", "узла", "узлов")}; вручную можно расставить не больше ${most}.`,
  losses: (losses) =>
    `✕ Потеряно: ${losses.map(([amount, from]) => `${amount} от ${from}`).join(", ")}`,
  wrongEnd: "✕ Градиенты неверны",
  nothingLost: "✓ Ничего не потеряно",
  ends: (name, has, right) => `У \`${name}\` получилось [g:${has}], а не [g:${right}].`,
  gets: (name, right) => `\`${name}\` получает [g:${right}].`,
  visitedBefore: (operand, operation, amount) =>
    `Узел \`${operand}\` посещён раньше, чем \`${operation}\` передал ему [g:${amount}].`,
  reverse: "Обратный топологический порядок?",
  yes: "Да",
  no: "Нет:",
  standsBefore: (operand, operation) => `\`${operand}\` раньше \`${operation}\`.`,
  harmless: "Вход ничего не передаёт дальше, поэтому посетить его можно когда угодно.",
  should: (name, right) => `Сколько должен получить ${name}: ${right}`,
  arrivedBy: (amount, by) => `${amount} от ${by}, дошло`,
  missingBy: (amount, by) => `${amount} от ${by}, потеряно`,
  wrong: "Неверно",
  right: "Верно",
  onStage: "Что показано на графе",
  variable: "Переменная",
  step: "Шаг",
  cure: "Как исправить",
  refused: "Здесь это не принимается:",
  example: (text) => `Взять пример ${text}`,
  changes: (name, value) =>
    `Между прямым и обратным проходом \`${name}\` становится равным [d:${value}].`,
  playOrder: "Мой порядок",
  playWrong: "Пройти неверно",
  playRight: "Пройти верно",
  lost: (amount) => `потеряно ${amount}`,
  rightIs: (amount) => `а не ${amount}`,
  overwritten: "затёрто",
  cameLate: "опоздало",
  again: "ещё раз",
  short: (amount) => `недобор ${amount}`,
  over: (amount) => `перебор ${amount}`,
  late: "поздно",
  tellReplaced: (sent, before) => `${sends(sent)}, и это затирает прежнее значение [g:${before}].`,
  tellLate: (sent) => `${sends(sent)}, но слишком поздно: \`${sent.to}\` уже посещён.`,
  tellLost: (sent, right) => `${sends(sent)} вместо [g:${right}]: дошло ещё не всё.`,
  tellSum: (sent, sum) => `${sends(sent)}. Теперь там [g:${sum}].`,
};
