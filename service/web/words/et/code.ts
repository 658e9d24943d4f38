/** Estonian: the code of the backward pass, and the sort that it begins with. */

import type { CodeWords } from "../en/code.ts";
import { counted } from "../counted.ts";

export const CODE: CodeWords = {
  line: (at, of) => `rida ${at} / ${of}`,
  lines: (count) => counted("et", count, "rida", "rida"),
  language: "Programmeerimiskeel",
  idle: "Käivita tagasilevi või järjestamine: iga samm valgustab rea, mis ta teeb.",
  forward: "Edasilevi on programm ise; siin on tagasilevi kood.",
  why: (name, old) =>
    `Miks \`+=\`: saabuv liidetakse sellele, mis on juba olemas. Sõlmes \`${name}\` oli [g:${old}], mis läheks märgiga \`=\` kaotsi.`,
  whyEmpty: (name) =>
    `Miks \`+=\`: saabuv liidetakse sellele, mis on juba olemas. Sõlmes \`${name}\` oli [g:0]; kaks korda kasutatud väärtuses oleks juba midagi.`,
  goesDown: "v liigub seda loendit pidi alla",
  done: "tehtud",
  now: "praegu",
  waiting: "ootel",
  more: (count) => `… veel ${count}`,
  operands: "Kumb operand kutsutakse enne",
  leftFirst: "vasak enne",
  rightFirst: "parem enne",
  stack: "Kutsepinu", // unsure: also “väljakutsete magasin”
  stackEmpty: "tühi: kõik kutsed on lõppenud",
  notBegun: "veel pole midagi kutsutud",
  child: (at, of) => `operand ${at} / ${of}`,
  noChild: "operande ei ole",
  begins: "algab",
  returns: "juba külastatud: naaseb kohe",
  visited: "hulk: keda on kutsutud",
  topo: "loend: kes on valmis",
  reversed: "tagasilevi järjekord",
  empty: "tühi",
  start:
    "Millises järjekorras tuleb iga väärtus pärast kõike, mida ta vajab? Järjestamine kutsub enne kõik operandid: kõigepealt vasaku või parema.",
  root: (name) =>
    `Järjestamine algab tulemusest: \`build(${name})\` paneb \`${name}\` hulka \`visited\`.`,
  enter: (from, to) =>
    `\`${from}\` küsib oma operandi \`${to}\`, mis on uus: \`build(${to})\` algab ja \`${from}\` ootab.`,
  skip: (from, to) =>
    `\`${from}\` küsib operandi \`${to}\`, mis on juba hulgas \`visited\`: see jääb vahele. Nii on \`${to}\` loendis \`topo\` ainult üks kord, enne kõiki, kes teda kasutavad.`,
  leaf: (name, place) =>
    `\`${name}\` on operandideta: see läheb kohe loendisse \`topo\`, numbriga ${place}.`,
  append: (name, place) =>
    `Kõik sõlme \`${name}\` operandid on loendis \`topo\`, nende järel tuleb \`${name}\`, numbriga ${place}.`,
  reverse: (first) =>
    `Tagurpidi on \`topo\` tagasilevi järjekord: kõigepealt \`${first}\`, ja iga väärtus pärast kõiki, kes teda kasutavad.`,
};
