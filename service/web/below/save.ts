/** The engine's picture of the graph, as a file: the same that the service draws. */

import { draw } from "../../../engine_ts/src/picture/draw.ts";
import { shown } from "../state/program.ts";

export function saveSvg(): void {
  const file = new Blob([draw(shown.value.document)], { type: "image/svg+xml" });
  const address = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = address;
  link.download = "graph.svg";
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1_000);
}
