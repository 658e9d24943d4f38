/** The overview of a large graph, as dots; those on the stage and at this step are highlighted. */

import { computed, untracked } from "@preact/signals";
import { shownWords } from "../words.ts";
import { stagePlan } from "./arrangement.ts";
import {
  activeNodes,
  arrived,
  chosenNode,
  currentFlows,
  focus,
  partialGrads,
  tickOfEdge,
} from "../state/play.ts";
import { shown, structure } from "../state/program.ts";
import { nameOf } from "../words/text.tsx";

/** A dot's smallest and largest radius, its largest shares of row and layer, and the margin. */
const [SMALL, LARGE, OF_ROW, OF_LAYER, PAD] = [1.6, 6, 0.32, 0.3, 14];
/** Height of the text above the dots, and in an overview narrower than `NARROW`, in pixels. */
const [LINE, LINES, NARROW] = [30, 72, 480];
/** The largest distance from a click to its dot, in pixels. */
const NEAR = 18;

/** The place of each node's dot, and the line of each arrow. */
const dots = computed(() => {
  const { cells, lens } = stagePlan.value.base;
  const { width, height } = lens!.dots;
  const { layered, rows } = cells;
  const most = Math.max(...rows.map((row) => row.length));
  const above = width < NARROW ? LINES : LINE;
  const high = Math.max(PAD, height - above - PAD);
  const radius = Math.max(
    SMALL,
    Math.min(LARGE, (high / most) * OF_ROW, (width / rows.length) * OF_LAYER),
  );
  const gap = Math.min((high - 2 * radius) / most, radius * 4.5);
  const placeOf = (item: number, layer: number) => ({
    x: PAD + ((width - 2 * PAD) * (layer + 0.5)) / rows.length,
    y: (height + above) / 2 + (rows[layer]!.indexOf(item) - (rows[layer]!.length - 1) / 2) * gap,
  });
  const places = cells.shape.nodes.map(({ id }) => placeOf(id, layered.first[id]!));
  const points = places.map(({ x, y }) => `M${x.toFixed(1)} ${y.toFixed(1)}h0`);
  const lines = cells.shape.edges.map(({ id, from, to }) => {
    const stops = [places[from]!];
    for (let layer = layered.first[from]! + 1; layer < layered.first[to]!; layer++)
      stops.push(placeOf(layered.sources[id]!, layer));
    stops.push(places[to]!);
    return `M${stops.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}`;
  });
  return { width, height, radius, places, points, lines };
});

/** Made once per graph, not at each step or change of a number. */
const options = computed(() =>
  structure.value.template.nodes.map(({ row: { id } }) => (
    <option value={String(id)}>{untracked(() => nameOf(shown.value, id))}</option>
  )),
);

export function Overview() {
  const { width, height } = dots.value;
  const { nodes } = shown.value.document;
  if (height === 0) return null;
  return (
    <div class="overview" style={`width:${width}px;height:${height}px`} data-dots={nodes.length}>
      <svg width={width} height={height} aria-hidden="true" onClick={pick}>
        <Threads />
        <Dots />
      </svg>
      <label>
        {shownWords.value.whole.dots(nodes.length)}
        <select
          value={String(focus.value.to)}
          onChange={(event) => (chosenNode.value = Number(event.currentTarget.value))}
        >
          {options.value}
        </select>
      </label>
    </div>
  );
}

/** Draw all lines or dots of a kind as one path. */
function Paths({ of, radius }: { of: Map<string, string[]>; radius?: number }) {
  return (
    <>
      {[...of].map(([kind, paths]) => (
        <path key={kind} class={kind} d={paths.join("")} stroke-width={radius && 2 * radius} />
      ))}
    </>
  );
}

function Threads() {
  const now = new Set([...currentFlows.value].map(({ id }) => id));
  const kindOf = (id: number) => {
    if (now.has(id)) return "thread now";
    return (tickOfEdge.value.get(id) ?? Infinity) <= arrived.value ? "thread done" : "thread";
  };
  return <Paths of={Map.groupBy(dots.value.lines, (_, id) => kindOf(id))} />;
}

/** A dot's colour shows its gradient: unknown, negative, or not negative. */
function Dots() {
  const { points, radius } = dots.value;
  const { nodes } = shown.value.document;
  const seen = new Set(stagePlan.value.plan.cards.map(({ id }) => id));
  const around = (ids: ReadonlySet<number>) => points.filter((_, id) => ids.has(id)).join("");
  const kindOf = (id: number) => {
    const { grad } = partialGrads.value[id]!;
    if (grad !== null) return `dot ${grad < 0 ? "minus" : "reached"}`;
    return `dot ${nodes[id]!.kind === "operation" ? "" : "input"}`;
  };
  return (
    <>
      <path class="dot seen" d={around(seen)} stroke-width={2 * radius + 3} />
      <path class="dot now" d={around(activeNodes.value)} stroke-width={2 * radius + 6} />
      <Paths of={Map.groupBy(points, (_, id) => kindOf(id))} radius={radius} />
    </>
  );
}

/** Choose the value whose dot is nearest to a click. */
function pick(event: MouseEvent): void {
  const found = dots.value.places.map(({ x, y }, id) => {
    return { id, distance: Math.hypot(x - event.offsetX, y - event.offsetY) };
  });
  const [nearest] = found.sort((one, other) => one.distance - other.distance);
  if (nearest!.distance < NEAR) chosenNode.value = nearest!.id;
}
