// The unit tests of a TypeScript mutant, in one process that ends with the first failure.
// Copied beside the mutated engine; what starts further processes or packs the engine is left out.

import { globSync } from "node:fs";
import { resolve } from "node:path";
import { run } from "node:test";

const LEFT_OUT = /(client|index|package|worker)\.test\.ts$/;
const files = globSync("engine_ts/test/*.test.ts").filter((file) => !LEFT_OUT.test(file));
const tests = run({ files: files.map((file) => resolve(file)), isolation: "none" });
tests.on("test:fail", () => process.exit(1));
tests.resume();
