/**
 * An answer, its route and its body -> its digest, and that of the answer computed here.
 *
 * It has the whole engine, so a client loads it where an answer is verified, and nothing else does:
 * bundlers put what is loaded later beside the page only where no other module imports it.
 */

import { accuracy } from "../accuracy/accuracy.ts";
import { digest } from "../canonical.ts";
import { introspect, outline } from "../introspect.ts";
import { LAB } from "../lab/commands.ts";
import type { LabRoute } from "../lab/commands.ts";
import { sweep } from "../sweeps/program.ts";

/** What the service computes, one program at a time: the last part of its address. */
export type Route = "gradient" | "parse" | "sweep" | "accuracy" | LabRoute;

// What a body holds was the caller's, and the engine checks it.
type Body = any;

/** Return both digests, of an answer with these members alone. Throws what the engine throws. */
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
  if (route === "sweep") return sweep(expression, values, { view });
  if (route === "accuracy") return accuracy(expression, values, { parameters, view, ...members });
  const document = introspect(expression, values, { parameters, view });
  return route === "gradient" ? document : LAB.get(route)!.run(document, undefined, members);
}
