/** On paper the graph is whole, with what its arrows say; afterwards it is looked at as before. */

import { batch } from "@preact/signals";
import { follow, following, isCrowded, looked, lookAt, showAll } from "../state/sight.ts";
import { pan, zoom } from "../state/view.ts";
import { arrive } from "./frame.ts";

let back: (() => void) | null = null;

function put(onPaper: boolean): void {
  if (onPaper === (back !== null) || isCrowded.value) return;
  if (onPaper) {
    const [isFollowing, cards, near, place] = [
      following.value,
      looked.value,
      zoom.value,
      pan.value,
    ];
    back = () => {
      if (isFollowing) follow();
      else lookAt(cards);
      batch(() => ([zoom.value, pan.value] = [near, place]));
    };
    showAll();
  } else {
    back!();
    back = null;
  }
  arrive();
}

const print = matchMedia("print");

export function startPaper(): void {
  print.addEventListener("change", () => put(print.matches));
  addEventListener("beforeprint", () => put(true));
  addEventListener("afterprint", () => put(false));
}
