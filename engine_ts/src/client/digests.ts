/**
 * An answer, its route and its body -> its digest, and that of the answer computed locally.
 *
 * This module imports the whole engine, so the client loads it with `import()` when it verifies an
 * answer. No module may import it statically: bundlers would then put it in the main chunk.
 */

import { accuracy } from "../accuracy/accuracy.ts";
import { digest } from "../canonical.ts";
import { introspect, outline } from "../introspect.ts";
import { LAB } from "../lab/commands.ts";
import type { LabRoute } from "../lab/commands.ts";
import { rewrite } from "../language/rewrite.ts";
import { sweep } from "../sweeps/program.ts";

/** The routes that compute one program: the last part of the address. */
export type Route = "gradient" | "parse" | "rewrite" | "sweep" | "accuracy" | LabRoute;

// The body comes from the caller; the engine checks it.
type Body = any;

/** Return both digests, over `fields` only if it is given. Throws what the engine throws. */
export function digests(
  answer: unknown,
  route: Route,
  body: Body,
  fields?: readonly string[],
): [string, string] {
  const whole = answerTo(route, body);
  const part = fields ? Object.fromEntries(fields.map((name) => [name, whole[name]])) : whole;
  return [digest(answer), digest(body.id === undefined ? part : { id: body.id, ...part })];
}

function answerTo(route: Route, { expression, values, parameters, view, ...members }: Body): any {
  if (route === "parse") return outline(expression, { parameters, view });
  if (route === "rewrite") return rewrite(expression, members["names"] ?? null);
  if (route === "sweep") return sweep(expression, values, { view });
  if (route === "accuracy") return accuracy(expression, values, { parameters, view, ...members });
  const document = introspect(expression, values, { parameters, view });
  return route === "gradient" ? document : LAB.get(route)!.run(document, undefined, members);
}
