/** Spanish: the lessons' tasks and questions. */

import type { LaterWords } from "../en/later.ts";

export const TASKS: LaterWords["tasks"] = {
  title: (done, of) => `Prueba esto: ${done} de ${of} hechas`,
  names: {
    predict: "Predice los tres gradientes de `(a + b) * c`",
    dead: "Apaga una relu: arrastra hasta que `a * b` sea negativo",
    twice: "Recorre `a * a`: los dos caminos se suman",
    negative: "Busca una expresión en la que subir una variable baje el resultado",
  },
  done: "hecha",
  now: "ahora",
  start: "Empezar",
  question: (at, of) => `Pregunta ${at} de ${of}:`,
  what: (name, text) => `¿cuál es el gradiente de \`${name}\` en \`${text}\`?`,
  check: "Comprobar",
  show: "Ver su grafo",
  next: "Siguiente pregunta",
  right: "✓ Correcto.",
  wrong: "✕ No del todo.",
};
