/**
 * Document -> captions: the texts of cards and arrows, shortened and safe in XML.
 */

import { canonicalText } from "../canonical.ts";
import { NODES_PER_CHECK } from "../deadline.ts";
import type { Deadline } from "../deadline.ts";
import type { GradientDocument } from "../document.ts";
import type { Edge, Node } from "../template.ts";

const LONGEST_LABEL = 24;
const CARD_DIGITS = 6;
const STEP_DIGITS = 4;
const SIGNS: Readonly<Record<string, string>> = { "*": "×", "/": "÷", "-": "−", neg: "−" };
const TAGS = { input: "", parameter: "param", constant: "const", operation: "" };

/** Numbers with a smaller exponent are written in scientific notation. */
const LEAST_PLAIN = -4;

const READY = /^[\x20-\x7e]*$/;

type Ranges = readonly (readonly [first: number, last: number])[];

/** Code points that XML forbids, or that change the direction of the text around them. */
const UNFIT: Ranges = [
  [0x00, 0x1f],
  [0x7f, 0x9f],
  [0xd800, 0xdfff],
  [0xfffe, 0xffff],
  [0x200e, 0x200f],
  [0x2028, 0x202e],
  [0x2066, 0x2069],
];

/**
 * Characters other than the Latin, Greek, Cyrillic and mathematical ones, which a monospaced font
 * draws one column wide.
 *
 * They count as two columns, although some of them are narrower.
 */
const WIDE = /[^\x20-\u052f\u2010-\u2027\u2190-\u22ff]/gu;

/** The texts of a card. */
export interface Card {
  /** A label, a number, an operation, or `label = operation`. */
  readonly name: string;
  readonly tag: string;
  readonly data: string;
  readonly grad: string;
}

/** Cards by node id, and steps by edge id. */
export interface Captions {
  readonly cards: readonly Card[];
  /** `incoming × local = contribution` of each edge. */
  readonly steps: readonly string[];
}

/** Return all captions, with shortened numbers. */
export function writeCaptions({ nodes, edges }: GradientDocument, deadline: Deadline): Captions {
  return {
    cards: Array.from(deadline.over(nodes, NODES_PER_CHECK), cardOf),
    steps: Array.from(deadline.over(edges, NODES_PER_CHECK), stepOf),
  };
}

function cardOf({ operation, name, label, data, grad, derived, kind }: Node): Card {
  const names = label === null ? [] : [visible(label, LONGEST_LABEL)];
  if (operation !== null) names.push(SIGNS[operation] ?? visible(name ?? operation, LONGEST_LABEL));
  const shown = shortened(data, CARD_DIGITS);
  return {
    name: names.join(" = ") || shown,
    tag: derived ? "derived" : TAGS[kind],
    data: shown,
    grad: grad === null ? "none" : shortened(grad, CARD_DIGITS),
  };
}

function stepOf({ incoming_grad, local_grad, contribution }: Edge): string {
  if (incoming_grad === null || local_grad === null || contribution === null) return "no gradient";
  const [incoming, local, passed] = [incoming_grad, local_grad, contribution].map((number) =>
    shortened(number, STEP_DIGITS),
  );
  return `${incoming} × ${local} = ${passed}`;
}

/**
 * Format a double with at most `most` digits, rounding halves away from zero.
 *
 * The digits of the canonical text are rounded. A text of at most `most + 2` characters is kept.
 */
export function shortened(value: number, most: number): string {
  let text = canonicalText(Math.abs(value));
  if (text.length > most + 2) text = rounded(text, most);
  return (value < 0 ? "−" : "") + text.replace("e+", "e").replace("-", "−");
}

/** Replace characters that XML forbids, and truncate to `most` columns. */
export function visible(text: string, most: number): string {
  let characters = Array.from(text).slice(0, most + 1);
  if (!READY.test(text)) characters = characters.map(visibleCharacter);
  if (width(characters.join("")) <= most) return characters.join("");
  let kept = "";
  let left = most - 1;
  for (const character of characters) {
    left -= width(character);
    if (left < 0) break;
    kept += character;
  }
  return `${kept}…`;
}

/** Count the columns of a text. */
export function width(text: string): number {
  return Array.from(text).length + (text.match(WIDE)?.length ?? 0);
}

/** Escape a text for an element or an attribute of XML. */
export function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** Compute the CRC-32 of the text in UTF-16, little-endian, as 8 hex digits. */
export function checksum(text: string): string {
  const table = Array.from({ length: 256 }, (_, byte) => {
    for (let bit = 0; bit < 8; bit++) byte = (byte >>> 1) ^ (byte & 1 ? 0xedb88320 : 0);
    return byte;
  });
  let sum = -1;
  for (let place = 0; place < text.length; place++) {
    const unit = text.charCodeAt(place);
    sum = (sum >>> 8) ^ table[(sum ^ unit) & 255]!;
    sum = (sum >>> 8) ^ table[(sum ^ (unit >>> 8)) & 255]!;
  }
  return (~sum >>> 0).toString(16).padStart(8, "0");
}

function rounded(text: string, most: number): string {
  const [mantissa, power] = text.split("e");
  const [whole, part = ""] = mantissa!.split(".");
  let digits = (whole! + part).replace(/^0+/, "");
  let exponent = Number(power ?? 0) + digits.length - part.length - 1;
  if (digits.length > most) {
    const up = digits[most]! >= "5" ? 1 : 0;
    digits = String(Number(digits.slice(0, most)) + up);
    exponent += digits.length - most;
  }
  digits = digits.replace(/0+$/, "");
  if (exponent < LEAST_PLAIN || exponent >= most) return `${pointed(digits, 1)}e${exponent}`;
  if (exponent < 0) return `0.${"0".repeat(-exponent - 1)}${digits}`;
  return pointed(digits.padEnd(exponent + 1, "0"), exponent + 1);
}

function pointed(digits: string, place: number): string {
  return digits.length > place ? `${digits.slice(0, place)}.${digits.slice(place)}` : digits;
}

function visibleCharacter(character: string): string {
  if ("\t\n\r".includes(character)) return " ";
  return within(character.codePointAt(0)!, UNFIT) ? "\ufffd" : character;
}

function within(code: number, ranges: Ranges): boolean {
  return ranges.some(([first, last]) => first <= code && code <= last);
}
