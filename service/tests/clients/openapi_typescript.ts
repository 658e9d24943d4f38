// The types of openapi-typescript on plain fetch and on openapi-fetch.
import createClient from "openapi-fetch";
import type { components, paths } from "./api.ts";

type Schemas = components["schemas"];

declare const process: { argv: string[] };
const baseUrl = process.argv[2];

// As in the README, with the types of the document instead of the engine's.
async function differentiate(
  expression: string,
  values: Record<string, number>,
): Promise<Schemas["GradientDocument"]> {
  const request: Schemas["GradientRequest"] = { expression, values };
  const reply = await fetch(`${baseUrl}/v1/gradient`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(request),
  });
  if (!reply.ok) throw new Error(((await reply.json()) as Schemas["Problem"]).detail);
  return reply.json();
}

console.log(JSON.stringify((await differentiate("(a + b) * c", { a: 2, b: -3, c: 10 })).gradients));

// A graph may also come as a picture, so the caller names the media types that it reads.
type Media = "application/json" | "application/problem+json";
const client = createClient<paths, Media>({ baseUrl });
const values = { a: 2, b: -3, c: 10 };
const posted = await client.POST("/v1/gradient", { body: { expression: "(a + b) * c", values } });
console.log(JSON.stringify(posted.data?.gradients));

// openapi-fetch writes an object as `variables[a]=2` unless it is told the style of the document.
const query = { expression: "(a + b) * c", variables: values };
const querySerializer = { object: { style: "form", explode: true } } as const;
const got = await client.GET("/v1/gradient", { params: { query }, querySerializer });
console.log(JSON.stringify(got.data?.gradients));

const refused = await client.POST("/v1/gradient", { body: { expression: "2x", values: { x: 1 } } });
console.log(refused.error?.code, JSON.stringify(refused.error?.span));

const requests: Schemas["GradientRequest"][] = [{ expression: "a * a", values: { a: 3 } }];
const batch = await client.POST("/v1/gradients", { body: { requests } });
for (const result of batch.data?.results ?? []) {
  console.log("code" in result ? result.detail : JSON.stringify(result.gradients));
}

export async function refusedByTheCompiler(): Promise<void> {
  // @ts-expect-error: an expression is a text
  await client.POST("/v1/gradient", { body: { expression: 2, values } });
  // @ts-expect-error: there is no such view
  await client.POST("/v1/gradient", { body: { expression: "a", values, view: "flat" } });
  // @ts-expect-error: values are required
  await client.POST("/v1/gradient", { body: { expression: "a" } });
}
