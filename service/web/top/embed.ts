/**
 * The page inside another: `?embed` shows only the graph, `?embed&show=expression,panel` more.
 *
 * At each change the parent receives {type: "gradient-sandbox", address, expression, values,
 * parameters, result, gradients, error, way, step, steps, task, tasks, guesses, height}. With an error
 * there is no result. It may send such a message itself if `from=` in the address names its origin: a
 * whole address, or whichever of expression, values, parameters, way and step should change; or
 * `plays`, whether it should play.
 */

import { effect, signal } from "@preact/signals";
import { currentAddress, currentParts, formatAddress } from "../state/address.ts";
import { guesses } from "../state/guesses.ts";
import { pause, play, step, ticks } from "../state/play.ts";
import { editable, fault, shareable, shown } from "../state/program.ts";
import { done, isReplyRight, isScene, lesson, reply, task } from "../state/tasks.ts";
import { language, pageLocation, pass } from "../state/view.ts";
import { loadAddress } from "./history.tsx";

const TYPE = "gradient-sandbox";

/** The height of the content, in pixels; null on a phone. */
const height = signal<number | null>(null);

/** What another page may set; a member of another type is ignored. */
type FrameMessage = Readonly<Record<string, unknown>>;

export function startEmbedding(): void {
  effect(postState);
  const isUnread = editable.peek() === shown.peek();
  if (fault.peek() !== null) document.body.classList.add(isUnread ? "unread" : "unfounded");
  effect(() => {
    if (fault.value === null) document.body.classList.remove("unread", "unfounded");
  });
  reportHeight();
  if (pageLocation !== location) addEventListener("click", followLink);
  const from = (new URLSearchParams(pageLocation.search).get("from") ?? "").split(",");
  addEventListener("message", ({ source, origin, data }: MessageEvent<FrameMessage | null>) => {
    if (source !== parent || !from.includes(origin) || data?.["type"] !== TYPE) return;
    if (typeof data["plays"] === "boolean") return data["plays"] ? play() : pause();
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

/**
 * Send the height of the content whenever it changes, so that a frame can take it.
 *
 * Heights relative to the window are those of the first one, or a frame that follows would grow
 * without end. On a phone the play bar stays at the end of the window, which a tall frame would hide.
 */
function reportHeight(): void {
  if (matchMedia("(max-width: 40rem), (max-height: 34rem)").matches) return;
  document.documentElement.style.setProperty("--window", `${innerHeight}px`);
  const report = () => (height.value = document.body.offsetHeight);
  new ResizeObserver(report).observe(document.body);
}

/** Send the state to the page around this one; it contains nothing private. */
function postState(): void {
  const { expression, values, parameters } = shareable.value;
  const { result, gradients } = shown.value.document;
  const message = {
    type: TYPE,
    address: `#${currentAddress()}`,
    ...{ expression, values, parameters },
    ...(fault.value ? { result: null, gradients: {} } : { result, gradients }),
    error: fault.value?.message ?? null,
    height: height.value,
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
