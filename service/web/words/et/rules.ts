/** Estonian: what a step of the wave means. */

import type { RuleWords } from "../rules.ts";

export const RULES: RuleWords = {
  sends: ({ from, to, incoming, local, contribution }) =>
    `\`${from}\` saadab sõlmele \`${to}\` panuse [g:${incoming}] × [d:${local}] = [g:${contribution}]`,
  oneOf: (arrived, expected, to) => `See on sõlme \`${to}\` panus ${arrived} / ${expected}.`,
  together: (to, sum) => `Koos teistega on sõlmes \`${to}\` nüüd [g:${sum}]: panused liituvad.`,
  computed: (name, text, value) =>
    name === text ? `\`${text}\` on [d:${value}].` : `\`${name}\` ehk \`${text}\` on [d:${value}].`,
  plainly: (operation, slope) => `Tehte ${operation} tuletis on \`${slope}\`.`,
  rules: {
    "+": "Summa annab gradiendi muutmata edasi.",
    "-": "Vähendatav saab gradiendi muutmata.",
    "-1": "Lahutatav saab selle vastupidise märgiga.",
    "*": (other, local) => `Korrutis korrutab selle teise teguriga: \`${other}\` on [d:${local}].`,
    "/": (other) => `Jagatis jagab ka gradiendi läbi arvuga \`${other}\`.`,
    "/1": "Mida suurem on jagaja, seda vähem loeb selle muutus.",
    "**": "Astendaja tuuakse teguriks ette.",
    neg: "Vastandarv vahetab märgi.",
    exp: "Funktsiooni exp tuletis on tema enda väärtus.",
    log: "Funktsiooni log tuletis on 1 jagatud operandiga.",
    sqrt: "Funktsiooni sqrt tuletis on 1 jagatud kahekordse juurega.",
    sin: "Funktsiooni sin tuletis on operandi koosinus.",
    cos: "Funktsiooni cos tuletis on miinus operandi siinus.",
    tanh: "Mida lamedam tanh siin on, seda vähem ta edasi annab.",
    sigmoid: "Funktsiooni sigmoid tuletis on `p * (1 - p)`, kus p on tema väärtus.",
    softplus: "Funktsiooni softplus tuletis on operandi sigmoid.",
    relu: "Üle 0 annab relu selle muutmata edasi.",
    "relu dead": "Alla 0 on relu lame ega anna midagi edasi.",
    abs: "abs annab gradiendi edasi, kui operand on üle 0, vahetab märgi, kui see on alla, ja peatab selle, kui operand on 0.",
    min: "min annab gradiendi väiksemale operandile; võrdsed saavad kumbki poole.",
    max: "max annab gradiendi suuremale operandile; võrdsed saavad kumbki poole.",
  },
  hints: {
    "+": (_, of) => `Summa annab edasi selle, mis ta on saanud. Mida on saanud \`${of}\`?`,
    "*": (other) =>
      `Korrutis korrutab gradiendi teise teguriga. Teine tegur on \`${other}\`: mis on selle väärtus?`,
    "/": "Jaga jagajaga.",
    "/1": "Avaldise 1 / x tuletis on −1 / x ** 2.",
    "**": "Too astendaja teguriks ette ja vähenda seda 1 võrra.",
    tanh: "Funktsiooni tanh tuletis on 1 miinus tema väärtuse ruut.",
    relu: "Kas funktsiooni relu operand on üle 0? Ainult siis läheb midagi läbi.",
  },
  hintTwice: (name) => `Muutujat \`${name}\` kasutatakse mitu korda: panused liituvad.`,
};
