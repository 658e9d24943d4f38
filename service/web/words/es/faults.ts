/** Spanish: what is wrong with a program. */

import type { FaultWords } from "../by_code.ts";
import { counted } from "../counted.ts";

export const FAULTS: FaultWords = {
  character: (found) => `El lenguaje no tiene el carácter \`${found}\`.`,
  signs: {
    "^": "Para una potencia, escribe `**`.",
    "²": "Para un cuadrado, escribe `** 2`.",
    "³": "Para un cubo, escribe `** 3`.",
    "√": "Para una raíz, escribe `sqrt(x)`.",
    "|": "En lugar de `|x|`, escribe `abs(x)`.",
    "×·⋅": "Para multiplicar, escribe `*`.",
    "÷": "Para dividir, escribe `/`.",
    "−–": "El signo menos es el guion: `-`.",
    π: "Escribe 3.141592653589793, o un nombre `pi` con su valor.",
    ".": "Una función se escribe con un solo nombre, como `exp(x)`.",
    "%": "No hay resto de la división.",
    "<>": "No hay comparaciones; `relu(x)` es x si x > 0, y si no, 0.",
    "#": "No hay comentarios.",
    "[]{}": "Para agrupar se usan `(` y `)`.",
  },
  otherSign: () => "Escribe letras sin tilde, cifras, _ y los signos + - * / ** ( ) = , ;",
  equals: "`=` solo va tras un nombre al principio, como en `y = x + 1`; no hay comparaciones.",
  comma: "La coma solo separa los argumentos de una función.",
  closing: "Este `)` sobra: no hay ningún paréntesis abierto.",
  unnamedLine: "Solo la última línea puede ir sin nombre; escribe las demás como `y = …`.",
  beforeEnd: "Aquí falta un número, un nombre o cerrar el paréntesis.",
  before: (found) => `Antes de \`${found}\` falta un número, un nombre o \`(\`.`,
  call: (written) => `Para llamar a la función, escribe \`${written}\`.`,
  product: (left, right) =>
    `Aquí no puede ir \`${right}\`. Para multiplicar \`${left}\` y \`${right}\`, pon \`*\` entre los dos.`,
  endsOpen: "La expresión se corta. Añade lo que falta o cierra el paréntesis: `)`.",
  ends: "La expresión se corta. Aquí falta un número, un nombre o `(`.",
  noFunction: (name) => `\`${name}\` no es una función.`,
  meant: (name) => `¿Querías decir ${name}?`,
  instead: (wanted, write) => `En lugar de ${wanted}, escribe ${write}.`,
  multiply: "Para multiplicar, pon `*` antes del paréntesis.",
  arity: (name, expected, actual) =>
    `La función \`${name}\` necesita ${counted("es", expected, "valor", "valores")}, no ${actual}.`,
  exponent:
    "El exponente solo puede ser un número: la potencia se deriva respecto de su base. " +
    "Si x > 0, en lugar de `x ** y` escribe `exp(y * log(x))`.",
  duplicate: (name) => `El nombre \`${name}\` ya está en uso. Elige otro para el resultado.`,
  unused: (name) => `El resultado no depende de \`${name}\`. Usa ese nombre o quítalo.`,
  missing: (name) => `Falta un valor para \`${name}\`.`,
  domains: {
    "/": "División entre 0.",
    sqrt: "Solo hay raíz de números desde 0.",
    log: "Solo hay logaritmo de números mayores que 0.",
    "**": "Una base negativa no tiene potencia fraccionaria.",
  },
  zeroPower: "0 no tiene potencia negativa.",
  outside: (operation) => `\`${operation}\` no está definida para estos números.`,
  literal: "Este número es mayor que el mayor double, 1.7976931348623157e308.",
  steep: (operation) =>
    `En 0 la pendiente es infinita: \`${operation}\`. Toma un valor mayor que 0.`,
  largeGradient: "El gradiente es demasiado grande para un double.",
  largeNumber: "El número es demasiado grande para un double.",
  largeResult: (operation) =>
    `El resultado de \`${operation}\` es demasiado grande para un double.`,
  closer: "Toma valores más cercanos a 0.",
  characters: (limit) => `La expresión es demasiado larga: se dibujan hasta ${limit} caracteres.`,
  nodes: (limit) => `El grafo tiene más de ${limit} nodos. Escribe un programa más corto.`,
  work: (limit, actual) => `Demasiado trabajo: ${actual}, con un límite de ${limit}.`,
  other: (code) => `No se puede calcular: \`${code}\`.`,
};
