/** The page: everything that is seen is a function of the state. */

import { lazy } from "./lazy.tsx";
import { Panel } from "./panel/panel.tsx";
import { place } from "./state/location.ts";
import { Stage } from "./stage/stage.tsx";
import { Ask, SiteBar, Title } from "./top/top.tsx";
import { words } from "./words.ts";

const Below = lazy(({ Below }) => Below);
const Scene = lazy(({ Scene }) => Scene);

/** Inside another page only the graph is shown, and what `show` names. */
const query = new URLSearchParams(place.search);
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
      <main class={`sandbox${isEmbedded ? " embedded" : ""}`} id="content">
        {shows("title") && <Title />}
        {shows("expression") && <Ask />}
        <Scene />
        <div class={`bench${shows("panel") ? "" : " alone"}`}>
          <Stage />
          {shows("panel") && <Panel />}
        </div>
        {shows("more") && <Below />}
      </main>
    </>
  );
}
