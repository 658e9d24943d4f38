/** A number with its noun, as a language counts: 1 узел, 2 узла, 5 узлов; 1 nodo, 2 nodos. */
export function counted(
  language: string,
  count: number,
  one: string,
  few: string,
  many = few,
): string {
  const form = new Intl.PluralRules(language).select(count);
  return `${count} ${form === "one" ? one : form === "few" ? few : many}`;
}
