/**
 * The page inside another: `?embed` shows only the graph, `?embed&show=expression,panel` more.
 *
 * At each change the parent receives {type: "gradient-sandbox", address, expression, values,
 * parameters, result, gradients, error, way, step, steps, task, tasks, guesses}. It may send such a
 * message itself if `from=` in the address names its origin: a whole address, or whichever of
 * expression, values, parameters, way and step should change.
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

/** What another page may set; a member of another type is ignored. */
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

/** In a frame without an address, a link to another scene would navigate away. */
function followLink(event: MouseEvent): void {
  const link = (event.target as Element).closest("a[href^='#']");
  if (link === null) return;
  event.preventDefault();
  void loadAddress(link.getAttribute("href")!.slice(1));
}

/** Send the state to the page around this one; it contains nothing private. */
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

/** Apply a message to the current address; reading the address checks it. */
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
