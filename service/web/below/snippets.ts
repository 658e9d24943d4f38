/** Program -> what to type elsewhere for the same document. */

import type { Shown } from "../state/program.ts";
import { addressOf } from "./where.ts";

/** Quote for a POSIX shell. */
function quoted(text: string): string {
  return /^[\w=.,:/-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

function bodyOf({ expression, values, parameters, document }: Shown): Record<string, unknown> {
  const marked = parameters.length > 0 ? { parameters } : {};
  const view = document.view === "folded" ? {} : { view: document.view };
  return { expression, values, ...marked, ...view };
}

export function asCurl(shown: Shown): string {
  const address = new URL("v1/gradient", addressOf()).href;
  const body = quoted(JSON.stringify(bodyOf(shown)));
  return `curl -s ${address} -H 'content-type: application/json' -d ${body}`;
}

export function asPython(shown: Shown): string {
  const { expression, values, ...options } = bodyOf(shown);
  const given = Object.entries(options).map(
    ([name, value]) => `, ${name}=${JSON.stringify(value)}`,
  );
  return (
    "from engine_py import introspect\n\n" +
    `document = introspect(${JSON.stringify(expression)}, ${JSON.stringify(values)}${given.join("")})\n` +
    'print(document["result"], document["gradients"])\n'
  );
}

export function asTypeScript(shown: Shown): string {
  const { expression, values, ...options } = bodyOf(shown);
  const given = Object.keys(options).length > 0 ? `, ${JSON.stringify(options)}` : "";
  return (
    'import { introspect } from "@gradient-service/engine";\n\n' +
    `const document = introspect(${JSON.stringify(expression)}, ${JSON.stringify(values)}${given});\n` +
    "console.log(document.result, document.gradients);\n"
  );
}

export function asCommand({ expression, values }: Shown): string {
  const pairs = Object.entries(values).map(([name, value]) => `${name}=${value}`);
  return ["gradient explain", quoted(expression), ...pairs].join(" ");
}

/** A frame for another page, which shows the graph, the expression and the sliders. */
export function asFrame(program: string, title: string): string {
  const { origin, pathname } = addressOf();
  const address = `${origin}${pathname}?embed&show=expression,panel#${program}`;
  const safe = address.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  return `<iframe src="${safe}" title="${title}" width="100%" height="640"></iframe>\n`;
}
