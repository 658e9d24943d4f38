/** Lines of texts, `name | text | …` -> by name, each text under what it is called. */
export function listed<Member extends string>(
  members: readonly Member[],
  lines: readonly string[],
) {
  const rows = lines.map((line) => line.split(" | "));
  return Object.fromEntries(
    rows.map(([name, ...texts]) => [
      name!,
      Object.fromEntries(members.map((each, at) => [each, texts[at]!])) as Record<Member, string>,
    ]),
  );
}
