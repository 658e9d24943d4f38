/** Cards in their places -> how the arrows between them run. */

import type { Document } from "../../../engine_ts/src/document.ts";
import type { Weave } from "../../../engine_ts/src/picture/weave.ts";
import type { Point } from "./camera.ts";
import { ARROW_ROOM, CONSTANT } from "./size.ts";
import type { Size } from "./size.ts";

/** How far two arrows between the same cards keep apart, in heights of a card. */
const BOW = 0.5;
/** The width of a usual label. */
const LABEL = 70;

/** Where an arrow runs: cubic curves, from the operation to the operand that receives. */
export interface Route {
  /** Start, then for each curve two control points and an end. */
  readonly points: readonly Point[];
  /** The middle of its label. */
  readonly label: Point;
}

/** All arrows of a graph, as if it ran from left to right. */
export class Routes {
  private readonly nodes: Document["nodes"];
  private readonly edges: Document["edges"];
  private readonly woven: Weave;
  private readonly size: Size;
  private readonly cards: readonly Point[];
  private readonly lines: readonly number[];
  private readonly along: (layer: number) => number;
  private readonly turned: boolean;

  constructor(
    { nodes, edges }: Document,
    woven: Weave,
    size: Size,
    cards: readonly Point[],
    lines: readonly number[],
    along: (layer: number) => number,
    turned: boolean,
  ) {
    [this.nodes, this.edges, this.woven, this.size] = [nodes, edges, woven, size];
    [this.cards, this.lines, this.along, this.turned] = [cards, lines, along, turned];
  }

  all(): Route[] {
    const ports = this.arrivals();
    return this.edges.map((edge) => this.route(edge.id, ports[edge.id]!));
  }

  /** Give each arrow its own place at the card that receives, in the order of where they come from. */
  private arrivals(): number[] {
    const offsets = this.edges.map(() => 0);
    for (const group of Map.groupBy(this.edges, ({ from }) => from).values()) {
      const sorted = [...group].sort(
        (one, other) => this.comesFrom(one.id) - this.comesFrom(other.id),
      );
      const gap = Math.min(this.size.port * 2, (this.size.short - 16) / sorted.length);
      for (const [at, { id }] of sorted.entries()) {
        offsets[id] = (at - (sorted.length - 1) / 2) * gap;
      }
    }
    return offsets;
  }

  private comesFrom(edge: number): number {
    const { from, to } = this.edges[edge]!;
    const source = this.woven.sources[edge]!;
    return (source === from ? this.departure(edge) : this.lines[source]!) + to / 1000;
  }

  /** Where an arrow leaves the operation. */
  private departure(edge: number): number {
    return this.cards[this.edges[edge]!.to]!.y + this.woven.ports[edge]! * this.size.port;
  }

  private route(edge: number, port: number): Route {
    const { from, to } = this.edges[edge]!;
    const half = this.size.long / 2;
    const isConstant = this.nodes[from]!.kind === "constant";
    const edgeOf = isConstant ? CONSTANT[Number(this.turned)]! / 2 : half;
    const start = { x: this.cards[to]!.x - half, y: this.departure(edge) };
    const end = { x: this.cards[from]!.x + edgeOf + ARROW_ROOM, y: this.cards[from]!.y + port };
    const stops = [start, ...this.lane(edge), end];
    const bow = this.bow(edge);
    const points = [start];
    for (const [at, stop] of stops.entries()) {
      if (at === 0) continue;
      const before = stops[at - 1]!;
      const middle = (before.x + stop.x) / 2;
      points.push({ x: middle, y: before.y + bow }, { x: middle, y: stop.y + bow }, stop);
    }
    const { x, y } = this.label(edge, stops);
    return { points, label: { x, y: y + bow * 0.75 } };
  }

  /** Two arrows between the same cards keep apart. */
  private bow(edge: number): number {
    const { from, to, slot } = this.edges[edge]!;
    const isPair = this.edges.some(
      (other) => other.from === from && other.to === to && other.slot !== slot,
    );
    return isPair ? (slot === 0 ? -1 : 1) * this.size.short * BOW : 0;
  }

  /** The stretch in which an arrow passes layers, from its end near the operation. */
  private lane(edge: number): Point[] {
    const { from } = this.edges[edge]!;
    const source = this.woven.sources[edge]!;
    if (source === from) return [];
    const y = this.lines[source]!;
    const half = this.size.long / 2;
    const last = this.woven.first[this.edges[edge]!.to]! - 1;
    const first = this.woven.first[source]!;
    return [
      { x: this.along(last) + half, y },
      { x: this.along(first) - half, y },
    ];
  }

  /** Whether no card is so near to a lane that it would cover a label; beside cards there is room. */
  private isFree(stops: readonly Point[]): boolean {
    const [, last, first] = stops as [Point, Point, Point];
    const near = (this.size.short + LABEL) / 2;
    return (
      !this.turned ||
      this.cards.every(({ x, y }) => x < first.x || x > last.x || Math.abs(y - first.y) > near)
    );
  }

  /** In the middle; an arrow that shares its lane has the label before they meet. */
  private label(edge: number, stops: readonly Point[]): Point {
    const source = this.woven.sources[edge]!;
    const shares = this.woven.sources.filter((other) => other === source).length > 1;
    const at = stops.length > 2 && !shares && this.isFree(stops) ? 1 : 0;
    const [one, other] = [stops[at]!, stops[at + 1]!];
    // Between the cards, not between the ends of the line: the head is in the gap, too.
    const head = at + 2 === stops.length ? ARROW_ROOM / 2 : 0;
    return { x: (one.x + other.x) / 2 - head, y: (one.y + other.y) / 2 };
  }
}
