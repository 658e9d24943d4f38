/**
 * The page that `make page` built -> the module of the build that contains it; without a page,
 * nothing.
 */

import { existsSync, readFileSync, writeFileSync } from "node:fs";

const page = new URL("../../build/sandbox.html", import.meta.url);
const module = new URL("../dist/element/page.js", import.meta.url);
if (existsSync(page)) {
  writeFileSync(module, `export default ${JSON.stringify(readFileSync(page, "utf8"))};\n`);
}
