/** Estonian: the room where parameters learn. */

import type { TrainingWords } from "../en/training.ts";

export const TRAINING: TrainingWords = {
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
