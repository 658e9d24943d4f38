/** A number with its noun: 1 узел, 2 узла, 5 узлов. */

const RULES = new Intl.PluralRules("ru");

export function counted(count: number, one: string, few: string, many: string): string {
  const form = RULES.select(count);
  return `${count} ${form === "one" ? one : form === "few" ? few : many}`;
}
