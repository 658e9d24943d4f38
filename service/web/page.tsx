/** The page: everything visible is a function of the state. */

import { loaded, part } from "./interaction.ts";
import { Panel } from "./panel/panel.tsx";
import { Stage } from "./stage/stage.tsx";
import { moving } from "./state/motion.ts";
import { isAlone, pageLocation } from "./state/view.ts";
import { ExpressionBar, SiteBar, Title } from "./top/top.tsx";
import { words } from "./words.ts";

const Below = part(({ Below }) => Below);
const Foot = part(({ Foot }) => Foot);
const SceneSlot = part(({ SceneSlot }) => SceneSlot);

/** Inside another page, only the graph and the parts named by `show` are shown. */
const query = new URLSearchParams(pageLocation.search);
const isEmbedded = query.has("embed");
const wanted = (query.get("show") ?? "").split(",");

function shows(part: "title" | "expression" | "panel" | "more"): boolean {
  return !isEmbedded || wanted.includes(part);
}

export function Page() {
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
        {shows("expression") && <ExpressionBar />}
        <SceneSlot />
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
