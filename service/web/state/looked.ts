/** How a graph is looked at, as parts of an address: open groups and curves, ranges, camera. */

import { groups, opened } from "./groups.ts";
import { countsOf, isVariable, numbersOf, pairsOf } from "./member.ts";
import type { Member } from "./member.ts";
import { clamp } from "./number.ts";
import { opened as curve, ranges } from "./ranges.ts";
import { chosenCards, follow, following, lookAt } from "./sight.ts";
import { chosen, pan, pitch, resetView, turnBy, yaw, zoom, zoomBy } from "./view.ts";

/** How far the graph is moved at most, in widths and heights of the stage. */
const FARTHEST = 16;

export const OPEN: Member = {
  name: "open",
  write: () => [...opened.value].join("."),
  read: (text) => (opened.value = new Set(countsOf(text))),
};

export const RANGES: Member = {
  name: "r",
  isEdit: true,
  write() {
    const set = Object.entries(ranges.value).filter(([name]) => isVariable(name));
    return set.map(([name, { from, to }]) => `${name}:${from}:${to}`).join(",");
  },
  read(text) {
    const found = pairsOf(text).map(([name, ends]) => [name, numbersOf(ends, [0, 0])] as const);
    const whole = found.filter(([, [from, to]]) => from < to);
    ranges.value = Object.fromEntries(whole.map(([name, [from, to]]) => [name, { from, to }]));
  },
};

export const CURVE: Member = {
  name: "curve",
  write: () => curve.value ?? "",
  read: (text) => (curve.value = isVariable(text) ? text : null),
};

export const LOOK: Member = {
  name: "look",
  write: () => (following.value ? "" : (chosenCards.value?.join(".") ?? "all")),
  read(text) {
    const { cards } = groups.value;
    const found = countsOf(text).filter((id) => cards.some((card) => card.id === id));
    if (found.length > 0) lookAt(found);
    else if (text === "all") lookAt(null);
    else follow();
  },
};

export const CAMERA: Member = {
  name: "camera",
  write() {
    const { x, y } = pan.value;
    const now = [yaw.value, pitch.value, zoom.value, x, y].map((each) => Number(each.toFixed(3)));
    return now.join(":") === "0:0:1:0:0" ? "" : now.join(":");
  },
  read(text) {
    const [sideways, upwards, factor, x, y] = numbersOf(text, [0, 0, 1, 0, 0]);
    resetView();
    turnBy(sideways, upwards);
    zoomBy(factor);
    pan.value = { x: clamp(x, -FARTHEST, FARTHEST), y: clamp(y, -FARTHEST, FARTHEST) };
  },
};

export const EDGE: Member = {
  name: "edge",
  write: () => chosen.value?.toString() ?? "",
  read: (text) => (chosen.value = countsOf(text)[0] ?? null),
};
