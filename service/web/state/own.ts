/** What a record holds under a name, and not what every object has, such as `constructor`. */

export function own<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
