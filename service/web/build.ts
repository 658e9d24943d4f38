/**
 * Sources -> the page, in a folder; names contain a hash of the content, so caches may keep them.
 *
 *     node build.ts dist                 index.html and sandbox/*, as the service serves them, each
 *                                        also as gzip, so that no request waits for compression
 *     node build.ts --single page.html   the whole page as one file, for any web space
 */

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import type { OutputFile, Plugin } from "esbuild";
import { MODULE } from "../../engine_ts/tools/tables.mjs";
import { EXAMPLES, FIRST_COUNT } from "./top/examples.ts";

const HERE = dirname(fileURLToPath(import.meta.url));
/** The module that is loaded at the user's first event, before any other. */
const FOLLOWS = "interaction_parts.tsx";
const PLACE = "<!-- head -->";

/** The policy of a page without a server; the hashes allow its own script and style. */
const POLICY =
  "default-src 'none'; img-src blob: data:; base-uri 'none'; form-action 'none'; " +
  "require-trusted-types-for 'script'";

/** Members that the page does not read: it computes an example's results itself. */
const UNUSED = [
  "expect",
  "syntax",
  "arity",
  "formula",
  "domain",
  "derived",
  "expansion",
  "example",
];
function withoutUnused(table: unknown, others: readonly string[] = []): string {
  return JSON.stringify(table, (name, value: unknown) =>
    [...UNUSED, ...others].includes(name) ? undefined : value,
  );
}
const smallTables: Plugin = {
  name: "small-tables",
  setup: ({ onLoad }) =>
    onLoad({ filter: /schemas.(examples|operations|reasons)\.json$/ }, ({ path }) => ({
      contents: withoutUnused(JSON.parse(readFileSync(path, "utf8"))),
      loader: "json",
    })),
};

/** The page contains the values of the engine's tables, as a build of the engine does. */
const tablesAsValues: Plugin = {
  name: "tables-as-values",
  setup: ({ onLoad }) =>
    onLoad({ filter: /engine_ts.src.tables\.ts$/ }, () => ({ contents: MODULE })),
};

/**
 * The English words are one file, but each script should contain only those that it uses. So each
 * importer gets its own copy of the module, from which the bundler drops unused exports.
 */
const wordsByImporter: Plugin = {
  name: "words-by-importer",
  setup: ({ onResolve }) =>
    onResolve({ filter: /words.en\.ts$/ }, ({ path, resolveDir, importer }) => ({
      path: join(resolveDir, path),
      suffix: `?${basename(importer)}`,
    })),
};

/** In the order of the cascade; rules for sizes and media come last. */
const SHEETS = ["page", "top", "stage", "panel", "below", "devices"];
/** Rules below this line in a style sheet are put into the page's second style sheet. */
const LATER = "/* Loaded after the first paint. */\n";
/** Write `--name: light-dark(one, other);` as two rules, for browsers without light-dark(). */
function inBothThemes(css: string): string {
  const token = /(--[\w-]+): light-dark\(([^,]+), ([^)]+)\);/g;
  const dark = [...css.matchAll(token)].map(([, name, , other]) => `${name}: ${other};`).join("");
  const media = `@media (prefers-color-scheme: dark) { :root { ${dark} } }\n`;
  return css.replace(token, "$1: $2;") + (dark === "" ? "" : media);
}
const styleByTime: Plugin = {
  name: "style-by-time",
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^style:/ }, ({ path }) => ({ path, namespace: "style" }));
    onLoad({ filter: /./, namespace: "style" }, ({ path }) => {
      const rules = SHEETS.map((name) => readFileSync(join(HERE, "style", `${name}.css`), "utf8"));
      const part = Number(path.slice("style:".length));
      const whole = rules.map((text) => text.split(LATER)[part]).join("");
      return { contents: inBothThemes(whole), loader: "css" };
    });
  },
};

/**
 * Let each later entry import the earlier ones. The bundler makes one script of the modules that
 * the same entries need, so there is one for the first paint and one for the interaction, instead
 * of twenty with different importers.
 */
const loadedBefore: Plugin = {
  name: "loaded-before",
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /\.tsx?$/ }, ({ kind, path, resolveDir }) => {
      if (kind !== "dynamic-import" || path.includes("/words/")) return undefined;
      const before = path.endsWith(FOLLOWS) ? "page.tsx" : FOLLOWS;
      return { path: join(resolveDir, path), pluginData: join(HERE, before) };
    });
    onLoad({ filter: /\.tsx?$/ }, ({ path, pluginData: before }) => {
      if (before === undefined) return undefined;
      const contents = `${readFileSync(path, "utf8")}\nimport ${JSON.stringify(before)};\n`;
      return { contents, loader: path.endsWith("x") ? "tsx" : "ts", resolveDir: dirname(path) };
    });
  },
};

