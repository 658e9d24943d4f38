/** The first row of a table: what its columns are about. */

import type { ComponentChildren } from "preact";

export function Heads({ of: heads }: { of: readonly ComponentChildren[] }) {
  return (
    <thead>
      <tr>
        {heads.map((head) => (
          <th scope="col">{head}</th>
        ))}
      </tr>
    </thead>
  );
}
