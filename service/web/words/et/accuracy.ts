/** Estonian: the true number beside one that is shown, and what a central difference is off by. */

import type { AccuracyWords } from "../en/accuracy.ts";

export const ACCURACY: AccuracyWords = {
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
