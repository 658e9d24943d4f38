/** Estonian: the room where the backward pass goes wrong. */

import type { LaterWords } from "../en/later.ts";
import { counted } from "../counted.ts";
import { PITFALLS } from "./published.ts";
import { RULES } from "./rules.ts";

const { sends } = RULES;

export const BROKEN: LaterWords["broken"] = {
  mistakes: "Vead",
  chips: {
    "wrong-order": "Vale järjekord",
    "assigning-instead-of-adding": "= märgi += asemel",
    "second-backward": "Kaks korda",
    "mutation-before-backward": "Muudetud andmed",
    "dead-relu": "Surnud relu",
    "variable-exponent": "Muutuv astendaja",
  },
  known: PITFALLS,
  title: "Pane külastused järjekorda, esimesest viimaseni",
  how: "Siin sõlmed saadavad: iga külastus annab operandidele edasi selle, mis on seni saabunud. Lohista külastust või kasuta nuppe.",
  visit: (place, name) => `Külastus ${place}: ${name}`,
  earlier: "Varem",
  later: "Hiljem",
  earlierOf: (name) => `Külasta ${name} varem`,
  laterOf: (name) => `Külasta ${name} hiljem`,
  sent: (amounts) => `saatis ${amounts.map(([amount, to]) => `${amount} → ${to}`).join(", ")}`,
  sendsNothing: "ei saada midagi",
  tooEarly: "Liiga vara",
  run: "Proovi minu järjekorda",
  showRight: "Näita õiget järjekorda",
  take: (text) => `Võta ${text}`,
  tooMany: (count, most) =>
    `Selles graafis tuleb külastada ${counted("et", count, "sõlm", "sõlme")}; käsitsi saab järjestada kuni ${most}.`,
  losses: (losses) =>
    `✕ Kaotsis: ${losses.map(([amount, from]) => `${amount} sõlmest ${from}`).join(", ")}`,
  wrongEnd: "✕ Gradiendid on valed",
  nothingLost: "✓ Midagi ei läinud kaotsi",
  ends: (name, has, right) => `Sõlmes \`${name}\` on lõpuks [g:${has}], mitte [g:${right}].`,
  gets: (name, right) => `\`${name}\` saab [g:${right}].`,
  visitedBefore: (operand, operation, amount) =>
    `Sõlme \`${operand}\` külastati, enne kui \`${operation}\` oli talle saatnud [g:${amount}].`,
  reverse: "Kas pööratud topoloogiline järjestus?",
  yes: "Jah",
  no: "Ei:",
  standsBefore: (operand, operation) => `\`${operand}\` on enne kui \`${operation}\`.`,
  harmless: "Sisendi külastus ei saada midagi, nii et see võib tulla mis tahes ajal.",
  should: (name, right) => `Mida ${name} peaks saama: ${right}`,
  arrivedBy: (amount, by) => `${amount} sõlmest ${by}, saabunud`,
  missingBy: (amount, by) => `${amount} sõlmest ${by}, kaotsis`,
  wrong: "Vale",
  right: "Õige",
  onStage: "Graafil näidatakse",
  variable: "Muutuja",
  step: "Samm",
  cure: "Abinõu",
  refused: "See mootor ei võta seda vastu:",
  example: (text) => `Võta näide ${text}`,
  changes: (name, value) =>
    `Edasilevi ja tagasilevi vahel saab \`${name}\` väärtuseks [d:${value}].`,
  playOrder: "Minu järjekord",
  playWrong: "Läbi valesti",
  playRight: "Läbi õigesti",
  lost: (amount) => `${amount} kaotsis`,
  rightIs: (amount) => `mitte ${amount}`,
  overwritten: "üle kirjutatud",
  cameLate: "jäi hiljaks",
  again: "veel kord",
  short: (amount) => `${amount} puudu`,
  over: (amount) => `${amount} liiga palju`,
  late: "hilja",
  tellReplaced: (sent, before) => `${sends(sent)} ja kirjutab üle väärtuse [g:${before}].`,
  tellLate: (sent) => `${sends(sent)}, kuid liiga hilja: \`${sent.to}\` oli juba külastatud.`,
  tellLost: (sent, right) => `${sends(sent)}, mitte [g:${right}]: kõik ei olnud veel saabunud.`,
  tellSum: (sent, sum) => `${sends(sent)}. Nüüd on seal [g:${sum}].`,
};
