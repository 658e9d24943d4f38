/** A route -> what tells its answers from other JSON, and how to compute them here. */

// What a body holds was the caller's, and the engine checks it.
type Body = any;

export interface Answers {
  /** A member that every answer has. */
  readonly member: string;
  /** The same answer, from the engine: it is loaded only now. */
  readonly compute: (body: Body) => Promise<unknown>;
}

export const ANSWERS = {
  gradient: { member: "nodes", compute: introspected },
  parse: {
    member: "variables",
    compute: async ({ expression, ...options }: Body) =>
      (await import("../introspect.ts")).outline(expression, options),
  },
  sweep: {
    member: "axes",
    compute: async ({ expression, values, ...options }: Body) =>
      (await import("../sweep.ts")).sweep(expression, values, options),
  },
  experiment: {
    member: "walks",
    compute: async (body: Body) =>
      (await import("../lab/experiment.ts")).experiment(await introspected(body), body),
  },
  check: {
    member: "cost",
    compute: async (body: Body) =>
      (await import("../lab/check.ts")).check(await introspected(body), body),
  },
  paths: {
    member: "paths",
    compute: async (body: Body) =>
      (await import("../lab/paths.ts")).paths(await introspected(body), body.variable, body),
  },
} as const satisfies Record<string, Answers>;

export type Route = keyof typeof ANSWERS;

async function introspected({ expression, values, parameters, view }: Body) {
  const { introspect } = await import("../introspect.ts");
  return introspect(expression, values, { parameters, view });
}
