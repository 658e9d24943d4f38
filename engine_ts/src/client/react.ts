/**
 * `follow` as a hook of React:
 *
 *     const client = connect("https://gradients.example");
 *
 *     function Slope({ a }) {
 *       const { document, agrees } = useGradient("a * a", { a }, { client });
 */

import { useLayoutEffect, useRef, useState } from "react";
import type { Client, BatchProgram, ProgramOptions } from "./connect.ts";
import { computed, follow } from "./follow.ts";
import type { Followed, Following, FollowOptions } from "./follow.ts";

export type { Followed } from "./follow.ts";

export interface GradientOptions
  extends Pick<ProgramOptions, "parameters" | "view">, FollowOptions {
  /** The result of `connect`; if it is null, no request is sent. */
  readonly client?: Pick<Client, "gradient"> | null;
}

/**
 * Return what `follow` reports for these values, which may change at each rendering.
 *
 * The document belongs to this rendering's values before anything is painted.
 */
export function useGradient(
  expression: string,
  values: BatchProgram["values"],
  { client = null, rest, parameters = [], view = "folded" }: GradientOptions = {},
): Followed {
  const options = { parameters, view };
  const [followed, setFollowed] = useState(() => computed(expression, values, options));
  const following = useRef<Following | null>(null);
  const newest = useRef(client);
  const asks = client !== null;
  useLayoutEffect(() => {
    newest.current = client;
  });
  useLayoutEffect(() => {
    const gradient: Client["gradient"] = (...call) => newest.current!.gradient(...call);
    const begun = follow(
      asks ? { gradient } : null,
      setFollowed,
      rest === undefined ? {} : { rest },
    );
    following.current = begun;
    return () => begun.stop();
  }, [asks, rest]);
  const key = JSON.stringify([expression, values, parameters, view]);
  useLayoutEffect(() => following.current!.set(expression, values, options), [key, asks, rest]);
  return followed;
}
