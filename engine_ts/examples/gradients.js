/**
 * A program and its values, as typed -> the texts of the page index.html.
 */

import { GradientError, introspect } from "../dist/index.js";

/** "a=2, b=-3" -> { a: 2, b: -3 }. An invalid number becomes NaN, which the engine rejects. */
function readValues(text) {
  const pairs = text.split(",").filter((part) => part.trim() !== "");
  return Object.fromEntries(
    pairs.map((pair) => {
      const [name, number = ""] = pair.split("=");
      return [name.trim(), number.trim() === "" ? NaN : Number(number)];
    }),
  );
}

/**
 * @param {string} program such as "(a + b) * c"
 * @param {string} values such as "a=2, b=-3, c=10"
 * @returns {{ result: string, gradients: string[][], steps: string[][] } | { error: string }}
 *   rows of the two tables; or the error message, with carets under its place if it has one
 */
export function explain(program, values) {
  try {
    const document = introspect(program, readValues(values));
    return {
      result: String(document.result),
      gradients: Object.entries(document.gradients).map(([name, slope]) => [name, String(slope)]),
      steps: document.backward_order.flatMap((id) => steps(document, id)),
    };
  } catch (error) {
    if (!(error instanceof GradientError)) throw error;
    return {
      error: error.span ? `${error.message}\n\n${marked(program, error.span)}` : error.message,
    };
  }
}

/** One row for each edge into a node: to, from, incoming × local, contribution, total so far. */
function steps({ nodes, edges }, id) {
  return edges
    .filter((edge) => edge.to === id && edge.differentiable)
    .map((edge) => [
      called(nodes[id]),
      called(nodes[edge.from]),
      `${edge.incoming_grad} × ${edge.local_grad}`,
      String(edge.contribution),
      String(edge.running_grad),
    ]);
}

function called(node) {
  return node.label ?? node.operation ?? String(node.data);
}

/** Return the line of a span, with carets under it. */
function marked(program, { start, end }) {
  const first = program.lastIndexOf("\n", start - 1) + 1;
  const [line] = program.slice(first).split("\n");
  const width = Math.max(1, Math.min(end, first + line.length) - start);
  return `${line}\n${" ".repeat(start - first)}${"^".repeat(width)}`;
}
