/**
 * Estonian: what is seen at first. Marks in sentences are those of the English file.
 *
 * A learner is called sina. Names and code have no case endings: a noun before them has the case.
 * What the translator is not sure of is marked `unsure`.
 */

import type { AccuracyWords } from "../en/accuracy.ts";
import type { CodeWords } from "../en/code.ts";
import type { Words } from "../en/first.ts";
import type { TrainingWords } from "../en/training.ts";
import { counted } from "../translated.ts";

export { deferred } from "./deferred.ts";
export { lesson } from "./lesson.ts";

const VERBS: Readonly<Record<string, string>> = {
  "+": "pluss",
  "-": "miinus",
  "*": "korda",
  "/": "jagatud",
  "**": "astmes",
};

export const first: Words = {
  language: "et",
  languages: "Keel",
  title: "Gradientide liivakast",
  tagline: "Kirjuta valem, läbi see tagurpidi ja vaata, kui palju iga sisend loeb.",
  skip: "Liivakasti juurde",
  site: "Sait",
  sandbox: "Liivakast",
  lesson: "Õppetund",
  reference: "Teatmik",
  problems: "Veakoodid",
  expression: "Avaldis",
  share: "Jaga",
  examples: "Näited",
  stage: {
    name: "Graaf",
    graphOf: (text, result) => `Avaldise ${text} graaf, tulemus ${result}`,
    way: "Läbimise suund",
    forward: "Edasi: data",
    sort: "Järjestus",
    backward: "Tagasi: grad",
    local: "Lokaalsed tuletised",
    final: "Lõplikud gradiendid",
    accuracy: "Täpsus",
    reset: "Lähtesta vaade",
    options: "Valikud",
    input: "sisend",
    parameter: "param.",
    constant: "konst.",
    result: "tulemus",
    derived: "liittehe", // unsure: an operation that others could be put together to
    partial: (arrived, expected) => `${arrived} / ${expected}`,
    edge: (formula, from, to) => `${formula}, sõlmest ${from} sõlme ${to}`,
    from: (name) => `sõlmest ${name}`,
    to: (name) => `sõlme ${name}`,
    group: (count) => `rühm, ${counted("et", count, "tehe", "tehet")}, suletud`,
    openGroup: "rühm, avatud",
    open: (name) => `Ava ${name}`,
    close: (name) => `Sulge ${name}`,
  },
  play: {
    backward: "Tagasilevi",
    forward: "Edasilevi", // unsure: also “otselevi”
    sort: "Järjesta",
    again: "Uuesti",
    pause: "Paus",
    back: "Tagasi",
    step: "Samm",
    timeline: {
      forward: "Ajatelg: üks jaotis, üks tehe",
      sort: "Ajatelg: üks jaotis, üks järjestamise samm",
      backward: "Ajatelg: üks jaotis, üks serv",
    },
    begin: { forward: "sisendid", sort: "algus", backward: "algus" },
    count: (at, of) => `${at} / ${of}`,
    speed: "Kiirus",
  },
  tabs: {
    values: "Väärtused",
    code: "Kood",
    predict: "Ennusta",
    break: "Vead",
    train: "Treeni",
  },
  workbench: "Töölaud",
  tablist: "Mida selle graafiga teha",
  seed: "Milline sisend mõjutab tulemust ja kui palju? Käivita tagasilevi.",
  seedForward: "Sisendid on teada. Käivita edasilevi ja vaata, kuidas tulemus arvutatakse.",
  is: (part, value) => `\`${part}\` on [d:${value}]`,
  makes: (operation, left, right, result) =>
    `${left}${VERBS[operation]} \`${right}\` on [d:${result}].`,
  resultOne: "Tulemuse gradient tulemuse enda järgi on 1.",
};

