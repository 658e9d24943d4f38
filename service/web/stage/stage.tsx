/** The middle of the page: the graph with its tools, the sentence, and the play bar. */

import { useSignalEffect } from "@preact/signals";
import { createRef } from "preact";
import { fault, shown } from "../state/program.ts";
import { playing, way } from "../state/play.ts";
import { panBy, stage, turnBy, zoom, zoomBy } from "../state/view.ts";
import { words } from "../words/words.ts";
import { Graph } from "./graph.tsx";
import { PlayBar } from "./play_bar.tsx";
import { Sentence } from "./sentence.tsx";
import { Tools } from "./tools.tsx";

/** Radians for a pixel of dragging. */
const PER_PIXEL = 1 / 500;
const PER_WHEEL = 1 / 400;

const view = createRef<HTMLDivElement>();
const canvas = createRef<HTMLDivElement>();

export function Stage() {
  useSignalEffect(() => {
    const element = view.current!;
    const observer = new ResizeObserver(([entry]) => {
      const { contentRect } = entry!;
      stage.value = { width: contentRect.width, height: contentRect.height };
    });
    observer.observe(canvas.current!);
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => {
      observer.disconnect();
      element.removeEventListener("wheel", onWheel);
    };
  });
  const text = words.value;
  const isStale = fault.value !== null;
  const state = `${isStale ? " stale" : ""}${playing.value ? " playing" : ""} ${way.value}`;
  return (
    <section class={`stage${state}`} aria-label={text.stage.name}>
      <div
        class="view"
        ref={view}
        onPointerDown={onDown}
        onPointerMove={onMove}
        onPointerUp={onUp}
        onPointerCancel={onUp}
      >
        <Tools />
        <div class="canvas" ref={canvas}>
          <Graph />
        </div>
        {isStale && (
          <p class="held">
            {text.fault.stale} <span class="mono">{shown.value.expression}</span>
          </p>
        )}
      </div>
      <Sentence />
      <PlayBar />
    </section>
  );
}

const fingers = new Map<number, { x: number; y: number }>();

function onDown(event: PointerEvent): void {
  const target = event.target as Element;
  if (event.button !== 0 || target.closest("button, label, [role=button]")) return;
  fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  if (event.pointerType === "mouse") view.current!.setPointerCapture(event.pointerId);
}

function onUp(event: PointerEvent): void {
  fingers.delete(event.pointerId);
}

/** A mouse turns the graph, or moves it where it is near; two fingers pinch it and move it. */
function onMove(event: PointerEvent): void {
  const before = fingers.get(event.pointerId);
  if (before === undefined) return;
  const now = { x: event.clientX, y: event.clientY };
  const [x, y] = [now.x - before.x, now.y - before.y];
  if (fingers.size === 2) pinch(event.pointerId, before, now);
  else if (event.pointerType !== "mouse") return;
  else if (zoom.value > 1 || event.shiftKey) move(x, y);
  else turnBy(x * PER_PIXEL, y * PER_PIXEL);
  fingers.set(event.pointerId, now);
}

function pinch(id: number, before: { x: number; y: number }, now: { x: number; y: number }): void {
  const [other] = [...fingers].filter(([each]) => each !== id).map(([, place]) => place);
  const distance = (place: { x: number; y: number }) =>
    Math.hypot(place.x - other!.x, place.y - other!.y) || 1;
  zoomBy(distance(now) / distance(before));
  move((now.x - before.x) / 2, (now.y - before.y) / 2);
}

function move(x: number, y: number): void {
  const svg = view.current!.querySelector("svg");
  const scale = svg ? svg.viewBox.baseVal.width / svg.clientWidth : 1;
  panBy(x * scale, y * scale);
}

/** Only with Ctrl, as browsers report a pinch on a touchpad: the page has to scroll. */
function onWheel(event: WheelEvent): void {
  if (!event.ctrlKey) return;
  event.preventDefault();
  zoomBy(Math.exp(-event.deltaY * PER_WHEEL));
}
