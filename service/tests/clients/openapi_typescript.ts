// The types of openapi-typescript, with openapi-fetch.
import createClient from "openapi-fetch";
import type { components, paths } from "./api.ts";

type Schemas = components["schemas"];

declare const process: { argv: string[] };
const baseUrl = process.argv[2];

// The reply can also be a picture, so the caller names the media types that it reads.
type Media = "application/json" | "application/problem+json";
const client = createClient<paths, Media>({ baseUrl });
const values = { a: 2, b: -3, c: 10 };
const posted = await client.POST("/v1/gradient", { body: { expression: "(a + b) * c", values } });
console.log(JSON.stringify(posted.data?.gradients));

const query = { expression: "(a + b) * c", values: JSON.stringify(values) };
const got = await client.GET("/v1/gradient", { params: { query } });
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
