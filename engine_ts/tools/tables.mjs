/**
 * src/tables.ts -> a module that holds its values: not all browsers import JSON.
 *
 *     node tools/tables.mjs FOLDER    write it into the folder of a build
 */

import { writeFileSync } from "node:fs";
import * as tables from "../src/tables.ts";

export const MODULE = Object.entries(tables)
  .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};\n`)
  .join("");

if (process.argv[1] === import.meta.filename) {
  writeFileSync(`${process.argv[2]}/tables.js`, MODULE);
}