/** Bundle the page; `oneFile` is the name of the page as one file, or empty for that file. */
function bundled(oneFile: string) {
  const single = oneFile === "";
  return build({
    absWorkingDir: HERE,
    entryPoints: { sandbox: "page.tsx", style: "style:0", interaction: "style:1" },
    outdir: "sandbox",
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    bundle: true,
    minify: true,
    charset: "utf8",
    write: false,
    format: "esm",
    splitting: !single,
    target: ["es2022", "chrome117", "firefox121", "safari17.2"],
    jsx: "automatic",
    jsxImportSource: "preact",
    plugins: [smallTables, tablesAsValues, wordsByImporter, styleByTime, loadedBefore],
    define: {
      SINGLE_FILE: String(single),
      ONE_FILE: JSON.stringify(oneFile),
      FIRST_EXAMPLES: JSON.stringify(withoutUnused(EXAMPLES.slice(0, FIRST_COUNT), ["about"])),
      EXAMPLE_COUNT: String(EXAMPLES.length),
    },
    legalComments: "none",
    logLevel: "warning",
  });
}

/** Insert lines into the page's head; nothing needs the page's indentation. */
function filled(head: string): string {
  const page = readFileSync(join(HERE, "page.html"), "utf8").replace(/^ +/gm, "");
  return page.replace(PLACE, () => head);
}

function integrity(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

/** Return the script that is loaded first, and all files but the entry, which only imports it. */
function withoutStub(files: OutputFile[]): { first: string; outputFiles: OutputFile[] } {
  const stub = files.find(({ path }) => /sandbox-[^/]*\.js$/.test(path))!;
  const first = /^import"\.\/([^"]+)";\s*$/.exec(stub.text)?.[1];
  if (first === undefined) return { first: basename(stub.path), outputFiles: files };
  return { first, outputFiles: files.filter((file) => file !== stub) };
}

async function writeFolder(folder: string): Promise<void> {
  const whole = await singlePage();
  const hash = createHash("sha256").update(whole).digest("hex").slice(0, 8).toUpperCase();
  const oneFile = `page-${hash}.html`;
  const { outputFiles: files } = await bundled(oneFile);
  const { first, outputFiles } = withoutStub(files);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, "sandbox"), { recursive: true });
  const contentOf = outputFiles.map(({ path, contents }) => [basename(path), contents] as const);
  for (const [name, contents] of [...contentOf, [oneFile, Buffer.from(whole)] as const]) {
    const file = join(folder, "sandbox", name);
    writeFileSync(file, contents);
    writeFileSync(`${file}.gz`, gzipSync(contents, { level: 9 }));
  }
  const style = (start: string) =>
    outputFiles
      .map(({ path }) => basename(path))
      .find((each) => each.startsWith(start) && each.endsWith(".css"));
  const head =
    `<link rel="icon" href="docs/icon.svg" type="image/svg+xml">\n` +
    `<link rel="stylesheet" href="sandbox/${style("style-")}">\n` +
    `<meta name="interaction-style" content="sandbox/${style("interaction-")}">\n` +
    `<script src="sandbox/${first}" type="module"></script>`;
  // Last: if it exists, the build is complete.
  writeFileSync(join(folder, "index.html"), filled(head));
}

/** Return the whole page as one text. */
async function singlePage(): Promise<string> {
  const { outputFiles } = await bundled("");
  const text = (end: string) =>
    outputFiles.map((file) => (file.path.endsWith(end) ? file.text : "")).join("");
  // `</script` ends a script even inside a string.
  const script = text(".js").replaceAll("</script", "<\\/script");
  const sources = `script-src ${integrity(script)}; style-src ${integrity(text(".css"))}`;
  const head =
    `<meta http-equiv="content-security-policy" content="${POLICY}; ${sources}">\n` +
    `<style>${text(".css")}</style>\n<script type="module">${script}</script>`;
  return filled(head);
}

const [first, second] = process.argv.slice(2);
if (first === "--single" && second !== undefined) {
  mkdirSync(dirname(second), { recursive: true });
  writeFileSync(second, await singlePage());
} else if (first !== undefined) await writeFolder(first);
else throw new Error("node build.ts FOLDER, or node build.ts --single FILE");
