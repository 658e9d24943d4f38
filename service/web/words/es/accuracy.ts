/** Spanish: the true number beside one that is shown, and what a central difference is off by. */

import type { AccuracyWords } from "../en/accuracy.ts";

export const ACCURACY: AccuracyWords = {
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
