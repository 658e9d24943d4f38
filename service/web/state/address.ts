/** The address: a program and how it is seen, which can be read, sent to others, and typed. */

import type { Member } from "./member.ts";
import { MEMBERS } from "./members.ts";

import { fault, kept, MOST_CHARACTERS } from "./program.ts";
import type { Request } from "./program.ts";
import { points } from "./train.ts";
import { language, tab } from "./view.ts";

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const MOST_VALUES = 200;

/** Why an address is not taken: too long, not of the form, or without a number where one belongs. */
export type Refusal =
  { readonly why: "long" | "form" } | { readonly why: "value"; readonly name: string };

/** The parts of an address, by name. */
export type Parts = ReadonlyMap<string, string>;

/** What an address says: a program, and all else as it is written. */
export interface Said extends Request {
  readonly parts: Parts;
}

/** What is seen, as the parts of an address. */
export function seen(): Parts {
  return new Map([...program(), ...texts(MEMBERS), ["lang", language.value ?? ""]]);
}

/** Write what is seen as the part of an address after #. */
export function written(): string {
  return joined(seen());
}

/** The parts of it that can be undone. */
export function edits(): Parts {
  return new Map([...program(), ...texts(MEMBERS.filter(({ isEdit }) => isEdit))]);
}

function program(): [string, string][] {
  const { expression, values, parameters } = kept.value;
  // A descent is made again from its start.
  const isDescent = tab.value === "train" && fault.value === null;
  const start = isDescent ? { ...values, ...points.value[0]?.parameters } : values;
  const pairs = Object.entries(start).map(([name, value]) => `${name}:${value}`);
  return [
    ["e", expression],
    ["v", pairs.join(",")],
    ["p", parameters.join(",")],
  ];
}

function texts(members: readonly Member[]): [string, string][] {
  return members.map(({ name, write }) => [name, write()]);
}

export function joined(parts: Parts): string {
  const said = [...parts].filter(([name, text]) => name === "e" || text !== "");
  return said.map(([name, text]) => `${name}=${encoded(text)}`).join("&");
}

/** As readable as it can be: + is plus, and only what would end the part is escaped. */
function encoded(text: string): string {
  return text.replace(/[^A-Za-z0-9_()*/+\-=;:.,]/gu, encodeURIComponent);
}

/** Read what stands after #, or say what is wrong with it. */
export function read(hash: string): Said | Refusal {
  if (hash.length > 3 * MOST_CHARACTERS) return { why: "long" };
  const parts = new Map<string, string>();
  for (const part of hash.split("&")) {
    const end = part.indexOf("=");
    const text = decoded(part.slice(end + 1));
    if (text === null) return misshapen;
    parts.set(part.slice(0, end), text);
  }
  const [expression, marked] = [parts.get("e"), listed(parts.get("p"))];
  if (expression === undefined || expression.length > MOST_CHARACTERS) return misshapen;
  if (!marked.every((name) => NAME.test(name))) return misshapen;
  const values = valuesOf(listed(parts.get("v")));
  return "why" in values ? values : { expression, values: values.found, parameters: marked, parts };
}

const misshapen: Refusal = { why: "form" };

function valuesOf(pairs: readonly string[]): { found: Record<string, number> } | Refusal {
  if (pairs.length > MOST_VALUES) return misshapen;
  const found: [string, number][] = [];
  for (const pair of pairs) {
    const [name, value, ...rest] = pair.split(":");
    if (!NAME.test(name!) || value === undefined || rest.length > 0) return misshapen;
    if (value.trim() === "" || !Number.isFinite(Number(value)))
      return { why: "value", name: name! };
    found.push([name!, Number(value)]);
  }
  return { found: Object.fromEntries(found) };
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

function listed(text = ""): string[] {
  return text.split(",").filter((each) => each !== "");
}
