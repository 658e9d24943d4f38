/** Compare the document with the service's, once nothing has changed for a moment. */

import { effect, signal } from "@preact/signals";
import { canonicalText } from "../../../engine_ts/src/canonical.ts";
import type { GradientDocument } from "../../../engine_ts/src/document.ts";
import { shown } from "./program.ts";
import type { ShownProgram } from "./program.ts";
import { isAlone } from "./view.ts";

type Parity =
  | { readonly state: "asking" | "agree" | "away" | "alone" | "refused" }
  | ({ readonly state: "differ" } & Difference);

/** The first member that differs, and its text in each document. */
interface Difference {
  readonly where: string;
  readonly here: string;
  readonly there: string;
}

export const parity = signal<Parity>({ state: isAlone ? "alone" : "asking" });

/** Milliseconds without a change before the service is asked. */
const QUIET = 250;
const TIMEOUT = 5_000;

export function startParityChecks(): void {
  if (isAlone) return;
  effect(() => {
    const program = shown.value;
    const call = new AbortController();
    const timer = setTimeout(() => void askService(program, call), QUIET);
    return () => {
      clearTimeout(timer);
      call.abort("changed");
    };
  });
  addEventListener("online", () => void askService(shown.peek(), new AbortController()));
}

async function askService(program: ShownProgram, call: AbortController): Promise<void> {
  if (parity.peek().state === "away") parity.value = { state: "asking" };
  const patience = setTimeout(() => call.abort("slow"), TIMEOUT);
  const { expression, values, parameters, document } = program;
  const body = JSON.stringify({ expression, values, parameters, view: document.view });
  const headers = { "Content-Type": "application/json", Accept: "application/json" };
  const { signal } = call;
  try {
    const reply = await fetch("v1/gradient", { method: "POST", headers, body, signal });
    if (reply.status >= 400 && reply.status < 500) parity.value = { state: "refused" };
    else if (reply.ok) compareDocuments(document, (await reply.json()) as GradientDocument);
    else parity.value = { state: "away" };
  } catch {
    if (call.signal.reason !== "changed") parity.value = { state: "away" };
  } finally {
    clearTimeout(patience);
  }
}

function compareDocuments(ours: GradientDocument, theirs: GradientDocument): void {
  if (canonicalText(ours) === canonicalText(theirs)) parity.value = { state: "agree" };
  else parity.value = { state: "differ", ...firstDifference(ours, theirs) };
}

/** Find the first member that differs, in the order of the document. */
function firstDifference(ours: unknown, theirs: unknown, where = ""): Difference {
  if (isObject(ours) && isObject(theirs)) {
    for (const name of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
      const [here, there] = [ours[name], theirs[name]];
      const place = where === "" ? name : `${where}.${name}`;
      if (JSON.stringify(here) !== JSON.stringify(there))
        return firstDifference(here, there, place);
    }
  }
  return { where, here: String(JSON.stringify(ours)), there: String(JSON.stringify(theirs)) };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
