// The client of @hey-api/openapi-ts.
import { client } from "./hey_api/client.gen.js";
import { differentiate, differentiateBatch, differentiateByQuery } from "./hey_api/sdk.gen.js";

declare const process: { argv: string[] };
client.setConfig({ baseUrl: process.argv[2] });

const values = { a: 2, b: -3, c: 10 };
const expression = "(a + b) * c";

const posted = await differentiate({ body: { expression, values } });
console.log(JSON.stringify(posted.data?.gradients));
const got = await differentiateByQuery({ query: { expression, variables: values } });
console.log(JSON.stringify(got.data?.gradients));
const refused = await differentiate({ body: { expression: "2x", values: { x: 1 } } });
console.log(refused.error?.code, JSON.stringify(refused.error?.span));
const batch = await differentiateBatch({ body: { requests: [{ expression, values }] } });
for (const result of batch.data?.results ?? []) {
  console.log("code" in result ? result.detail : JSON.stringify(result.gradients));
}

export async function refusedByTheCompiler(): Promise<void> {
  // @ts-expect-error: an expression is a text
  await differentiate({ body: { expression: 2, values } });
}
