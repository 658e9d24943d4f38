/** Spanish: the room where the backward pass goes wrong. */

import type { LaterWords } from "../en/later.ts";
import { counted } from "../counted.ts";
import { PITFALLS } from "./published.ts";
import { RULES } from "./rules.ts";

const { sends } = RULES;

export const BROKEN: LaterWords["broken"] = {
  mistakes: "Errores",
  chips: {
    "wrong-order": "Orden erróneo",
    "assigning-instead-of-adding": "= por +=",
    "second-backward": "Dos veces",
    "mutation-before-backward": "Datos cambiados",
    "dead-relu": "relu muerta",
    "variable-exponent": "Exponente variable",
  },
  known: PITFALLS,
  title: "Pon las visitas en orden, de la primera a la última",
  how: "Este recorrido envía: cada visita pasa a sus operandos lo que ha llegado hasta entonces. Arrastra una visita o usa sus botones.",
  visit: (place, name) => `Visita ${place}: ${name}`,
  earlier: "Antes",
  later: "Después",
  earlierOf: (name) => `Visitar ${name} antes`,
  laterOf: (name) => `Visitar ${name} después`,
  sent: (amounts) => `envió ${amounts.map(([amount, to]) => `${amount} a ${to}`).join(", ")}`,
  sendsNothing: "no envía nada",
  tooEarly: "Demasiado pronto",
  run: "Probar mi orden",
  showRight: "Ver un orden correcto",
  take: (text) => `Usar ${text}`,
  tooMany: (count, most) =>
    `Este grafo tiene ${counted("es", count, "nodo", "nodos")} que visitar; a mano se pueden ordenar ${most} como mucho.`,
  losses: (losses) =>
    `✕ Perdido: ${losses.map(([amount, from]) => `${amount} de ${from}`).join(", ")}`,
  wrongEnd: "✕ Los gradientes son erróneos",
  nothingLost: "✓ No se pierde nada",
  ends: (name, has, right) => `\`${name}\` acaba con [g:${has}], no con [g:${right}].`,
  gets: (name, right) => `\`${name}\` recibe [g:${right}].`,
  visitedBefore: (operand, operation, amount) =>
    `Se visitó \`${operand}\` antes de que \`${operation}\` le enviara [g:${amount}].`,
  reverse: "¿Orden topológico inverso?",
  yes: "Sí",
  no: "No:",
  standsBefore: (operand, operation) => `\`${operand}\` antes que \`${operation}\`.`,
  harmless: "Visitar una entrada no envía nada, así que puede ir en cualquier momento.",
  should: (name, right) => `Lo que debe recibir ${name}: ${right}`,
  arrivedBy: (amount, by) => `${amount} de ${by}, recibido`,
  missingBy: (amount, by) => `${amount} de ${by}, perdido`,
  wrong: "Mal",
  right: "Bien",
  onStage: "En el grafo",
  variable: "Variable",
  step: "Paso",
  cure: "Remedio",
  refused: "Este motor lo rechaza:",
  example: (text) => `Cargar su ejemplo, ${text}`,
  changes: (name, value) =>
    `Entre el pase hacia adelante y el pase hacia atrás, \`${name}\` pasa a ser [d:${value}].`,
  playOrder: "Recorrer mi orden",
  playWrong: "Recorrer mal",
  playRight: "Recorrer bien",
  lost: (amount) => `${amount} perdido`,
  rightIs: (amount) => `no ${amount}`,
  overwritten: "sobrescrito",
  cameLate: "llegó tarde",
  again: "otra vez",
  short: (amount) => `faltan ${amount}`,
  over: (amount) => `sobran ${amount}`,
  late: "tarde",
  tellReplaced: (sent, before) => `${sends(sent)}, y sobrescribe [g:${before}].`,
  tellLate: (sent) => `${sends(sent)}, demasiado tarde: \`${sent.to}\` ya se había visitado.`,
  tellLost: (sent, right) => `${sends(sent)} en lugar de [g:${right}]: no había llegado todo.`,
  tellSum: (sent, sum) => `${sends(sent)}. Ahora tiene [g:${sum}].`,
};
