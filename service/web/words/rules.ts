/** What a step of the wave means: a language's sentences, put together from a graph. */

/** What an operation sends to an operand, in names and numbers. */
interface Sent {
  readonly from: string;
  readonly to: string;
  readonly incoming: string;
  readonly local: string;
  readonly contribution: string;
}

/** The same, with what explains it: the rule of the operation, and the sum at the operand. */
interface Explained extends Sent {
  /** The operation, as its symbol. */
  readonly operation: string;
  readonly slot: number;
  /** What the other operand is called. */
  readonly other: string;
  /** What the table of operations says of the local derivative. */
  readonly slope: string;
  readonly arrived: number;
  readonly expected: number;
  readonly sum: string;
  readonly isDead: boolean;
}

/** A sentence, or how it is made of the other operand and of a number or name beside it. */
type Rule = string | ((other: string, beside: string) => string);

/** A language's sentences, by operation; `-1` is that of the second operand where it has its own. */
export interface RuleWords {
  readonly sends: (sent: Sent) => string;
  readonly oneOf: (arrived: number, expected: number, to: string) => string;
  readonly together: (to: string, sum: string) => string;
  readonly computed: (name: string, text: string, value: string) => string;
  readonly hintTwice: (name: string) => string;
  /** What is said of an operation that has no sentence of its own. */
  readonly plainly: (operation: string, slope: string) => string;
  /** What is done to the gradient that is sent on; beside the other operand stands its number. */
  readonly rules: Readonly<Record<string, Rule>>;
  /** How a derivative is found, where the rule does not say it; beside it stands the operation. */
  readonly hints: Readonly<Record<string, Rule>>;
}

export function tellSent(text: RuleWords, step: Explained): string {
  const { to, other, local, operation, slot, slope, arrived, expected, sum, isDead } = step;
  const told = `${text.sends(step)}.`;
  if (expected > 1 && arrived < expected) return `${told} ${text.oneOf(arrived, expected, to)}`;
  if (expected > 1) return `${told} ${text.together(to, sum)}`;
  const dead = isDead ? text.rules[`${operation} dead`] : undefined;
  const rule = dead ?? found(text.rules, operation, slot) ?? text.plainly(operation, slope);
  return `${told} ${said(rule, other, local)}`;
}

export function hint(
  text: RuleWords,
  operation: string,
  slot: number,
  of: string,
  other: string,
  slope: string,
): string {
  const own = found(text.hints, operation, slot) ?? found(text.rules, operation, slot);
  return said(own ?? text.plainly(operation, slope), other, of);
}

function found(rules: RuleWords["rules"], operation: string, slot: number): Rule | undefined {
  return rules[`${operation}${slot}`] ?? rules[operation];
}

function said(rule: Rule, other: string, beside: string): string {
  return typeof rule === "string" ? rule : rule(other, beside);
}
