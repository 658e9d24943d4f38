/** Spanish: what is seen after the first sight, when something is opened or tried. */

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
  allExamples: (count) => `Los ${count}`,
  fewerExamples: "Menos",
  broken: BROKEN,
  tasks: TASKS,
  values: {
    value: (name) => `Valor de ${name}`,
    slider: (name) => `Control de ${name}`,
    from: (name) => `Mínimo de ${name}`,
    to: (name) => `Máximo de ${name}`,
    slope: (name) => `Pendiente del resultado según ${name}`,
    gradient: "gradiente",
    notReached: "aún sin recibir",
    onItsWay: "en camino",
    partOf: (arrived, expected) => `hasta ahora: ${arrived} de ${expected} recibidas`,
    up: "sube 0.01: resultado",
    none: "Esta expresión no tiene variables, así que no hay nada que cambiar. Usa una, por ejemplo `2 * x`.",
  },
  invite: {
    title: "Prueba esto",
    before: "Antes de empezar el recorrido: ¿cuáles serán los gradientes?",
    button: "Predecir los gradientes",
  },
  edits: { undo: "Deshacer", redo: "Rehacer" },
  below: {
    name: "Más",
    table: "Todos los números, en una tabla",
    takeIt: "Llévatelo",
    keyboard: "Teclado",
  },
  predict: {
    title: "¿Cuál será cada gradiente?",
    question: "¿A qué ritmo cambia el resultado con cada variable?",
    gradOf: "grad de",
    right: "✓ correcto",
    wrong: (guess) => `✕ no ${guess}`,
    notANumber: "✕ no es un número",
    check: "Comprobar",
    show: (name) => `Mostrar ${name}`,
    shownWord: "mostrado",
    all: "Todo correcto: has hecho a mano el pase hacia atrás.",
    some: (right, of, open) => `${right} de ${of} correctos. Falta \`${open}\`.`,
  },
  curve: {
    parameter: "Parámetro",
    central: "Diferencia central",
    curve: (result, name, from, to) => `${result}, cuando ${name} va de ${from} a ${to}`,
    tangent: (slope) => `tangente, pendiente ${slope}`,
    nudge: (name) => `Subir ${name}`,
    by: "Cuánto subir",
    foretold: "previsto",
    happened: "real",
    nudged: (name, by, foretold, happened, same) =>
      `Sube \`${name}\` en ${by}: previsto [g:${foretold}], real [d:${happened}]. ` +
      (same ? "Aquí la curva es recta." : "La diferencia es la curvatura."),
    noValue: (name, by) => `Si \`${name}\` sube ${by}, el resultado no tiene valor.`,
  },
  differ: (where, here, there) =>
    `✕ Los motores difieren por primera vez en ${where}: aquí ${here}, allí ${there}`,
  circles: "círculos: tu orden de visita",
  hidden: "los gradientes se ocultan mientras predices",
  fault: {
    stale: "El último grafo válido:",
    follows: "El grafo seguirá cuando vuelva a haber un resultado. No se pierde nada.",
    column: (column) => `Columna ${column}:`,
    write: (text) => `Escribir ${text}`,
    backTo: (text) => `Volver a ${text}`,
    backToValues: "Volver a los últimos valores",
    empty: "Escribe una expresión o elige un ejemplo.",
    ofParts:
      "Las derivadas locales son las de las partes de una operación, y una parte es demasiado grande.",
    fold: "Ocultar las derivadas locales",
    told: byCode(FAULTS),
  },
  ending: {
    nudge: ({ name, by, before, after, came, gradient, foretold }) =>
      `\`${name}\` es la que más importa: súbela ${by}, y el resultado pasa de [d:${before}] a [d:${after}], o sea [d:${came}]; ` +
      (foretold === came
        ? `su gradiente [g:${gradient}] dice lo mismo.`
        : `su gradiente [g:${gradient}] dice [g:${foretold}], el resto es curvatura.`),
    down: (name) => `Solo \`${name}\` tira del resultado hacia abajo.`,
    zero: (name, by) =>
      `A \`${name}\` no llega nada${by === null ? "" : `: \`${by}\` no deja pasar nada`}.`,
  },
  zoom: {
    name: "Zoom",
    in: "Acercar",
    out: "Alejar",
    full: "Pantalla completa",
    all: "Vista general",
    follow: "Seguir",
    to: (name) => `Ir a ${name}`,
    map: "Todo el grafo y la parte que se muestra",
    dots: (cards) => `${counted("es", cards, "valor", "valores")}, un punto para cada uno. Ver`,
  },
  tables: {
    caption: (text, at, of) => `${text}: arista ${at} de ${of}`,
    arrow: "Arista",
    incoming: "Entrante",
    local: "Derivada local",
    contribution: "Contribución",
    state: "Estado",
    node: "Nodo",
    kind: "Tipo",
    arrived: "recibida",
    now: "ahora",
    waiting: "pendiente",
    constant: "constante, sin gradiente",
    rows: (first, last, of) => `Filas ${first} a ${last} de ${of}`,
    earlier: "Filas anteriores",
    later: "Filas siguientes",
  },
  address: {
    bad: (why) => `No se pudo leer la dirección: ${why}. En su lugar, aquí hay un ejemplo.`,
    long: "es demasiado larga",
    value: (name) => `el valor de ${name} no es un número`,
    form: "no tiene la forma e=…&v=nombre:número,…",
    language: (code) => `Aquí no hay ningún idioma \`${code}\`: la página está en inglés.`,
  },
  take: {
    link: "Copiar enlace",
    curl: "Copiar como curl",
    python: "Copiar como Python",
    typescript: "Copiar como TypeScript",
    command: "Copiar como comando",
    svg: "Guardar SVG",
    png: "Guardar PNG",
    mermaid: "Copiar como Mermaid",
    dot: "Copiar como DOT",
    embed: "Copiar código para insertar",
    tooLarge: "El grafo es demasiado grande para un PNG; guárdalo como SVG.",
    things: {
      link: "el enlace",
      curl: "el comando curl",
      python: "el código Python",
      typescript: "el código TypeScript",
      command: "el comando",
      mermaid: "el texto Mermaid",
      dot: "el texto DOT",
      embed: "el código para insertar",
    },
    copied: (what) => `Copiado: ${what}.`,
    ofFile: (service) =>
      `Esta página es un archivo que los demás no tienen: lo copiado lleva a ${service}, un servicio en tu equipo.`,
    denied: "El navegador no permite copiar; selecciona el texto y cópialo.",
    text: "Texto para copiar",
    scene: "Lo que se dice sobre el grafo a quien lo recibe:",
    caption: "Leyenda",
    task: "Tarea",
    answer: "Respuesta: un número, o la variable cuyo gradiente es",
    guesses: "con mis respuestas",
  },
  keys: [
    [["Espacio"], "Reproducir o pausar"],
    [["←", "→"], "Una arista atrás o adelante"],
    [["Inicio", "Fin"], "Primera o última arista"],
    [[",", "."], "Una arista atrás o adelante, también en una tarjeta"],
    [["← → ↑ ↓"], "En una tarjeta: por sus aristas; Inicio y Fin: entradas y resultado"],
    [["0"], "Todo el grafo, o de nuevo con el recorrido"],
    [["F", "S", "B"], "Pase adelante, ordenamiento o pase atrás"],
    [["/"], "Editar la expresión"],
    [["1", "2", "3", "4", "5"], "Valores, Código, Predecir, Fallos, Entrenar"],
    [["Tab"], "Siguiente arista, en el orden del recorrido"],
    [["Intro"], "Leer la derivada local de una arista"],
    [["Mayús", "← → ↑ ↓"], "Girar el grafo"],
    [["R"], "Centrar la vista"],
    [["+", "−"], "Zoom"],
    [["Ctrl", "Z"], "Deshacer"],
    [["Ctrl", "Mayús", "Z"], "Rehacer"],
    [["?"], "Esta lista"],
  ],
  whatever: (name) => `, valga lo que valga \`${name}\``,
  noGradient: (name) => `\`${name}\` es un exponente: una constante, que no recibe gradiente.`,
  noDouble: (name) =>
    `La pendiente según \`${name}\` es demasiado grande, y debajo no hay ninguna variable: no fluye gradiente.`,
};
