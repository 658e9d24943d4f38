/** Estonian: what is seen after the first sight, when something is opened or tried. */

import type { LaterWords } from "../en/later.ts";
import { byCode } from "../by_code.ts";
import { counted } from "../counted.ts";
import { BROKEN } from "./broken.ts";
import { FAULTS } from "./faults.ts";
import { EXAMPLES } from "./published.ts";
import { RULES } from "./rules.ts";
import { TASKS } from "./tasks.ts";

export const LATER: LaterWords = {
  rules: RULES,
  examples: EXAMPLES,
  allExamples: (count) => `Kõik ${count}`,
  fewerExamples: "Vähem",
  broken: BROKEN,
  tasks: TASKS,
  values: {
    value: (name) => `Muutuja ${name} väärtus`,
    from: (name) => `Muutuja ${name} miinimum`,
    to: (name) => `Muutuja ${name} maksimum`,
    slope: (name) => `Tulemuse tõus muutuja ${name} järgi`,
    gradient: "gradient",
    notReached: "pole veel saabunud",
    onItsWay: "teel",
    partOf: (arrived, expected) => `seni saabunud ${arrived} / ${expected}`,
    up: "üles 0.01 võrra: tulemus",
    none: "Selles avaldises ei ole muutujaid, nii et midagi ei saa muuta. Kasuta mõnda, näiteks `2 * x`.",
  },
  invite: {
    title: "Proovi",
    before: "Enne kui tagasilevi käivitad: millised on gradiendid?",
    button: "Ennusta gradiente",
  },
  edits: { undo: "Võta tagasi", redo: "Tee uuesti" },
  below: {
    name: "Veel",
    table: "Kõik arvud tabelina",
    takeIt: "Võta kaasa",
    keyboard: "Klaviatuur",
  },
  predict: {
    title: "Milline on iga gradient?",
    question: "Kui kiiresti muutub tulemus iga muutujaga?",
    gradOf: "gradient:",
    right: "✓ õige",
    wrong: (guess) => `✕ mitte ${guess}`,
    notANumber: "✕ ei ole arv",
    check: "Kontrolli vastuseid",
    show: (name) => `Näita ${name}`,
    shownWord: "näidatud",
    all: "Kõik on õige: tegid tagasilevi käsitsi.",
    some: (right, of, open) => `Õigeid ${right} / ${of}. Leidmata on \`${open}\`.`,
  },
  curve: {
    parameter: "Parameeter",
    central: "Keskdiferents", // unsure: also “tsentraalne diferents”
    curve: (result, name, from, to) => `${result}, kui ${name} läheb ${from} kuni ${to}`,
    tangent: (slope) => `puutuja, tõus ${slope}`,
    nudge: (name) => `Suurenda ${name}`,
    by: "Kui palju suurendada",
    foretold: "ennustatud",
    happened: "tegelik",
    nudged: (name, by, foretold, happened, same) =>
      `Suurenda muutujat \`${name}\` ${by} võrra: ennustatud [g:${foretold}], tegelik [d:${happened}]. ` +
      (same ? "Siin on kõver sirge." : "Vahe on kõverus."),
    noValue: (name, by) => `Kui suurendada muutujat \`${name}\` ${by} võrra, ei ole tulemust.`,
  },
  parity: {
    asking: "… Küsin teenuselt",
    agree: "✓ Brauser ja teenus ühtivad bitini",
    agreeShort: "✓ Ühtivad",
    away: "○ Teenus ei vasta: arvutatud ainult brauseris",
    awayShort: "○ Teenuseta",
    alone: "○ Arvutatud brauseris, ilma teenuseta",
    refused: "○ Teenus ei võta seda programmi vastu: arvutatud ainult brauseris",
    differ: (where, here, there) =>
      `✕ Mootorid erinevad esimest korda kohas ${where}: siin ${here}, seal ${there}`,
  },
  circles: "ringid: sinu külastusjärjekord",
  hidden: "ennustamise ajal on gradiendid peidus",
  fault: {
    stale: "Viimane kehtiv graaf:",
    follows: "Graaf järgneb, kui tulemus on jälle olemas. Midagi ei ole kaotsi läinud.",
    column: (column) => `Veerg ${column}:`,
    write: (text) => `Kirjuta ${text}`,
    backTo: (text) => `Tagasi: ${text}`,
    backToValues: "Tagasi viimaste väärtuste juurde",
    empty: "Kirjuta avaldis või võta näide.",
    ofParts: "Lokaalsed tuletised on tehte osade omad ja üks osa on liiga suur.",
    fold: "Peida lokaalsed tuletised",
    told: byCode(FAULTS),
  },
  ending: {
    nudge: ({ name, by, before, after, came, gradient, foretold }) =>
      `Kõige rohkem loeb \`${name}\`: suurenda seda ${by} võrra ja tulemus [d:${before}] on siis [d:${after}], muutus on [d:${came}]; ` +
      (foretold === came
        ? `gradient [g:${gradient}] ütleb sama.`
        : `gradient [g:${gradient}] ütleb [g:${foretold}], ülejäänu on kõverus.`),
    down: (name) => `Ainult \`${name}\` tõmbab tulemust alla.`,
    zero: (name, by) =>
      `Sõlme \`${name}\` ei jõua midagi${by === null ? "" : `: \`${by}\` ei lase midagi läbi`}.`,
  },
  zoom: {
    name: "Suurendus",
    in: "Suurenda",
    out: "Vähenda",
    full: "Täisekraan",
    all: "Ülevaade",
    follow: "Jälgi",
    to: (name) => `Mine: ${name}`,
    map: "Kogu graaf ja selle nähtav osa",
    dots: (cards) => `${counted("et", cards, "väärtus", "väärtust")}, igaüks punktina. Vaata`,
  },
  tables: {
    caption: (text, at, of) => `${text}: serv ${at} / ${of}`,
    arrow: "Serv",
    incoming: "Sissetulev",
    local: "Lokaalne tuletis",
    contribution: "Panus",
    state: "Olek",
    node: "Sõlm",
    kind: "Liik",
    arrived: "saabunud",
    now: "praegu",
    waiting: "ootel",
    constant: "konstant, gradienti ei ole",
    rows: (first, last, of) => `Read ${first} kuni ${last}, kokku ${of}`,
    earlier: "Eelmised read",
    later: "Järgmised read",
  },
  address: {
    bad: (why) => `Aadressi ei saanud lugeda: ${why}. Selle asemel on siin näide.`,
    long: "see on liiga pikk",
    value: (name) => `muutuja ${name} väärtus ei ole arv`,
    form: "see ei ole kujul e=…&v=nimi:arv,…",
    language: (code) => `Keelt \`${code}\` siin ei ole: leht on inglise keeles.`,
    noWords: (name) =>
      `Lehte keeles \`${name}\` ei saanud laadida: ühendust ei ole. Proovi leht uuesti laadida.`,
  },
  take: {
    link: "Kopeeri link",
    curl: "Kopeeri curl",
    python: "Kopeeri Python",
    typescript: "Kopeeri TypeScript",
    command: "Kopeeri käsk",
    svg: "Salvesta SVG",
    png: "Salvesta PNG",
    mermaid: "Kopeeri Mermaid",
    dot: "Kopeeri DOT",
    embed: "Kopeeri manustuskood",
    tooLarge: "Graaf on PNG jaoks liiga suur; salvesta see SVG-na.",
    things: {
      link: "link",
      curl: "curl-käsk",
      python: "Pythoni kood",
      typescript: "TypeScripti kood",
      command: "käsk",
      mermaid: "Mermaidi tekst",
      dot: "DOT-tekst",
      embed: "manustuskood",
    },
    copied: (what) => `Kopeeritud: ${what}.`,
    ofFile: (service) =>
      `See leht on fail, mida teistel ei ole: kopeeritu viib aadressile ${service}, sinu arvutis olevasse teenusesse.`,
    denied: "Brauser ei luba kopeerida; vali tekst ja kopeeri see ise.",
    text: "Kopeeritav tekst",
    scene: "Mida saajale graafi kohal öeldakse:",
    caption: "Selgitus",
    task: "Ülesanne",
    answer: "Vastus: arv või muutuja, mille gradient see on",
    guesses: "minu vastustega",
  },
  keyNames: { Space: "Tühik", Home: "Home", End: "End", Enter: "Enter", Shift: "Shift" },
  keys: [
    "Käivita või peata",
    "Üks serv tagasi või edasi",
    "Esimene või viimane serv",
    "Üks serv tagasi või edasi, ka kaardil",
    "Kaardil: mööda selle servi, sisenditeni, tulemuseni",
    "Kogu graaf või jälle koos läbimisega",
    "Edasilevi, järjestamine või tagasilevi",
    "Muuda avaldist",
    "Väärtused, Kood, Ennusta, Vead, Treeni",
    "Järgmine serv läbimise järjekorras",
    "Loe serva lokaalset tuletist",
    "Pööra graafi",
    "Lähtesta vaade",
    "Suurendus",
    "Võta tagasi",
    "Tee uuesti",
    "See loend",
  ],
  whatever: (name) => `, mis tahes \`${name}\` korral`,
  noGradient: (name) => `\`${name}\` on astendaja: konstant, kuhu gradient ei jõua.`,
  noDouble: (name) =>
    `Tõus \`${name}\` järgi on liiga suur ja selle all ei ole muutujaid: gradient sinna ei jõua.`,
};
