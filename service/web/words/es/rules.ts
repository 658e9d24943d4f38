/** Spanish: what a step of the wave means. */

import type { RuleWords } from "../rules.ts";

export const RULES: RuleWords = {
  sends: ({ from, to, incoming, local, contribution }) =>
    `\`${from}\` envía [g:${incoming}] × [d:${local}] = [g:${contribution}] a \`${to}\``,
  oneOf: (arrived, expected, to) => `Es la contribución ${arrived} de ${expected} a \`${to}\`.`,
  together: (to, sum) =>
    `Junto con las otras, \`${to}\` tiene [g:${sum}]: las contribuciones se suman.`,
  computed: (name, text, value) =>
    name === text
      ? `\`${text}\` es [d:${value}].`
      : `\`${name}\`, que es \`${text}\`, vale [d:${value}].`,
  plainly: (operation, slope) => `La derivada de ${operation} es \`${slope}\`.`,
  rules: {
    "+": "Una suma pasa su gradiente sin cambios.",
    "-": "El minuendo recibe el gradiente sin cambios.",
    "-1": "El sustraendo lo recibe con el signo cambiado.",
    "*": (other, local) =>
      `Un producto lo multiplica por el otro factor: \`${other}\` es [d:${local}].`,
    "/": (other) => `Un cociente lo divide también entre \`${other}\`.`,
    "/1": "Cuanto mayor es el divisor, menos importa que cambie.",
    "**": "En una potencia, el exponente baja como factor.",
    neg: "La negación cambia el signo.",
    exp: "La derivada de exp es su propio valor.",
    log: "La derivada de log es 1 entre su operando.",
    sqrt: "La derivada de sqrt es 1 entre el doble de su valor.",
    sin: "La derivada de sin es el coseno de su operando.",
    cos: "La derivada de cos es menos el seno de su operando.",
    tanh: "Cuanto más plana es tanh aquí, menos deja pasar.",
    sigmoid: "La derivada de sigmoid es `p * (1 - p)`, donde p es su valor.",
    softplus: "La derivada de softplus es la sigmoid de su operando.",
    relu: "Por encima de 0, relu lo pasa sin cambios.",
    "relu dead": "Por debajo de 0, relu es plana y no deja pasar nada.",
    abs: "abs pasa el gradiente si su operando es mayor que 0, le cambia el signo si es menor y lo detiene en 0.",
    min: "min pasa el gradiente al operando menor; si son iguales, la mitad a cada uno.",
    max: "max pasa el gradiente al operando mayor; si son iguales, la mitad a cada uno.",
  },
  hints: {
    "+": (_, of) => `Una suma pasa lo que ha recibido. ¿Qué ha recibido \`${of}\`?`,
    "*": (other) =>
      `Un producto multiplica el gradiente por el otro factor. El otro factor es \`${other}\`: ¿cuánto vale?`,
    "/": "Divide entre el divisor.",
    "/1": "La derivada de 1 / x es −1 / x ** 2.",
    "**": "Baja el exponente como factor y réstale 1.",
    tanh: "La derivada de tanh es 1 menos el cuadrado de su valor.",
    relu: "¿Es el operando de relu mayor que 0? Solo entonces pasa algo.",
  },
  hintTwice: (name) => `\`${name}\` se usa más de una vez: las contribuciones se suman.`,
};
