/** Messages of the experiments. Their numbers are in parity_tests/fixtures/experiment.json. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { introspect } from "../src/introspect.ts";
import { experiment } from "../src/lab/experiment.ts";
import { units } from "./helpers.ts";

const DIAMOND = introspect("b = a + 1; c = a * 3; d = b * c", { a: 2 });

test("zeros of a ledger have no sign", () => {
  const [walk] = experiment(introspect("-a * 0", { a: 1 })).walks;
  for (const step of walk!.ledger) {
    for (const number of Object.values(step)) assert.ok(!Object.is(number, -0));
  }
});

units("experiment", "lost", ({ conditions, sentences }) => {
  const [walk] = experiment(DIAMOND, {}, conditions).walks;
  assert.deepEqual(
    walk!.lost.map(({ sentence }) => sentence),
    sentences,
  );
});

units("experiment", "refused", ({ code, conditions }) => {
  for (const [options, pointer, words] of conditions) {
    assert.throws(
      () => experiment(DIAMOND, {}, options),
      (error: any) => {
        assert.deepEqual([options, error.code, error.data.pointer], [options, code, pointer]);
        assert.ok(error.message.includes(words), error.message);
        return true;
      },
    );
  }
});
