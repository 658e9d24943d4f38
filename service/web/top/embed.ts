/**
 * The page inside another one: `?embed` shows the graph alone, `?embed&show=expression,panel` more.
 *
 * At each change the parent is sent {type: "gradient-sandbox", address, expression, values,
 * parameters, result, gradients, error, way, step, steps, task, tasks, guesses}. It may send such a
 * message itself if `from=` in the address names its origin: the whole of an address, or of
 * expression, values, parameters, way and step what is to change.
 */

import { effect } from "@preact/signals";
import { currentAddress, currentParts, formatAddress } from "../state/address.ts";
import { guesses } from "../state/guesses.ts";
import { step, ticks } from "../state/play.ts";
import { fault, shareable, shown } from "../state/program.ts";
import { done, isReplyRight, isScene, lesson, reply, task } from "../state/tasks.ts";
import { language, pageLocation, pass } from "../state/view.ts";
import { loadAddress } from "./history.tsx";

const TYPE = "gradient-sandbox";

/** What another page may set; what is not of its type is as if it were not there. */
type FrameMessage = Readonly<Record<string, unknown>>;

export function startEmbedding(): void {
  effect(postState);
  if (pageLocation !== location) addEventListener("click", followLink);
  const from = (new URLSearchParams(pageLocation.search).get("from") ?? "").split(",");
  addEventListener("message", ({ source, origin, data }: MessageEvent<FrameMessage | null>) => {
    if (source !== parent || !from.includes(origin) || data?.["type"] !== TYPE) return;
    const whole = data["address"];
    const hash = typeof whole === "string" ? whole.replace(/^#/, "") : addressFrom(data);
    void loadAddress(hash, language.peek());
  });
}

/** Where the frame has no address, a link to another one of the page's would lead away. */
function followLink(event: MouseEvent): void {
  const link = (event.target as Element).closest("a[href^='#']");
  if (link === null) return;
  event.preventDefault();
  void loadAddress(link.getAttribute("href")!.slice(1));
}

/** Tell the page around this one what is shown; there is nothing in it that others may not see. */
function postState(): void {
  const { expression, values, parameters, document } = shown.value;
  const { result, gradients } = document;
  const message = {
    type: TYPE,
    address: `#${currentAddress()}`,
    ...{ expression, values, parameters, result, gradients },
    error: fault.value?.message ?? null,
    ...{ way: pass.value, step: step.value, steps: ticks.value.length },
    task: isScene.value
      ? { lesson: lesson.value, task: task.value, reply: reply.value, isRight: isReplyRight.value }
      : null,
    tasks: [...done.value],
    guesses: Object.fromEntries(guesses.value.verdicts),
  };
  parent.postMessage(message, "*");
}

/** What is seen, with what a message changes, as an address: that is where it is checked. */
function addressFrom({ expression, values, parameters, way: to, step: at }: FrameMessage): string {
  const parts = new Map(currentParts());
  const isProgram = typeof expression === "string";
  if (isProgram) for (const name of ["v", "p", "s"]) parts.delete(name);
  if (isProgram) parts.set("e", expression);
  if (typeof values === "object" && values !== null) {
    const all = Object.entries({ ...(isProgram ? {} : shareable.peek().values), ...values });
    parts.set("v", all.map(([name, value]) => `${name}:${String(value)}`).join(","));
  }
  if (Array.isArray(parameters)) parts.set("p", parameters.join(","));
  if (typeof to === "string") parts.set("w", to);
  if (typeof at === "number") parts.set("s", String(at));
  return formatAddress(parts);
}
