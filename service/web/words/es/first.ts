/**
 * Spanish: what is seen at first. Marks in sentences are those of the English file.
 *
 * A learner is called tú. What the translator is not sure of is marked `unsure`.
 */

import type { Words } from "../en/first.ts";
import { counted } from "../counted.ts";

const VERBS: Readonly<Record<string, string>> = {
  "+": "más",
  "-": "menos",
  "*": "por",
  "/": "entre",
  "**": "elevado a",
};

export const FIRST: Words = {
  language: "es",
  languages: "Idioma",
  title: "Taller de gradientes", // unsure: also “banco de pruebas”; a sandbox of Wikipedia is a “taller”
  tagline: "Escribe una fórmula, recórrela hacia atrás y mira cuánto pesa cada entrada.",
  skip: "Ir al taller",
  site: "Sitio",
  sandbox: "Taller",
  lesson: "Lección",
  reference: "Referencia",
  problems: "Errores",
  expression: "Expresión",
  share: "Compartir",
  examples: "Ejemplos",
  stage: {
    name: "Grafo",
    graphOf: (text, result) => `Grafo de ${text}, cuyo resultado es ${result}`,
    way: "Sentido del pase",
    forward: "Adelante: data",
    sort: "Orden",
    backward: "Atrás: grad",
    local: "Derivadas locales",
    final: "Gradientes finales",
    accuracy: "Exactitud",
    reset: "Centrar vista",
    options: "Opciones",
    input: "entrada",
    parameter: "parám.",
    constant: "const.",
    result: "resultado",
    derived: "compuesta",
    partial: (arrived, expected) => `${arrived} de ${expected}`,
    edge: (formula, from, to) => `${formula}, de ${from} a ${to}`,
    from: (name) => `de ${name}`,
    to: (name) => `a ${name}`,
    group: (count) => `grupo de ${counted("es", count, "operación", "operaciones")}, cerrado`,
    openGroup: "grupo abierto",
    open: (name) => `Abrir ${name}`,
    close: (name) => `Cerrar ${name}`,
  },
  play: {
    backward: "Recorrer atrás",
    forward: "Recorrer adelante",
    sort: "Ordenar",
    again: "Repetir",
    pause: "Pausa",
    back: "Atrás",
    step: "Paso",
    timeline: {
      forward: "Línea de tiempo: una marca, una operación",
      sort: "Línea de tiempo: una marca, un paso del ordenamiento",
      backward: "Línea de tiempo: una marca, una arista",
    },
    begin: { forward: "entradas", sort: "inicio", backward: "inicio" },
    count: (at, of) => `${at} de ${of}`,
    speed: "Velocidad",
  },
  tabs: {
    values: "Valores",
    code: "Código",
    predict: "Predecir",
    break: "Fallos",
    train: "Entrenar",
  },
  workbench: "Mesa de trabajo",
  tablist: "Qué hacer con este grafo",
  seed: "¿Qué entrada influye en el resultado, y cuánto? Recorre el grafo hacia atrás.",
  seedForward:
    "Las entradas se conocen. Recorre hacia adelante y mira cómo se calcula el resultado.",
  is: (part, value) => `\`${part}\` es [d:${value}]`,
  makes: (operation, left, right, result) =>
    `${left}${VERBS[operation]} \`${right}\` es [d:${result}].`,
  resultOne: "El gradiente del resultado respecto de sí mismo es 1.",
};
