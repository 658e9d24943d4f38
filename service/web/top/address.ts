/** An address -> what is shown. */

import { batch } from "@preact/signals";
import { loadLesson } from "../asked.ts";
import { loadCode } from "../lazy.tsx";
import { laterWords } from "../later_words.ts";
import { read, written } from "../state/address.ts";
import type { Parts, Refusal } from "../state/address.ts";
import type { Member } from "../state/member.ts";
import { MEMBERS } from "../state/members.ts";
import { START, take, taken } from "../state/program.ts";
import { way } from "../state/play.ts";
import { STEP } from "../state/tried.ts";
import { remark } from "../state/view.ts";
import { choose } from "../words.ts";
import type { Code } from "../words/language.ts";
import { languageOf } from "../words/language.ts";

/** Take what an address holds after #; one that cannot be read changes nothing. */
export async function load(hash: string, code: string | null = languageOf(hash)): Promise<void> {
  if (!hash.includes("=") || hash === written()) return;
  void choose(code as Code | null);
  if (hash.startsWith("lesson=")) {
    const found = await loadLesson().catch(() => null);
    if (found !== null) return load(found.sceneOf(hash), code);
  }
  // An address that names but a language is the page from its start.
  const said = /^lang=\w*$/.test(hash) ? { ...START, parts: new Map() } : read(hash);
  if ("why" in said) {
    remark.value = () => tell(said);
    return;
  }
  batch(() => take(said));
  for (const member of MEMBERS) set(member, said.parts);
  const named = said.parts.get("lang") ?? "";
  if (named !== "" && named !== languageOf(hash))
    remark.value = () => laterWords.value.address.language(named);
  if (way.value !== "sort") return;
  await loadCode().catch(() => undefined); // which has its steps
  set(STEP, said.parts);
}

/** Set a member by itself: what it changes is there for the next one, and is nobody's doing. */
function set({ name, read }: Member, parts: Parts): void {
  batch(() => {
    read(parts.get(name) ?? "");
    taken.value = { ...taken.value };
  });
}

/** Say that an address was not taken, and why. */
function tell(refusal: Refusal): string {
  const text = laterWords.value.address;
  return text.bad(refusal.why === "value" ? text.value(refusal.name) : text[refusal.why]);
}
