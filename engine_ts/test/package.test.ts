/** The package as its users install it: compiled, without sources, in plain Node. */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

const ENGINE = join(import.meta.dirname, "..");
const TSC = join(ENGINE, "node_modules/typescript/bin/tsc");

const CONSUMER = `
import { introspect, introspectValue, Value } from "@gradient-service/engine";
import type { GradientDocument, Options } from "@gradient-service/engine";

const options: Options = { parameters: ["c"] };
const document: GradientDocument = introspect("(a + b) * c", { a: 2, b: -3, c: 10 }, options);
const a = new Value(3, "a");
export const found: unknown = [document.gradients, introspectValue(a.mul(a)).gradients];
`;

let folder = "";
let built = "";

function node(...argv: string[]): string {
  const ended = spawnSync(process.execPath, argv, {
    cwd: folder,
    encoding: "utf8",
    timeout: 60_000,
  });
  assert.deepEqual([ended.status, ended.stderr], [0, ""], ended.stdout);
  return ended.stdout;
}

before(() => {
  folder = mkdtempSync(join(tmpdir(), "engine-"));
  const installed = join(folder, "node_modules/@gradient-service/engine");
  built = join(installed, "dist");
  cpSync(join(ENGINE, "package.json"), join(installed, "package.json"));
  node(TSC, "--project", join(ENGINE, "tsconfig.build.json"), "--outDir", built);
  const data = readFileSync(join(ENGINE, "../schemas/rewrites.json"), "utf8");
  writeFileSync(join(built, "language/rewrites.js"), `export const DATA = ${data}`);
  node(join(ENGINE, "tools/tables.mjs"), built);
});

after(() => {
  rmSync(folder, { recursive: true });
});

test("the build runs in plain Node", () => {
  writeFileSync(
    join(folder, "use.mjs"),
    `import { introspect } from "@gradient-service/engine";
     console.log(JSON.stringify(introspect("(a + b) * c", { a: 2, b: -3, c: 10 }).gradients));`,
  );
  assert.deepEqual(JSON.parse(node("--no-strip-types", "use.mjs")), { a: 10, b: 10, c: -1 });
});

test("the build has types", () => {
  writeFileSync(join(folder, "consumer.mts"), CONSUMER);
  const strict = ["--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess"];
  const target = ["--module", "nodenext", "--target", "es2023", "--lib", "es2023", "--types", ""];
  node(TSC, ...strict, ...target, "consumer.mts");
  writeFileSync(
    join(folder, "run.mjs"),
    'import { found } from "./consumer.mjs"; console.log(JSON.stringify(found));',
  );
  assert.deepEqual(JSON.parse(node("run.mjs")), [{ a: 10, b: 10, c: -1 }, { a: 6 }]);
});

test("the build uses nothing of Node", () => {
  const files = readdirSync(built, { encoding: "utf8", recursive: true });
  const scripts = files.filter((name) => name.endsWith(".js"));
  for (const name of [
    "index.js",
    join("numerics", "elementary.js"),
    join("picture", "draw.js"),
    join("client", "connect.js"),
  ]) {
    assert.ok(scripts.includes(name), name);
  }
  for (const script of scripts) {
    const text = readFileSync(join(built, script), "utf8");
    assert.doesNotMatch(text, /["']node:|\bprocess\b|\brequire\b|\bBuffer\b/, script);
    const imports = [
      ...text.matchAll(/^(?:import|export) .* from "(.*)";$|\bimport\("(.*)"\)/gm),
    ].map(([, named, loaded]) => named ?? loaded!);
    const needed = imports.filter((path) => !/^\.\.?\/[a-z0-9_./]+\.js$/.test(path));
    const peers = ["react", "vue"].filter((name) => script === join("client", `${name}.js`));
    assert.deepEqual(needed, peers, script);
  }
});

test("the package has no runtime dependency", () => {
  const manifest = JSON.parse(readFileSync(join(ENGINE, "package.json"), "utf8"));
  assert.equal(manifest.dependencies, undefined);
  const optional = { optional: true };
  assert.deepEqual(manifest.peerDependenciesMeta, { react: optional, vue: optional });
  assert.deepEqual(Object.keys(manifest.peerDependencies), ["react", "vue"]);
  assert.equal(manifest.type, "module");
});

test("no module imports statically what verifies answers", () => {
  const files = readdirSync(built, { encoding: "utf8", recursive: true });
  const texts = files
    .filter((name) => name.endsWith(".js"))
    .map((name) => readFileSync(join(built, name), "utf8"));
  assert.ok(texts.some((text) => /import\(".*\/digests\.js"\)/.test(text)));
  for (const text of texts) assert.doesNotMatch(text, /from ".*\/digests\.js"/);
});
