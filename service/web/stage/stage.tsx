/** The middle of the page: the graph with its tools, the sentence, and the play bar. */

import { useSignalEffect } from "@preact/signals";
import { createRef } from "preact";
import { useEffect } from "preact/hooks";
import { lazyLarge, lazyTraining, loaded } from "../lazy.tsx";
import { fault, shown } from "../state/program.ts";
import { playing, way } from "../state/play.ts";
import { chosen, remark, stage, tab, zoom } from "../state/view.ts";
import { words } from "../words.ts";
import { following, isCrowded } from "../state/sight.ts";
import { isTurned, isWhole, stageHeight, startIdle } from "./frame.ts";
import { Graph } from "./graph.tsx";
import { PlayBar } from "./play_bar.tsx";
import { Sentence } from "./sentence.tsx";
import { Tools } from "./tools.tsx";

const Loss = lazyTraining(({ Loss }) => Loss);
const Zoom = lazyLarge(({ Zoom }) => Zoom);
const Overview = lazyLarge(({ Overview }) => Overview);
const Minimap = lazyLarge(({ Minimap }) => Minimap);
const Pins = lazyLarge(({ Pins }) => Pins);

const canvas = createRef<HTMLDivElement>();

export function Stage() {
  useSignalEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      const { width, height } = entry!.contentRect;
      stage.value = { width, height };
    });
    observer.observe(canvas.current!);
    return () => observer.disconnect();
  });
  useEffect(startIdle, []);
  const text = words.value;
  const isAsked = chosen.value !== null || remark.value !== null;
  const isStale = fault.value !== null;
  const isLarge = isCrowded.value || !isWhole.value || zoom.value !== 1 || !following.value;
  const state = `${isStale ? " stale" : ""}${playing.value ? " playing" : ""} ${way.value}`;
  return (
    <section class={`stage${state}`} aria-label={text.stage.name}>
      <div class="view">
        <Tools />
        {isCrowded.value && <Overview />}
        <div
          class="canvas"
          ref={canvas}
          style={`--wide:${stage.value.width};--high:${stage.value.height};${isTurned.value ? `height:${stageHeight.value}px` : ""}`}
        >
          <Graph />
          {isLarge && <Pins />}
          {isLarge && <Minimap />}
        </div>
        {isLarge && <Zoom />}
        {isStale && (
          <p class="stale-label">
            {loaded.value?.laterWords.value.fault.stale}{" "}
            <span class="mono">{shown.value.expression}</span>
          </p>
        )}
      </div>
      {(tab.value !== "train" || isAsked) && <Sentence />}
      {tab.value === "train" ? <Loss /> : <PlayBar />}
    </section>
  );
}
