/** Expression + fault -> the expression without it, where there is one obvious way. */

import type { GradientError } from "../../../engine_ts/src/errors.ts";

/** What beginners write for what: signs from keyboards, books and other languages. */
const SIGNS: Readonly<Record<string, string>> = {
  "^": "**",
  "²": " ** 2",
  "³": " ** 3",
  "×": "*",
  "·": "*",
  "⋅": "*",
  "÷": "/",
  "−": "-",
  "–": "-",
  "[": "(",
  "]": ")",
  "{": "(",
  "}": ")",
};

export function cureOf(expression: string, { code, span, message }: GradientError): string | null {
  if (span === null) return null;
  const points = [...expression];
  const [before, wrong, after] = [
    points.slice(0, span.start).join(""),
    points.slice(span.start, span.end).join(""),
    points.slice(span.end).join(""),
  ];
  const sign = code === "unexpected_character" ? SIGNS[wrong] : undefined;
  if (sign !== undefined) return before + sign + after;
  if (/put `\*` between/.test(message)) return `${before.trimEnd()} * ${wrong}${after}`;
  const meant = /did you mean `(\w+)`/.exec(message)?.[1];
  if (meant !== undefined) return before + meant + after;
  if (code === "unexpected_end") return closed(expression);
  return null;
}

/** Close what was opened, if that is all that is missing. */
function closed(expression: string): string | null {
  const open = expression.split("(").length - expression.split(")").length;
  const last = expression.trimEnd().at(-1) ?? "";
  return open > 0 && /[\w)]/.test(last) ? expression.trimEnd() + ")".repeat(open) : null;
}
