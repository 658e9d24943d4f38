import assert from "node:assert/strict";
import { test } from "node:test";
import * as errors from "../src/errors.ts";
import { GradientError, InvalidRequest, UnknownFunction } from "../src/errors.ts";
import { introspect } from "../src/introspect.ts";
import { units } from "./helpers.ts";

test("an error writes its code message span and data", () => {
  const error = new UnknownFunction("what and why", { start: 4, end: 7 }, { name: "foo" });
  assert.deepEqual(error.toJSON(), {
    code: "unknown_function",
    message: "what and why",
    span: { start: 4, end: 7 },
    name: "foo",
  });
  assert.deepEqual(
    [error.code, error.message, error.span, error.data],
    ["unknown_function", "what and why", { start: 4, end: 7 }, { name: "foo" }],
  );
  assert.equal(JSON.stringify([error]), JSON.stringify([error.toJSON()]));
});

test("an error without a place has no span", () => {
  const error = new InvalidRequest("what", null, { pointer: "/view" });
  const expected = { code: "invalid_request", message: "what", span: null, pointer: "/view" };
  assert.deepEqual(error.toJSON(), expected);
  assert.deepEqual(new InvalidRequest("what").toJSON(), {
    code: "invalid_request",
    message: "what",
    span: null,
  });
});

test("a span at the start of the text is a span", () => {
  const span = { start: 0, end: 0 };
  assert.deepEqual(new InvalidRequest("what", span).toJSON()["span"], span);
});

test("an error is an exception that says its message", () => {
  const error = new UnknownFunction("what and why", { start: 4, end: 7 }, { name: "foo" });
  assert.ok(error instanceof GradientError && error instanceof Error);
  assert.match(String(error), /what and why$/);
});

units("errors", "messages", ({ code, messages }) => {
  const limits = { characters: 20, variables: 4, nodes: 4 };
  for (const [expression, values, words] of messages) {
    assert.throws(
      () => introspect(expression, values, { limits }),
      (error: unknown) => {
        assert.ok(error instanceof GradientError);
        assert.equal(error.code, code);
        for (const word of words) assert.ok(error.message.includes(word), error.message);
        assert.ok(error.message.length < 200);
        return true;
      },
    );
  }
});

test("an error has the name of its class", () => {
  const { GradientError: _, ...classes } = errors;
  for (const [name, Class] of Object.entries(classes)) {
    const error = new Class("what and why");
    assert.deepEqual([error.name, String(error)], [name, `${name}: what and why`]);
    assert.deepEqual(Object.keys(error), ["span", "data", "code"]);
  }
});
