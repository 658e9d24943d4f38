/** Cards that are pressed one after the other -> an order of visits. */

import { mistake, ORDER, order, setOrder } from "../state/break.ts";

/** The visits that were chosen so, and the order that they made. */
let chosen: readonly number[] = [];
let made: readonly number[] = [];

/** Visit this node after those that were pressed before it; once all were, begin anew. */
export function visitNext(node: number): void {
  const visits = order.value;
  if (mistake.value !== ORDER || !visits.includes(node)) return;
  const isOurs = made === visits && !chosen.includes(node) && chosen.length < visits.length;
  chosen = [...(isOurs ? chosen : []), node];
  made = [...chosen, ...visits.filter((each) => !chosen.includes(each))];
  setOrder(made);
}
