// Path of an OpenAPI document -> a line for each finding of Redocly, warnings included.
import { createConfig, lint } from "@redocly/openapi-core";

const config = await createConfig({ extends: ["recommended-strict"] });
for (const found of await lint({ ref: process.argv[2], config })) {
  console.log(found.severity, found.ruleId, found.location[0].pointer, found.message);
}
