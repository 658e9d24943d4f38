/** English: the room where the backward pass goes wrong. */

import { PITFALLS } from "./published.ts";
import type { Sent } from "../rules.ts";
import { RULES } from "./rules.ts";

const { sends } = RULES;

export const BROKEN = {
  mistakes: "Mistakes",
  chips: {
    "wrong-order": "Wrong order",
    "assigning-instead-of-adding": "= for +=",
    "second-backward": "Twice",
    "mutation-before-backward": "Changed data",
    "dead-relu": "Dead relu",
    "variable-exponent": "Variable exponent",
  } as Readonly<Record<string, string>>,
  known: PITFALLS,
  title: "Put the visits in order, first to last",
  how: "This walk sends: each visit passes on to its operands what has arrived so far. Drag a visit, or use its buttons.",
  visit: (place: number, name: string) => `Visit ${place}: ${name}`,
  earlier: "Earlier",
  later: "Later",
  earlierOf: (name: string) => `Visit ${name} earlier`,
  laterOf: (name: string) => `Visit ${name} later`,
  sent: (amounts: readonly (readonly [string, string])[]) =>
    `sent ${amounts.map(([amount, to]) => `${amount} to ${to}`).join(", ")}`,
  sendsNothing: "sends nothing on",
  tooEarly: "Too early",
  run: "Run my order",
  showRight: "Show a right order",
  take: (text: string) => `Use ${text}`,
  tooMany: (count: number, most: number) =>
    `This graph has ${count} nodes to visit; at most ${most} can be put in order by hand.`,
  losses: (losses: readonly (readonly [amount: string, from: string])[]) =>
    `✕ Lost: ${losses.map(([amount, from]) => `${amount} from ${from}`).join(", ")}`,
  wrongEnd: "✕ The gradients are wrong",
  nothingLost: "✓ Nothing is lost",
  ends: (name: string, has: string, right: string) =>
    `\`${name}\` ends with [g:${has}], not [g:${right}].`,
  gets: (name: string, right: string) => `\`${name}\` gets [g:${right}].`,
  visitedBefore: (operand: string, operation: string, amount: string) =>
    `\`${operand}\` was visited before \`${operation}\` had sent it [g:${amount}].`,
  reverse: "Reverse topological order?",
  yes: "Yes",
  no: "No:",
  standsBefore: (operand: string, operation: string) => `\`${operand}\` before \`${operation}\`.`,
  harmless: "Visiting an input sends nothing on, so it may come at any time.",
  should: (name: string, right: string) => `What ${name} should get: ${right}`,
  arrivedBy: (amount: string, by: string) => `${amount} from ${by}, arrived`,
  missingBy: (amount: string, by: string) => `${amount} from ${by}, lost`,
  wrong: "Wrong",
  right: "Right",
  onStage: "On the stage",
  variable: "Variable",
  step: "Step",
  cure: "Cure",
  refused: "This engine refuses it:",
  example: (text: string) => `Load its example, ${text}`,
  changes: (name: string, value: string) =>
    `Between the forward and the backward pass \`${name}\` becomes [d:${value}].`,
  playOrder: "Play my order",
  playWrong: "Play it wrong",
  playRight: "Play it right",
  lost: (amount: string) => `${amount} lost`,
  rightIs: (amount: string) => `not ${amount}`,
  overwritten: "overwritten",
  cameLate: "came too late",
  again: "once more",
  short: (amount: string) => `${amount} short`,
  over: (amount: string) => `${amount} too much`,
  late: "too late",
  tellReplaced: (sent: Sent, before: string) => `${sends(sent)}, overwriting [g:${before}].`,
  tellLate: (sent: Sent) => `${sends(sent)}, too late: \`${sent.to}\` had already been visited.`,
  tellLost: (sent: Sent, right: string) =>
    `${sends(sent)} instead of [g:${right}]: not everything had arrived.`,
  tellSum: (sent: Sent, sum: string) => `${sends(sent)}. It now has [g:${sum}].`,
};
