/** The parser: the shape of a graph, the place of an error, and the text of each span. */

import assert from "node:assert/strict";
import { programOf, refusal, shapeOf, units } from "./helpers.ts";

/** Return the text of every node's span. */
function slices(text: string): string[] {
  return programOf(text).graph.spans.map((span) => text.slice(span!.start, span!.end));
}

units("parser", "shapes", ({ view, shapes }) => {
  for (const [text, shape] of Object.entries(shapes)) {
    assert.deepEqual([text, shapeOf(text, view)], [text, shape]);
  }
});

units("parser", "errors", ({ errors }) => {
  for (const [text, expected] of Object.entries(errors)) {
    const { code, span } = refusal(() => programOf(text));
    assert.deepEqual([text, [code, span.start, span.end]], [text, expected]);
  }
});

units("parser", "slices", (row) => {
  for (const [text, expected] of Object.entries(row.slices)) {
    assert.deepEqual([text, slices(text)], [text, expected]);
  }
});
