/** The engine's picture of the graph, as a file: the same that the service draws. */

import { draw } from "../../../engine_ts/src/picture/draw.ts";
import { shown } from "../state/program.ts";
import { remark } from "../state/view.ts";
import { laterWords } from "../later_words.ts";

/** Pixels of the file for one of the picture: sharp on paper and on dense screens. */
const DENSE = 2;

export function saveSvg(): void {
  save(picture(), "graph.svg");
}

/** Draw the picture on a canvas of its size, on white. */
export function savePng(): void {
  const address = URL.createObjectURL(picture());
  const image = new Image();
  image.onload = () => {
    URL.revokeObjectURL(address);
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.width * DENSE, image.height * DENSE];
    const paper = canvas.getContext("2d")!;
    paper.fillStyle = "#fff";
    paper.fillRect(0, 0, canvas.width, canvas.height);
    paper.drawImage(image, 0, 0, canvas.width, canvas.height);
    // A graph may be larger than a browser's canvas, which then gives nothing.
    canvas.toBlob((file) => (file === null ? tooLarge() : save(file, "graph.png")));
  };
  image.onerror = tooLarge;
  image.src = address;
}

function tooLarge(): void {
  remark.value = () => laterWords.value.take.tooLarge;
}

function picture(): Blob {
  return new Blob([draw(shown.value.document)], { type: "image/svg+xml" });
}

function save(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1_000);
}
