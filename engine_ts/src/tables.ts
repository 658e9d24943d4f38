/**
 * The tables of schemas/ that the engine reads.
 *
 * A build replaces the imports by these values (`tools/tables.mjs`), so bundles omit the rest of
 * the tables.
 */

import limits from "../../schemas/limits.schema.json" with { type: "json" };
import operations from "../../schemas/operations.json" with { type: "json" };

type Rows = Readonly<Record<string, { readonly default?: number }>>;
const { properties } = limits as unknown as { readonly properties: Rows };

/** Name of a limit -> its default; the service's limits have none. */
export const DEFAULTS: Readonly<Record<string, number>> = Object.fromEntries(
  Object.entries(properties).flatMap(([name, row]) =>
    row.default === undefined ? [] : [[name, row.default]],
  ),
);

interface Row {
  readonly operation: string;
  readonly expansion: string | null;
}
const { operations: rows } = operations as { readonly operations: readonly Row[] };

/** Symbol of a derived operation -> its expansion into primitives, in the language. */
export const EXPANSIONS: Readonly<Record<string, string>> = Object.fromEntries(
  rows.flatMap(({ operation, expansion }) => (expansion === null ? [] : [[operation, expansion]])),
);
