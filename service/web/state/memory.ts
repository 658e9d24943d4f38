/** What was done, kept by the browser; nothing where a page may keep nothing. */

/** The names that are kept in a place, of those that there are. */
export function remembered<T extends string>(place: string, names: readonly T[]): ReadonlySet<T> {
  try {
    const kept = (localStorage.getItem(place) ?? "").split(",");
    return new Set(names.filter((name) => kept.includes(name)));
  } catch {
    return new Set();
  }
}

export function remember(place: string, names: ReadonlySet<string>): void {
  try {
    localStorage.setItem(place, [...names].join(","));
  } catch {
    // It is done all the same.
  }
}
