/** Spanish: the code of the backward pass, and the sort that it begins with. */

import type { CodeWords } from "../en/code.ts";
import { counted } from "../counted.ts";

export const CODE: CodeWords = {
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
