/** English: the room where the backward pass goes wrong. */

import { PITFALLS } from "./published.ts";

/** A step of a walk, in names and numbers. */
export interface Step {
  readonly from: string;
  readonly to: string;
  readonly incoming: string;
  readonly local: string;
  readonly contribution: string;
}

function hands({ from, to, incoming, local, contribution }: Step): string {
  return `\`${from}\` hands [g:${incoming}] × [d:${local}] = [g:${contribution}] on to \`${to}\``;
}

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
  how: "Each visit hands on what has arrived so far. Drag a visit, or move it.",
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
  take: (text: string) => `Take ${text}`,
  tooMany: (count: number, most: number) =>
    `This graph has ${count} nodes to visit; up to ${most} can be put in order by hand.`,
  lostBy: (amount: string, by: string) => `✕ Lost: ${amount} by ${by}`,
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
  harmless: "The visit of an input sends nothing on, so it may come at any time.",
  should: (name: string, right: string) => `What ${name} should get: ${right}`,
  arrivedBy: (amount: string, by: string) => `${amount} by ${by}, arrived`,
  missingBy: (amount: string, by: string) => `${amount} by ${by}, lost`,
  wrong: "Wrong",
  right: "Right",
  onStage: "On the stage",
  variable: "Variable",
  step: "Step",
  cure: "Cure",
  refused: "Here it is refused:",
  example: (text: string) => `Take its example, ${text}`,
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
  tellReplaced: (step: Step, before: string) =>
    `${hands(step)}, which puts it in the place of [g:${before}].`,
  tellLate: (step: Step) => `${hands(step)}, too late: \`${step.to}\` was visited before.`,
  tellLost: (step: Step, right: string) =>
    `${hands(step)} instead of [g:${right}]: not all had arrived.`,
  tellSum: (step: Step, sum: string) => `${hands(step)}. It has [g:${sum}] now.`,
};
