/** Russian: what a step of the wave means. */

import type { LaterWords } from "../en/later.ts";
import type { Explained } from "../en/rules.ts";

/** By operation: what its local derivative is. */
const SLOPES: Readonly<Record<string, string>> = {
  neg: "Минус меняет знак градиента.",
  exp: "Производная exp равна её собственному значению.",
  log: "Производная log равна 1, делённой на аргумент.",
  sqrt: "Производная sqrt равна 1, делённой на удвоенное значение корня.",
  sin: "Производная sin равна cos того же аргумента.",
  cos: "Производная cos равна sin того же аргумента с обратным знаком.",
  sigmoid: "Производная sigmoid равна `p * (1 - p)`, где p — её значение.",
  softplus: "Производная softplus равна sigmoid того же аргумента.",
  abs: "Если аргумент abs больше 0, градиент проходит как есть, если меньше, то с обратным знаком, а при 0 не проходит.",
  min: "min передаёт градиент меньшему из аргументов; равные получают поровну.",
  max: "max передаёт градиент большему из аргументов; равные получают поровну.",
};

/** By operation: what it does to the gradient that it hands on. */
const SENDS: Readonly<Record<string, (sent: Explained) => string>> = {
  "+": () => "Сумма передаёт градиент без изменений.",
  "-": ({ slot }) =>
    slot === 0
      ? "Уменьшаемое получает градиент без изменений."
      : "Вычитаемое получает градиент с обратным знаком.",
  "*": ({ other, local }) =>
    `Производная произведения по множителю равна другому множителю: \`${other}\` = [d:${local}].`,
  "/": ({ slot, other }) =>
    slot === 0
      ? `Градиент тоже делится на \`${other}\`.`
      : "Чем больше делитель, тем меньше остаётся.",
  "**": () => "Показатель степени выносится множителем.",
  tanh: () => "Чем более полога здесь tanh, тем меньше она пропускает.",
  relu: ({ isDead }) =>
    isDead
      ? "Ниже 0 график relu горизонтален: градиент не проходит."
      : "Выше 0 relu передаёт градиент без изменений.",
};

/** What is said of an operation that has no sentence of its own. */
function plainly(operation: string, slope: string): string {
  return `Производная ${operation} равна \`${slope}\`.`;
}

function rule(sent: Explained): string {
  const { operation, slope } = sent;
  return SENDS[operation]?.(sent) ?? SLOPES[operation] ?? plainly(operation, slope);
}

/** By operation: how its derivative is found, where that is not one sentence for all. */
const HINTS: Readonly<Record<string, string>> = {
  "**": "Показатель выносится множителем и уменьшается на 1.",
  tanh: "Производная tanh равна 1 минус квадрат её значения.",
  relu: "Аргумент relu больше 0? Только тогда что-то проходит.",
};

export const RULES: Pick<LaterWords, "sent" | "computed" | "hint" | "hintTwice"> = {
  sent: (step) => {
    const { from, to, incoming, local, contribution, arrived, expected, sum } = step;
    const told = `\`${from}\` передаёт в \`${to}\` вклад [g:${incoming}] × [d:${local}] = [g:${contribution}].`;
    if (expected < 2) return `${told} ${rule(step)}`;
    if (arrived < expected) return `${told} Это вклад ${arrived} из ${expected} для \`${to}\`.`;
    return `${told} Вместе с прежними у \`${to}\` теперь [g:${sum}]: вклады складываются.`;
  },
  computed: (name, text, value) =>
    name === text
      ? `\`${text}\` равно [d:${value}].`
      : `\`${name}\`, то есть \`${text}\`, равно [d:${value}].`,
  hint: (operation, slot, of, other, slope) => {
    const isFirst = slot === 0;
    if (operation === "+")
      return `Сумма передаёт дальше то, что получила. А что получил узел \`${of}\`?`;
    if (operation === "*") {
      return `Производная произведения по множителю равна другому множителю. Здесь это \`${other}\`: чему он сейчас равен?`;
    }
    if (operation === "-" && isFirst) return "Уменьшаемому градиент передаётся без изменений.";
    if (operation === "-") return "Вычитаемому градиент достаётся с обратным знаком.";
    if (operation === "/")
      return isFirst ? "Разделите на делитель." : "Производная 1 / x равна −1 / x ** 2.";
    return HINTS[operation] ?? SLOPES[operation] ?? plainly(operation, slope);
  },
  hintTwice: (name) => `\`${name}\` используется больше одного раза: вклады складываются.`,
};
