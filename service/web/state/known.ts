/** The members that have a value: an import of JSON gives each object the members of all. */

export function known(
  record: Readonly<Record<string, number | undefined>>,
): Record<string, number> {
  const entries = Object.entries(record);
  return Object.fromEntries(
    entries.filter((entry): entry is [string, number] => entry[1] !== undefined),
  );
}
