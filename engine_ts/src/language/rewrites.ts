/** schemas/rewrites.json; `npm run build` puts the data in the place of the import. */

import data from "../../../schemas/rewrites.json" with { type: "json" };

export const DATA: unknown = data;
