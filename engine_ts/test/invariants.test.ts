import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { introspect } from "../src/introspect.ts";
import type { Document } from "../src/document.ts";

fc.configureGlobal({ seed: 1, numRuns: 200 });

/** Programs without domains, over a, b and c; numbers near 1 stay far from the doubles' ends. */
const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom("a", "b", "c", "0.5", "3"),
    fc.tuple(tie("expression"), fc.constantFrom("+", "-", "*"), tie("expression")).map(infix),
    fc.tuple(fc.constantFrom("-", "relu", "tanh"), tie("expression")).map(([f, x]) => `${f}(${x})`),
    tie("expression").map((x) => `(${x}) ** 2`),
  ),
}));
const number = fc.double({ min: -1.5, max: 1.5, noNaN: true }).filter((x) => Math.abs(x) > 1e-3);
const values = fc.record({ a: number, b: number, c: number });

function infix([x, operator, y]: [string, string, string]): string {
  return `(${x}) ${operator} (${y})`;
}

/** Numbers and structure without the text: what must not depend on how a program is written. */
function essence({ nodes, edges, result, gradients }: Document): unknown {
  return { nodes: nodes.map((node) => ({ ...node, span: null })), edges, result, gradients };
}

function scaled(gradients: Record<string, number>, factor: number): Record<string, number> {
  const entries = Object.entries(gradients);
  return Object.fromEntries(entries.map(([name, gradient]) => [name, gradient * factor + 0]));
}

test("a shared node used twice doubles every gradient exactly", () => {
  fc.assert(
    fc.property(expression, values, (text, at) => {
      const once = introspect(text, at);
      const twice = introspect(`y = ${text}; y + y`, at);
      assert.deepEqual(twice.gradients, scaled(once.gradients, 2));
      assert.equal(twice.result, once.result * 2);
    }),
  );
});

test("a factor that is a power of two scales every gradient exactly", () => {
  fc.assert(
    fc.property(expression, values, fc.constantFrom(0.25, 0.5, 2, 8, -4), (text, at, k) => {
      const once = introspect(text, at);
      const multiple = introspect(`${k} * (${text})`, at);
      assert.deepEqual(multiple.gradients, scaled(once.gradients, k));
      assert.equal(multiple.result, once.result * k + 0);
    }),
  );
});

test("a minus turns every gradient around exactly", () => {
  fc.assert(
    fc.property(expression, values, (text, at) => {
      const { gradients } = introspect(text, at);
      assert.deepEqual(introspect(`-(${text})`, at).gradients, scaled(gradients, -1));
    }),
  );
});

test("a sum of programs without common names has the gradients of both", () => {
  fc.assert(
    fc.property(expression, expression, values, (left, right, at) => {
      const renamed = right.replaceAll(/\b[abc]\b/g, "other_$&");
      const others = { other_a: at.b, other_b: at.c, other_c: at.a };
      const sum = introspect(`(${left}) + (${renamed})`, { ...at, ...others });
      assert.deepEqual(sum.gradients, {
        ...introspect(left, at).gradients,
        ...introspect(renamed, others).gradients,
      });
    }),
  );
});

test("parentheses and prefix pluses add nothing", () => {
  fc.assert(
    fc.property(expression, values, (text, at) => {
      const told = essence(introspect(text, at));
      assert.deepEqual(essence(introspect(`((${text}))`, at)), told);
      assert.deepEqual(essence(introspect(`+(+(${text}))`, at)), told);
      assert.deepEqual(essence(introspect(`\n ${text.replaceAll(" ", "\t ")} ;\n`, at)), told);
    }),
  );
});

test("names mean nothing to the numbers", () => {
  fc.assert(
    fc.property(expression, values, (text, at) => {
      const renamed = text.replaceAll(/\b[abc]\b/g, "$&_$&");
      const document = introspect(renamed, { c_c: at.c, b_b: at.b, a_a: at.a });
      const { nodes, edges } = introspect(text, at);
      assert.deepEqual(document.edges, edges);
      assert.deepEqual(
        document.nodes.map((node) => [node.data, node.grad]),
        nodes.map((node) => [node.data, node.grad]),
      );
    }),
  );
});

test("every row of the ledger is a product and every gradient their sum", () => {
  fc.assert(
    fc.property(expression, values, (text, at) => {
      const { nodes, edges, root, backward_order } = introspect(text, at);
      const grads = nodes.map((node) => (node.id === root ? 1 : 0));
      for (const id of backward_order) {
        for (const edge of edges.filter(({ to }) => to === id)) {
          assert.equal(edge.incoming_grad, grads[id]);
          if (!edge.differentiable) continue;
          assert.equal(edge.contribution, edge.incoming_grad * edge.local_grad! + 0);
          grads[edge.from]! += edge.contribution;
          assert.equal(edge.running_grad, grads[edge.from]);
        }
      }
      for (const node of nodes) assert.ok(node.grad === null || node.grad === grads[node.id]);
    }),
  );
});

test("gradients agree with central differences", () => {
  const smooth = expression.filter((text) => !text.includes("relu"));
  fc.assert(
    fc.property(smooth, values, fc.constantFrom("a", "b", "c"), (text, at, name) => {
      const { gradients, nodes } = introspect(text, at);
      const step = 2 ** -20;
      const near = (by: number) => introspect(text, { ...at, [name]: at[name] + by }).result;
      const slope = (near(step) - near(-step)) / (2 * step);
      // A tolerance, for want of a bound of third derivatives: of the program's largest number.
      const size = Math.max(...nodes.map(({ data, grad }) => Math.abs(data) + Math.abs(grad ?? 0)));
      if (size > 100) return;
      assert.ok(Math.abs(slope - (gradients[name] ?? 0)) <= 1e-4 * (1 + size));
    }),
  );
});