export const accuracy: AccuracyWords = {
  bits: (number, name, bits) => `${name}, ${number}: õigeid bitte ${bits} / 53`,
  noTruth: (number, name) => `${name}, ${number}: tõelist väärtust ei ole`,
  right: (number, name, bits) => `\`${name}\`, ${number}: õigeid bitte ${bits} / 53.`,
  exactly: (told) => `See on ${told}, täpselt tõeline väärtus.`,
  nearest: (told) => `See on ${told}, tõelisele väärtusele lähim double.`,
  truly: (told, truth) => `See on ${told}, tegelikult ${truth}.`,
  reasons: {
    domain: "Tõeline operand on seal väljaspool määramispiirkonda.",
    depends: "See sõltub arvust, mida ei ole.",
    too_large: "See on suurem kui iga double.",
    out_of_range: "See on liiga suur, liiga väike või liiga lähedal arvule 0.",
  },
  given: (text, double) => `Tõde käib antud double kohta: \`${text}\` on ${double}.`,
  invite:
    "Riba arvu all näitab, kui palju selle 53 bitist on õiged. Vali riba, et näha, kelle ümardamine ülejäänu võttis.",
  tooMuch: "Selle programmi tõeliste väärtuste leidmine on lehe jaoks liiga palju tööd.",
  rounded: {
    local_grad: (from, to) => `tuletis sõlmest \`${from}\` sõlme \`${to}\``,
    contribution: (from, to) => `panus sõlmest \`${from}\` sõlme \`${to}\``,
    running_grad: (_, to) => `gradientide summa sõlmes \`${to}\``,
  },
  culprit: (what, rounding, weight, share, error) =>
    `Ümardamisel nihkus ${what} ${rounding} võrra; kaaluga ${weight} on see ${share}` +
    (share === error ? ", kogu viga." : ` veast ${error}.`),
  absorbed: (part, sum, told) =>
    `\`${sum}\` ümardub arvuks ${told} ja liidetavast \`${part}\` ei jää midagi järele.`,
  saturated: (out, told, formula) =>
    `\`${out}\` ümardub arvuks ${told} ja avaldisest \`${formula}\` ei jää midagi järele.`,
  flat: (out, told, formula) =>
    `\`${out}\` on peaaegu ${told}: avaldisest \`${formula}\` jääb vähe järele, aga ümardusviga jääb.`,
  cancels: (where, size, left) =>
    `Kohas \`${where}\` taanduvad arvud kuni ${size} arvuni ${left}, nende ümardusvead jäävad.`,
  cancelsAt: (where, size, left) =>
    `Sõlmes \`${where}\` taanduvad panused kuni ${size} arvuni ${left}, nende ümardusvead jäävad.`,
  quotients: {
    title: (name) => `Avaldise (f(${name} + h) − f(${name} − h)) / 2h viga h järgi`,
    rounding: "ümardamine",
    truncation: "katkestamine", // unsure: of the truncation error, “lõikeviga”
    best: (error, step) => `vähim: ${error}, kui h = ${step}`,
    backward: (error) => `tagasilevi: ${error}`,
    none: "Siin ei ole keskdiferentsi, mida tõega võrrelda.",
  },
};

export const code: CodeWords = {
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

export const training: TrainingWords = {
  lessons: "Mida treenida",
  names: { line: "Sirge", neuron: "Neuron", xor: "XOR, 2-4-1 tanh" },
  which: "Millised muutujad võivad õppida?",
  mark: "Treenimise samm nihutab parameetreid gradiendi vastassuunas, nii et tulemus väheneb. Märgi vähemalt üks:",
  stopped: "Seda ei saa treenida",
  stepFact: "samm",
  loss: "Kadu", // unsure: of a loss function, “kaofunktsioon”
  size: "grad norm",
  drag: "lohista all, et minna tagasi mis tahes sammu juurde",
  timeline: "Ajatelg: üks jaotis, üks treenimise samm",
  step: (at, of) => `samm ${at} / ${of}`,
  curve: (first, at, now) => `Kadu sammude kaupa: sammul 0 on ${first}, sammul ${at} on ${now}`,
  train: "Treeni",
  pause: "Peata",
  again: "Uuesti",
  toStart: "Algusesse",
  rate: "Sammu pikkus",
  rateNumber: "Sammu pikkus arvuna",
  endedAt: (step) => `Samm ${step} ebaõnnestus:`,
  rows: "Kadu on nelja rea keskmine; graaf näitab üht neist.",
  look: "Vaata rida",
  see: (row) => `Näita ${row}`,
  bold: "Kas samm on liiga pikk?",
  boldly:
    "Sammuga 0.01 jääb iga kord alles 0.64 kaost. Sammuga 0.1 hüppab sirge ühelt poolt teisele ja kadu jääb 4 peale.",
  setAndSee: (rate) => `Proovi ${rate}`,
  trainXor: "Treeni XOR",
  map: {
    result: "tulemus",
    caption: (output, first, second) =>
      `\`${output}\` muutujate \`${first}\` ja \`${second}\` järgi, selle sammu kaaludega; joonel on see 0.`,
    right: (right, all) => `Õige märk: ${right} / ${all}.`,
    told: (output, first, second, share) =>
      `Kaart: ${output} muutujate ${first} ja ${second} järgi, üle 0 on ${share} %`,
  },
};
