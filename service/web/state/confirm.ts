/** The document here -> the service's, asked when nothing has changed for a moment, and compared. */

import { effect } from "@preact/signals";
import { canonicalText } from "../../../engine_ts/src/canonical.ts";
import type { Document } from "../../../engine_ts/src/document.ts";
import { isAlone, parity } from "./parity.ts";
import { shown } from "./program.ts";
import type { Shown } from "./program.ts";

/** Milliseconds without a change, before the service is asked. */
const REST = 250;
const PATIENCE = 5_000;

export function startConfirming(): void {
  if (isAlone) return;
  effect(() => {
    const asked = shown.value;
    const call = new AbortController();
    const timer = setTimeout(() => void ask(asked, call), REST);
    return () => {
      clearTimeout(timer);
      call.abort("changed");
    };
  });
  addEventListener("online", () => void ask(shown.peek(), new AbortController()));
}

async function ask(asked: Shown, call: AbortController): Promise<void> {
  if (parity.peek().state === "away") parity.value = { state: "asking" };
  const patience = setTimeout(() => call.abort("slow"), PATIENCE);
  const { values, parameters, document } = asked;
  const body = JSON.stringify({
    expression: asked.expression,
    values,
    parameters,
    view: document.view,
  });
  try {
    const headers = { "Content-Type": "application/json", Accept: "application/json" };
    const reply = await fetch("v1/gradient", {
      method: "POST",
      headers,
      body,
      signal: call.signal,
    });
    if (reply.status >= 400 && reply.status < 500) parity.value = { state: "refused" };
    else if (reply.ok) note(document, (await reply.json()) as Document);
    else parity.value = { state: "away" };
  } catch {
    if (call.signal.reason !== "changed") parity.value = { state: "away" };
  } finally {
    clearTimeout(patience);
  }
}

function note(ours: Document, theirs: Document): void {
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

interface Difference {
  readonly where: string;
  readonly here: string;
  readonly there: string;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
