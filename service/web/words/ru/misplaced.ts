/** Russian: what stands where it cannot stand, and what to write in its place. */

import type { Told } from "../en/faults.ts";

const MULTIPLY = "Для умножения пишите `*`.";
const MINUS = "Минус пишется дефисом: `-`.";
const GROUP = "Для группировки служат `(` и `)`.";
const COMPARISON = "Сравнений нет; `relu(x)` равно x при x > 0, иначе 0.";

const CHARACTERS: Readonly<Record<string, string>> = {
  "^": "Для степени пишите `**`.",
  "²": "Для квадрата пишите `** 2`.",
  "³": "Для куба пишите `** 3`.",
  "√": "Для корня пишите `sqrt(x)`.",
  "|": "Вместо `|x|` пишите `abs(x)`.",
  "×": MULTIPLY,
  "·": MULTIPLY,
  "⋅": MULTIPLY,
  "÷": "Для деления пишите `/`.",
  "−": MINUS,
  "–": MINUS,
  π: "Пишите 3.141592653589793 или дайте имя `pi` и его значение.",
  ".": "Функция пишется одним именем, например `exp(x)`.",
  "%": "Остатка от деления нет.",
  "<": COMPARISON,
  ">": COMPARISON,
  "#": "Комментариев нет.",
  "[": GROUP,
  "]": GROUP,
  "{": GROUP,
  "}": GROUP,
};
const CHARACTER = "Пишите латинские буквы, цифры, _ и знаки + - * / ** ( ) = , ;";

/** A character that is not part of the language. */
export function unreadable({ found }: Told): string {
  const isCyrillic = /\p{Script=Cyrillic}/u.test(found);
  const cure = isCyrillic ? "Это кириллица. " : "";
  return `Символа \`${found}\` в языке нет. ${cure}${CHARACTERS[found] ?? CHARACTER}`;
}

/** A number, a name or a parenthesis. */
const OPERAND = /^[\w(]/;
/** The last token of a text, where it ends an operand. */
const OPERAND_BEFORE = /([A-Za-z_]\w*|[\d.]+(?:e[+-]?\d+)?|\))\s*$/i;

/** A token that cannot stand where it stands. */
export function misplaced({ found, before, message }: Told): string {
  const last = OPERAND_BEFORE.exec(before)?.[1];
  if (found === "=")
    return "`=` стоит только после имени в начале, как в `y = x + 1`; сравнений нет.";
  if (found === ",") return "Запятая только разделяет аргументы функции.";
  if (found === ")" && before.split("(").length <= before.split(")").length)
    return "`)` здесь лишняя: ни одна скобка не открыта.";
  if (/[;\n]\s*$/.test(before) || last === undefined || !OPERAND.test(found))
    return missing(before, found);
  const call = /write `(\w+\([^`]*\))` to call/.exec(message)?.[1];
  if (call !== undefined) return `Чтобы вызвать функцию, пишите \`${call}\`.`;
  return `Здесь не должно быть \`${found}\`. Чтобы перемножить \`${last}\` и \`${found}\`, поставьте между ними \`*\`.`;
}

function missing(before: string, found: string): string {
  if (/[;\n]\s*$/.test(before) && OPERAND.test(found))
    return "Без имени может быть только последняя строка; остальные пишите как `имя = …`.";
  if (found === "\n" || found === ";") return "Здесь нужно число, имя или закрытая скобка.";
  return `Перед \`${found}\` нужно число, имя или \`(\`.`;
}
