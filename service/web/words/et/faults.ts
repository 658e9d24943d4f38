/** Estonian: what is wrong with a program. */

import type { FaultWords } from "../by_code.ts";
import { counted } from "../counted.ts";

export const FAULTS: FaultWords = {
  character: (found) => `Märki \`${found}\` selles keeles ei ole.`,
  signs: {
    "^": "Astme jaoks kirjuta `**`.",
    "²": "Ruudu jaoks kirjuta `** 2`.",
    "³": "Kuubi jaoks kirjuta `** 3`.",
    "√": "Ruutjuure jaoks kirjuta `sqrt(x)`.",
    "|": "Kirjuta `|x|` asemel `abs(x)`.",
    "×·⋅": "Korrutamiseks kirjuta `*`.",
    "÷": "Jagamiseks kirjuta `/`.",
    "−–": "Miinus on sidekriips: `-`.",
    π: "Kirjuta 3.141592653589793 või nimi `pi` koos väärtusega.",
    ".": "Funktsioonil on üks nimi, näiteks `exp(x)`.",
    "%": "Jäägiga jagamist ei ole.",
    "<>": "Võrdlusi ei ole; `relu(x)` on x, kui x > 0, muidu 0.",
    "#": "Kommentaare ei ole.",
    "[]{}": "Rühmitamiseks on `(` ja `)`.",
  },
  otherSign: () => "Kirjuta tähti a–z, numbreid, _ ja märke + - * / ** ( ) = , ;",
  equals: "`=` on ainult nime järel alguses, näiteks `y = x + 1`; võrdlusi ei ole.",
  comma: "Koma ainult eraldab funktsiooni argumente.",
  closing: "See `)` on üleliigne: ükski sulg ei ole avatud.",
  unnamedLine: "Nimeta võib olla ainult viimane rida; teised kirjuta kujul `y = …`.",
  beforeEnd: "Siin on puudu arv, nimi või sulg.",
  before: (found) => `Märgi \`${found}\` ees on puudu arv, nimi või \`(\`.`,
  call: (written) => `Funktsiooni kutsumiseks kirjuta \`${written}\`.`,
  product: (left, right) =>
    `Siin ei saa olla \`${right}\`. Et korrutada \`${left}\` ja \`${right}\`, pane nende vahele \`*\`.`,
  endsOpen: "Avaldis katkeb. Lisa, mis puudub, või sulge sulg: `)`.",
  ends: "Avaldis katkeb. Siin on puudu arv, nimi või `(`.",
  noFunction: (name) => `\`${name}\` ei ole funktsioon.`,
  meant: (name) => `Kas mõtlesid ${name}?`,
  instead: (wanted, write) => `Kirjuta ${wanted} asemel ${write}.`,
  multiply: "Korrutamiseks pane sulu ette `*`.",
  arity: (name, expected, actual) =>
    `Funktsioon \`${name}\` vajab ${counted("et", expected, "väärtust", "väärtust")}, mitte ${actual}.`,
  exponent:
    "Astendaja saab olla ainult arv: astet diferentseeritakse aluse järgi. " +
    "Kui x > 0, kirjuta `x ** y` asemel `exp(y * log(x))`.",
  duplicate: (name) => `Nimi \`${name}\` on juba kasutusel. Vali tulemusele teine.`,
  unused: (name) => `Tulemus ei sõltu nimest \`${name}\`. Kasuta seda või jäta ära.`,
  missing: (name) => `Nimel \`${name}\` ei ole väärtust.`,
  domains: {
    "/": "Jagamine arvuga 0.",
    sqrt: "Ruutjuur on ainult arvudel alates arvust 0.",
    log: "Logaritm on ainult arvudel üle 0.",
    "**": "Negatiivsel alusel ei ole murrulist astet.",
  },
  zeroPower: "Arvul 0 ei ole negatiivset astet.",
  outside: (operation) => `Nende arvude jaoks ei ole \`${operation}\` määratud.`,
  literal: "See arv on suurem kui suurim double, 1.7976931348623157e308.",
  steep: (operation) => `Kohal 0 on tõus lõpmatu: \`${operation}\`. Võta väärtus üle 0.`,
  largeGradient: "Gradient on double jaoks liiga suur.",
  largeNumber: "Arv on double jaoks liiga suur.",
  largeResult: (operation) => `Tehte \`${operation}\` tulemus on double jaoks liiga suur.`,
  closer: "Võta väärtused, mis on lähemal arvule 0.",
  characters: (limit) => `Avaldis on liiga pikk: joonistatakse kuni ${limit} märki.`,
  nodes: (limit) => `Graafis on üle ${limit} sõlme. Kirjuta lühem programm.`,
  work: (limit, actual) => `Liiga palju tööd: ${actual}, piir on ${limit}.`,
  other: (code) => `Seda ei saa arvutada: \`${code}\`.`,
};
