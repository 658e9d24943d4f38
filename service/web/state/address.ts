/** The address: a program that can be read, sent to others, and typed. What comes in is checked. */

import { expanded, kept, MOST_CHARACTERS } from "./program.ts";
import type { Request } from "./program.ts";
import { way, WAYS } from "./play.ts";
import type { Way } from "./play.ts";
import { rightFirst } from "./sorted.ts";
import { accurate, language, tab, TABS } from "./view.ts";
import type { Tab } from "./view.ts";

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const MOST_VALUES = 200;

/** Why an address is not taken: too long, not of the form, or without a number where one belongs. */
export type Refusal =
  { readonly why: "long" | "form" } | { readonly why: "value"; readonly name: string };

/** What an address says. */
export interface Said extends Request {
  readonly tab: Tab;
  readonly way: Way;
  readonly rightFirst: boolean;
  readonly expanded: boolean;
  readonly accurate: boolean;
}

/** Write the program as the part of an address after #. */
export function written(): string {
  const { expression, values, parameters } = kept.value;
  const pairs = Object.entries(values).map(([name, value]) => `${name}:${value}`);
  const parts = [`e=${encoded(expression)}`];
  if (pairs.length > 0) parts.push(`v=${pairs.join(",")}`);
  if (parameters.length > 0) parts.push(`p=${parameters.join(",")}`);
  if (tab.value !== "values") parts.push(`t=${tab.value}`);
  if (way.value !== "backward") parts.push(`w=${way.value}`);
  if (rightFirst.value) parts.push("o=right");
  if (expanded.value) parts.push("d=1");
  if (accurate.value) parts.push("a=1");
  if (language.value !== null) parts.push(`lang=${language.value}`);
  return parts.join("&");
}

/** As readable as it can be: + is plus, and only what would end the part is escaped. */
function encoded(text: string): string {
  return text.replace(/[^A-Za-z0-9_()*/+\-=;.,]/gu, encodeURIComponent);
}

/** Read what stands after #, or say what is wrong with it. */
export function read(hash: string): Said | Refusal {
  if (hash.length > 3 * MOST_CHARACTERS) return { why: "long" };
  const parts = new Map(
    hash.split("&").map((part) => [part.split("=", 1)[0], part.slice(part.indexOf("=") + 1)]),
  );
  const program = decoded(parts.get("e"));
  if (program === null || program.length > MOST_CHARACTERS) return misshapen;
  const pairs = listed(decoded(parts.get("v") ?? "")).map((pair) => pair.split(":"));
  const found: Record<string, number> = Object.create(null) as Record<string, number>;
  for (const [name, value, ...rest] of pairs) {
    if (!NAME.test(name!) || value === undefined || rest.length > 0) return misshapen;
    if (value.trim() === "" || !Number.isFinite(Number(value))) {
      return { why: "value", name: name! };
    }
    found[name!] = Number(value);
  }
  const marked = listed(decoded(parts.get("p") ?? ""));
  if (pairs.length > MOST_VALUES || !marked.every((name) => NAME.test(name))) return misshapen;
  return {
    expression: program,
    values: { ...found },
    parameters: marked,
    tab: TABS.find((each) => each === parts.get("t")) ?? "values",
    way: WAYS.find((each) => each === parts.get("w")) ?? "backward",
    rightFirst: parts.get("o") === "right",
    expanded: parts.get("d") === "1",
    accurate: parts.get("a") === "1",
  };
}

const misshapen: Refusal = { why: "form" };

function decoded(part: string | undefined): string | null {
  try {
    return part === undefined ? null : decodeURIComponent(part);
  } catch {
    return null;
  }
}

function listed(text: string | null): string[] {
  return (text ?? "").split(",").filter((each) => each !== "");
}
