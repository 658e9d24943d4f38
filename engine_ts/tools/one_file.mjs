/**
 * dist -> dist/one: the engine with its client and store, and the element with its page, each in one
 * minified file for pages without a bundler; README.md gets their hashes for `integrity`.
 *
 * esbuild belongs to the page's build; a package always contains the page.
 */

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";

const at = (path) => new URL(`../${path}`, import.meta.url).pathname;
const ESBUILD = at("../service/web/node_modules/.bin/esbuild");
const ENGINE = ["index.js", "client/connect.js", "client/store.js"]
  .map((name) => `export * from "${at(`dist/${name}`)}";`)
  .join("\n");
const ELEMENT = `import "${at("dist/element/sandbox.js")}";`;

let text = readFileSync(at("README.md"), "utf8");
for (const [name, source] of Object.entries({ gradient: ENGINE, sandbox: ELEMENT })) {
  const file = at(`dist/one/${name}.js`);
  const options = ["--bundle", "--minify", "--format=esm", "--log-level=error"];
  execFileSync(ESBUILD, [...options, `--outfile=${file}`], { input: source, cwd: at(".") });
  const hash = createHash("sha384").update(readFileSync(file)).digest("base64");
  text = text.replaceAll(`sha384-${name}`, `sha384-${hash}`);
}
writeFileSync(at("README.md"), text);
