/** Estonian: the lessons' tasks and questions. */

import type { LaterWords } from "../en/later.ts";

export const TASKS: LaterWords["tasks"] = {
  title: (done, of) => `Proovi: tehtud ${done} / ${of}`,
  names: {
    predict: "Ennusta avaldise `(a + b) * c` kõik kolm gradienti",
    dead: "Sureta relu: lohista, kuni `a * b` on negatiivne",
    twice: "Läbi `a * a`: mõlemad teed liituvad",
    negative: "Leia avaldis, kus muutuja kasv vähendab tulemust",
  },
  done: "tehtud",
  now: "praegu",
  start: "Alusta",
  question: (at, of) => `Küsimus ${at} / ${of}:`,
  what: (name, text) => `mis on muutuja \`${name}\` gradient avaldises \`${text}\`?`,
  check: "Kontrolli",
  show: "Näita graafi",
  next: "Järgmine küsimus",
  right: "✓ Õige.",
  wrong: "✕ Mitte päris.",
};
