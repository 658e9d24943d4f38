/**
 * Estonian: what is seen at first. Marks in sentences are those of the English file.
 *
 * A learner is called sina. Names and code have no case endings: a noun before them has the case.
 * What the translator is not sure of is marked `unsure`.
 */

import type { Words } from "../en/first.ts";
import { counted } from "../counted.ts";

const VERBS: Readonly<Record<string, string>> = {
  "+": "pluss",
  "-": "miinus",
  "*": "korda",
  "/": "jagatud",
  "**": "astmes",
};

export const FIRST: Words = {
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
