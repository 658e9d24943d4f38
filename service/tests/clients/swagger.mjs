// Path of an OpenAPI document and address of the service -> what Swagger UI's own client finds
// wrong with it, or else what it makes of two calls.
import { readFileSync } from "node:fs";
import SwaggerClient from "swagger-client";

const [path, address] = process.argv.slice(2);
const spec = JSON.parse(readFileSync(path, "utf8"));
const client = await new SwaggerClient({ spec, url: `${address}/openapi.json` });
for (const found of client.errors) console.log("error:", found.message);
if (client.errors.length === 0) {
  const expression = "(a + b) * c";
  const values = { a: 2, b: -3, c: 10 };
  const parameters = { expression, variables: values };
  const replies = [
    await client.execute({ operationId: "differentiate", requestBody: { expression, values } }),
    await client.execute({ operationId: "differentiateByQuery", parameters }),
  ];
  for (const reply of replies) console.log(JSON.stringify(reply.body.gradients));
}
