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
  experiment: ofLab("experiment", "walks"),
  check: ofLab("check", "cost"),
  paths: ofLab("paths", "paths"),
  descend: ofLab("descend", "trajectory"),
  hessian: ofLab("hessian", "hessian"),
} as const satisfies Record<string, Answers>;

export type Route = keyof typeof ANSWERS;

async function introspected({ expression, values, parameters, view }: Body) {
  const { introspect } = await import("../introspect.ts");
  return introspect(expression, values, { parameters, view });
}

function ofLab(name: string, member: string): Answers {
  const compute = async (body: Body) => {
    const { LAB } = await import("../lab/table.ts");
    return LAB.get(name)!(await introspected(body), body);
  };
  return { member, compute };
}
