/**
 * Spanish: what is seen at first. Marks in sentences are those of the English file.
 *
 * A learner is called tú. What the translator is not sure of is marked `unsure`.
 */

import type { AccuracyWords } from "../en/accuracy.ts";
import type { CodeWords } from "../en/code.ts";
import type { Words } from "../en/first.ts";
import type { TrainingWords } from "../en/training.ts";
import { counted } from "../translated.ts";

export { deferred } from "./deferred.ts";
export { lesson } from "./lesson.ts";

const VERBS: Readonly<Record<string, string>> = {
  "+": "más",
  "-": "menos",
  "*": "por",
  "/": "entre",
  "**": "elevado a",
};

export const first: Words = {
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

export const accuracy: AccuracyWords = {
  bits: (number, name, bits) => `${number} de ${name}: ${bits} de 53 bits correctos`,
  noTruth: (number, name) => `${number} de ${name} no tiene valor verdadero`,
  right: (number, name, bits) => `${number} de \`${name}\` tiene ${bits} de 53 bits correctos:`,
  exactly: (told) => `es ${told}, exactamente el valor verdadero.`,
  nearest: (told) => `es ${told}, el double más cercano al valor verdadero.`,
  truly: (told, truth) => `es ${told}, y en verdad ${truth}.`,
  reasons: {
    domain: "Ahí, su operando verdadero está fuera del dominio.",
    depends: "Depende de un número que no existe.",
    too_large: "Es mayor que todos los double.",
    out_of_range: "Es demasiado grande, demasiado pequeño o demasiado cercano a 0.",
  },
  given: (text, double) => `La verdad es la de los double dados: \`${text}\` es ${double}.`,
  invite:
    "La barra bajo un número es la parte de sus 53 bits que es correcta. Elige una barra para ver qué redondeo se llevó el resto.",
  tooMuch: "Hallar los valores verdaderos de este programa es demasiado trabajo para la página.",
  rounded: {
    local_grad: (from, to) => `la derivada de \`${from}\` a \`${to}\``,
    contribution: (from, to) => `lo que \`${from}\` envía a \`${to}\``,
    running_grad: (_, to) => `la suma de gradientes en \`${to}\``,
  },
  culprit: (what, rounding, weight, share, error) =>
    `Redondear ${what} lo desvió ${rounding}; por su peso ${weight} da ${share}` +
    (share === error ? ", todo el error." : ` del error ${error}.`),
  absorbed: (part, sum, told) =>
    `\`${sum}\` se redondea a ${told}, así que de \`${part}\` no queda nada.`,
  saturated: (out, told, formula) =>
    `\`${out}\` se redondea a ${told}, así que de \`${formula}\` no queda nada.`,
  flat: (out, told, formula) =>
    `\`${out}\` es casi ${told}: de \`${formula}\` queda poco, y el redondeo se queda.`,
  cancels: (where, size, left) =>
    `En \`${where}\`, números de hasta ${size} se cancelan hasta ${left}, y sus redondeos quedan.`,
  cancelsAt: (where, size, left) =>
    `En \`${where}\`, contribuciones de hasta ${size} se cancelan hasta ${left}, y sus redondeos quedan.`,
  quotients: {
    title: (name) => `Error de (f(${name} + h) − f(${name} − h)) / 2h según h`,
    rounding: "redondeo",
    truncation: "truncamiento",
    best: (error, step) => `el menor: ${error}, con h = ${step}`,
    backward: (error) => `el pase hacia atrás: ${error}`,
    none: "Aquí no hay diferencia central que comparar con la verdad.",
  },
};

export const code: CodeWords = {
  line: (at, of) => `línea ${at} de ${of}`,
  lines: (count) => counted("es", count, "línea", "líneas"),
  language: "Lenguaje de programación",
  idle: "Recorre hacia atrás u ordena, y cada paso ilumina la línea que lo da.",
  forward: "El pase hacia adelante es el propio programa; este es el código del pase hacia atrás.",
  why: (name, old) =>
    `Por qué \`+=\`: lo que llega se suma a lo que hay. \`${name}\` tenía [g:${old}], que con \`=\` se perdería.`,
  whyEmpty: (name) =>
    `Por qué \`+=\`: lo que llega se suma a lo que hay. \`${name}\` tenía [g:0]; un valor usado dos veces ya tendría algo.`,
  goesDown: "v baja por esta lista",
  done: "hecho",
  now: "ahora",
  waiting: "en espera",
  more: (count) => `… ${count} más`,
  operands: "Qué operando se llama primero",
  leftFirst: "izquierdo primero",
  rightFirst: "derecho primero",
  stack: "Pila de llamadas",
  stackEmpty: "vacía: todas las llamadas han vuelto",
  notBegun: "aún no se ha llamado a nada",
  child: (at, of) => `operando ${at} de ${of}`,
  noChild: "sin operandos",
  begins: "empieza",
  returns: "ya visitado: vuelve enseguida",
  visited: "conjunto de los llamados",
  topo: "lista de los terminados",
  reversed: "el orden del pase hacia atrás",
  empty: "vacía",
  start:
    "¿En qué orden va cada valor después de todo lo que necesita? El ordenamiento llama antes a todos los operandos: primero el izquierdo o primero el derecho.",
  root: (name) =>
    `El ordenamiento empieza por el resultado: \`build(${name})\` pone \`${name}\` en \`visited\`.`,
  enter: (from, to) =>
    `\`${from}\` pide su operando \`${to}\`, que es nuevo: empieza \`build(${to})\`, y \`${from}\` espera.`,
  skip: (from, to) =>
    `\`${from}\` pide \`${to}\`, que ya está en \`visited\`: se salta. Así \`${to}\` está en \`topo\` una sola vez, antes de todos los que lo usan.`,
  leaf: (name, place) =>
    `\`${name}\` no tiene operandos: entra enseguida en \`topo\`, con el número ${place}.`,
  append: (name, place) =>
    `Todos los operandos de \`${name}\` están en \`topo\`; los sigue \`${name}\`, con el número ${place}.`,
  reverse: (first) =>
    `Invertida, \`topo\` es un orden para el pase hacia atrás: primero \`${first}\`, y cada valor después de todos los que lo usan.`,
};

export const training: TrainingWords = {
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
