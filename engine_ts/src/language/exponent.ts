/** Texts from an exponent on -> what to write for it: the number, where its parentheses hold one. */

/** A number, or two with an operator between them: `( 1 / 2 )`. */
const SHORT =
  /^([-+] )?\( ((?:[-+] )?\d{0,4}\.?\d{0,4})(?: ([-+*/]) ((?:[-+] )?\d{0,4}\.?\d{0,4}))? \)/;
const NUMBERS = /^([-+] )?\(( ([-+*/]|[\d.]\S*))+ \)/;
/**
 * Characters of a double's shortest text that is the exact result: another decimal of so few, or a
 * fraction of such numbers that is none, would be farther from the double than its roundings.
 */
const LONGEST = 6;

/**
 * Say what to write for `x ** (...)` or `x ** y`.
 *
 * @param texts of the tokens, from the sign or the first token of the exponent on
 */
export function hintForExponent(texts: readonly string[]): string {
  const text = texts.join(" ");
  if (!NUMBERS.test(text)) return "where x > 0, write `exp(y * log(x))` for `x ** y`";
  const found = SHORT.exec(text);
  const number = found && shortest(found);
  return number ? `write \`x ** ${number}\`` : "write a number, as in `x ** 0.5`";
}

/** Give the text of the result; null where it is long. */
function shortest([, sign, left, operator, right]: readonly string[]): string | null {
  const [a, b] = [numberOf(left), numberOf(right)];
  const results: Record<string, number> = { "+": a + b, "-": a - b, "*": a * b, "/": a / b };
  const result = results[operator!] ?? a;
  const text = String(sign === "- " ? -result : result);
  return text.length <= LONGEST && !/[eIN]/.test(text) ? text : null;
}

function numberOf(text = "1"): number {
  return Number(text.replace(" ", ""));
}
