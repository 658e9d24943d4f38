/** A request of `introspect_value` -> the Values that it names, made one after the other. */

import { CUSTOM, NO_GRADIENT, OPERATIONS } from "../operations.ts";
import { refuse } from "../lab/checks.ts";
import { isDouble } from "../request.ts";
import { Value } from "../value.ts";

/** What was read of JSON, to be checked before it is used. */
type Json = any;

/**
 * Make the nodes, then assign data; give the last node (CONTRACT.md R29).
 *
 * @throws {GradientError} a member is wrong, or a Value cannot be made
 */
export function valueOf({ nodes, assign = [] }: Json): Value {
  if (!Array.isArray(nodes) || nodes.length === 0) {
    refuse("nodes", "an array of one node or more", nodes);
  }
  const values: Value[] = [];
  for (const [place, node] of nodes.entries()) values.push(make(`nodes/${place}`, node, values));
  if (!Array.isArray(assign)) refuse("assign", "an array of objects", assign);
  for (const [place, each] of assign.entries()) {
    const member = `assign/${place}`;
    if (!isObject(each)) refuse(member, "an object", each);
    checkPlace(`${member}/node`, each.node, values).data = each.data;
  }
  return values.at(-1)!;
}

/** Make a leaf, an operation of the table or a custom one. */
function make(member: string, node: Json, values: readonly Value[]): Value {
  if (!isObject(node)) refuse(member, "an object", node);
  const { label = "", operation: symbol = null, data } = node;
  if (typeof label !== "string") refuse(`${member}/label`, "a text", label);
  if (symbol === null) return new Value(data, label);
  if (symbol === CUSTOM) return makeCustom(member, node, values, label);
  const row = OPERATIONS.get(symbol);
  if (row === undefined) {
    refuse(`${member}/operation`, "a symbol of the table, or custom", symbol);
  }
  const isPower = symbol === NO_GRADIENT.symbol;
  const count = row.arity - Number(isPower);
  const [x, ...others] = checkOperands(member, node.operands, values, count, count);
  // A method has the name of its row.
  const value: Value = (x as Json)[row.name](...(isPower ? [node.exponent] : others));
  value.label = label;
  return value;
}

function makeCustom(member: string, node: Json, values: readonly Value[], label: string): Value {
  const operands = checkOperands(member, node.operands, values, 1, 2);
  const { name = CUSTOM, local_grads: localGrads } = node;
  if (typeof name !== "string" || name === "" || OPERATIONS.has(name)) {
    refuse(`${member}/name`, "a name that no operation of the table has", name);
  }
  if (!Array.isArray(localGrads) || localGrads.length !== operands.length) {
    refuse(`${member}/local_grads`, "an array with a number for each operand", localGrads);
  }
  return new Value(node.data, operands, localGrads, name, label);
}

/** Accept the places of so many nodes that are there already. */
function checkOperands(
  member: string,
  operands: Json,
  values: readonly Value[],
  least: number,
  most: number,
): Value[] {
  if (!Array.isArray(operands) || operands.length < least || operands.length > most) {
    const what = least === most ? `${least}` : `${least} or ${most}`;
    refuse(`${member}/operands`, `an array of ${what} of the nodes before`, operands);
  }
  return operands.map((operand, slot) => checkPlace(`${member}/operands/${slot}`, operand, values));
}

function checkPlace(member: string, place: Json, values: readonly Value[]): Value {
  const value = isDouble(place) ? values[place] : undefined;
  return value ?? refuse(member, "the place of a node before it, counted from 0", place);
}

function isObject(value: Json): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
