/** The page: everything that is seen is a function of the state. */

import { render } from "preact";
import { Below } from "./below/below.tsx";
import { loadLater } from "./lazy.tsx";
import { Panel } from "./panel/panel.tsx";
import { Stage } from "./stage/stage.tsx";
import { Ask, SiteBar, Title } from "./top/top.tsx";
import { words } from "./words/words.ts";

function Page() {
  return (
    <>
      <a class="skip" href="#content">
        {words.value.skip}
      </a>
      <SiteBar />
      <main class="sandbox" id="content">
        <Title />
        <Ask />
        <div class="bench">
          <Stage />
          <Panel />
        </div>
        <Below />
      </main>
    </>
  );
}

/** A shared address is read before anything is shown; without one, what can wait does. */
async function start(): Promise<void> {
  const loading = loadLater();
  if (location.hash.includes("=")) (await loading).startAddress();
  render(<Page />, document.body);
  const later = await loading;
  later.startAddress();
  later.startHands();
  later.startKeys();
  later.startConfirming();
}

void start();
