/** Russian: what a step of the wave means. */

import type { LaterWords } from "../en/later.ts";
import type { Sent } from "../en/rules.ts";

function rule(sent: Sent): string {
  const { operation, slot, other, local } = sent;
  if (operation === "+") return "Сумма передаёт градиент без изменений.";
  if (operation === "-") {
    return slot === 0
      ? "Уменьшаемое получает градиент без изменений."
      : "Вычитаемое получает градиент с обратным знаком.";
  }
  if (operation === "neg") return "Минус меняет знак градиента.";
  if (operation === "*") {
    return `Производная произведения по множителю равна другому множителю: \`${other}\` = [d:${local}].`;
  }
  if (operation === "/") {
    return slot === 0
      ? `Градиент тоже делится на \`${other}\`.`
      : "Чем больше делитель, тем меньше остаётся.";
  }
  if (operation === "**") return "Показатель степени выносится множителем.";
  if (operation === "exp") return "Производная exp равна её собственному значению.";
  if (operation === "log") return "Производная log равна 1, делённой на аргумент.";
  if (operation === "tanh") return "Чем более полога здесь tanh, тем меньше она пропускает.";
  if (operation === "relu") {
    return sent.isDead
      ? "Ниже 0 график relu горизонтален: градиент не проходит."
      : "Выше 0 relu передаёт градиент без изменений.";
  }
  return "";
}

export const RULES: Pick<LaterWords, "sent" | "computed"> = {
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
};
