/** Spanish: the room where parameters learn. */

import type { TrainingWords } from "../en/training.ts";

export const TRAINING: TrainingWords = {
  lessons: "Qué entrenar",
  names: { line: "Una recta", neuron: "La neurona", xor: "XOR, 2-4-1 tanh" },
  which: "¿Qué variables pueden aprender?",
  mark: "Un paso de entrenamiento mueve los parámetros en contra de su gradiente, y así el resultado baja. Marca al menos uno:",
  stopped: "Esto no se puede entrenar",
  stepFact: "paso",
  loss: "Pérdida",
  size: "norma de grad",
  drag: "arrastra abajo para volver a cualquier paso",
  timeline: "Línea de tiempo: una marca, un paso de entrenamiento",
  step: (at, of) => `paso ${at} de ${of}`,
  curve: (first, at, now) => `Pérdida por paso: ${first} en el paso 0, ${now} en el paso ${at}`,
  train: "Entrenar",
  pause: "Pausar",
  again: "Repetir",
  toStart: "Al inicio",
  rate: "Tasa de aprendizaje",
  rateNumber: "Tasa de aprendizaje, como número",
  endedAt: (step) => `El paso ${step} falló:`,
  rows: "La pérdida es la media de cuatro filas; el grafo muestra una de ellas.",
  look: "Ver la fila",
  see: (row) => `Mostrar ${row}`,
  bold: "¿Un paso demasiado grande?",
  boldly:
    "Con 0.01, cada paso deja 0.64 de la pérdida. Con 0.1 salta de un lado a otro y se queda en 4.",
  setAndSee: (rate) => `Probar ${rate}`,
  trainXor: "Entrenar con XOR",
  map: {
    result: "el resultado",
    caption: (output, first, second) =>
      `\`${output}\` según \`${first}\` y \`${second}\`, con los pesos de este paso; en la línea es 0.`,
    right: (right, all) => `Signo correcto: ${right} de ${all}.`,
    told: (output, first, second, share) =>
      `Mapa de ${output} según ${first} y ${second}: mayor que 0 en el ${share} %`,
  },
};
