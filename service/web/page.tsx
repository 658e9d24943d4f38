/** The page: everything visible is a function of the state, which a shared address sets first. */

import { effect, untracked, useSignal } from "@preact/signals";
import { render } from "preact";
import type { ComponentType } from "preact";
import {
  firstKeys,
  firstPress,
  loaded,
  loadInteraction,
  loadOnFirstEvent,
  part,
  section,
} from "./interaction.ts";
import { exporting } from "./loading.tsx";
import { Panel } from "./panel/panel.tsx";
import { Stage } from "./stage/stage.tsx";
import { fault } from "./state/program.ts";
import { enter, isAlone, isFramed, isPrinted, moving, pageLocation } from "./state/view.ts";
import { ExpressionBar, Fault, SiteBar, startParityChecks, Title } from "./top/top.tsx";
import { chooseLanguage, languageOf, shownWords, words } from "./words.ts";

declare const SINGLE_FILE: boolean;

/** The address in a file that was saved with a program or a lecture. */
const saved = SINGLE_FILE ? document.querySelector<HTMLMetaElement>("meta[name=address]") : null;
const isText = SINGLE_FILE && location.protocol === "about:";
if (saved !== null && location.hash === "" && !isText)
  history.replaceState(null, "", `#${saved.content}`);

enter({
  // A frame without an address has its program in its name.
  address: isText ? new URL(`about:srcdoc${window.name || `#${saved?.content ?? ""}`}`) : location,
  isAlone: SINGLE_FILE,
  isFramed: parent !== window,
  reducedMotion: matchMedia("(prefers-reduced-motion: reduce)"),
});

const SceneSlot = part(({ SceneSlot }) => SceneSlot);

/** In another page, only the graph and the parts named by `show` are shown. */
const query = new URLSearchParams(pageLocation.search);
const isEmbedded = query.has("embed");
const wanted = (query.get("show") ?? "").split(",");

function shows(part: "title" | "expression" | "panel" | "more"): boolean {
  return !isEmbedded || wanted.includes(part);
}

function Page() {
  return (
    <>
      {!isEmbedded && (
        <>
          <a class="skip" href="#content">
            {words.value.skip}
          </a>
          <SiteBar />
        </>
      )}
      <main
        class={`sandbox${isEmbedded ? " embedded" : ""}`}
        id="content"
        data-moving={moving}
        data-ready={loaded.value !== null}
      >
        {shows("title") && <Title />}
        {shows("expression") ? <ExpressionBar /> : fault.value && <Fault fault={fault.value} />}
        {loaded.value && <SceneSlot />}
        <div class={`workbench${shows("panel") ? "" : " without-panel"}`}>
          <Stage />
          {shows("panel") && <Panel />}
        </div>
        {shows("more") && <Below />}
      </main>
      {!isEmbedded && !isAlone && <Foot />}
    </>
  );
}

async function start(): Promise<void> {
  const isNeeded = isFramed || pageLocation.hash.includes("=");
  const loading = isNeeded ? loadInteraction().catch(() => null) : null;
  await chooseLanguage(languageOf(pageLocation.hash));
  await (await loading)?.startAddress();
  render(<Page />, document.body);
  startParityChecks();
  loadOnFirstEvent();
  effect(() => {
    if (loaded.value !== null) untracked(() => startInteraction(loaded.value!));
  });
}

function startInteraction(parts: NonNullable<typeof loaded.value>): void {
  void parts.startAddress();
  parts.startNudging(firstPress);
  parts.startPointer();
  parts.startPointing();
  parts.startKeys(firstKeys);
  parts.showLinkedStep();
  parts.startPrinting();
  void parts.loadForOffline();
  if (isFramed) parts.startEmbedding();
}

/** The foot of the page, with the service's documents. */
function Foot() {
  const { service, reference, problems } = shownWords.value.below;
  return (
    <footer class="bar foot">
      <nav aria-label={service}>
        <a href="docs">{reference}</a>
        <a href="problems">{problems}</a>
        <a href="openapi.json">OpenAPI</a>
      </nav>
    </footer>
  );
}

const Tables = section(({ Tables }) => Tables);
const Keyboard = section(({ Keyboard }) => Keyboard);
const Export = exporting.section(({ Export }) => Export);

function Below() {
  const text = shownWords.value.below;
  return (
    <section class="below" aria-label={text.name}>
      <Fold id="table" title={text.table} of={Tables} />
      <Fold id="export" title={text.export} of={Export} />
      <Fold id="keyboard" title={text.keyboard} of={Keyboard} />
    </section>
  );
}

interface FoldProps {
  readonly id: string;
  readonly title: string;
  readonly of: ComponentType<object>;
}

/** A section that can be opened; on paper all are open. */
function Fold({ id, title, of: Part }: FoldProps) {
  const wasOpened = useSignal(false);
  const isOpen = isPrinted.value || wasOpened.value;
  return (
    <details
      id={id}
      open={isOpen}
      onToggle={({ currentTarget: { open } }) => isPrinted.value || (wasOpened.value = open)}
    >
      <summary>{title}</summary>
      {isOpen && <Part />}
    </details>
  );
}

void start();
