/** The stage as it is drawn at this step, as an SVG of boxes, lines and texts. */

const NAMESPACE = "http://www.w3.org/2000/svg";
/** Pixels around the graph. */
const MARGIN = 12;
const CLEAR = "rgba(0, 0, 0, 0)";

/** Return the stage's picture, front-on, with `title` for screen readers. */
export function pictureOfStage(title: string): string {
  const picture = document.querySelector<HTMLElement>(".picture")!;
  const turn = picture.style.transform;
  picture.style.transform = "none";
  const { left, top, width, height } = picture.getBoundingClientRect();
  const [wide, high] = [width + 2 * MARGIN, height + 2 * MARGIN].map(Math.ceil) as [number, number];
  const graph = element("g", { transform: `translate(${MARGIN} ${MARGIN})` });
  for (const part of picture.querySelectorAll("*")) graph.append(...drawn(part, left, top));
  picture.style.transform = turn;
  const ground = getComputedStyle(picture).getPropertyValue("--stage");
  const whole = element("svg", { width: wide, height: high, viewBox: `0 0 ${wide} ${high}` });
  whole.append(
    element("title", {}, title),
    element("rect", { width: wide, height: high, fill: ground.trim() }),
    graph,
  );
  return new XMLSerializer().serializeToString(whole);
}

/** Return what shows an element itself, without its children, from the picture's corner. */
function drawn(part: Element, left: number, top: number): Element[] {
  const style = getComputedStyle(part);
  if (style.visibility === "hidden" || style.display === "none") return [];
  if (part instanceof SVGElement)
    return part instanceof SVGPathElement && !part.matches(".hit") ? [line(part, style)] : [];
  const box = boxOf(part.getBoundingClientRect(), style, left, top);
  const texts = [...part.childNodes].filter((child) => child instanceof Text);
  return [...box, ...texts.flatMap((text) => textOf(text, style, left, top))];
}

function line(path: SVGPathElement, style: CSSStyleDeclaration): Element {
  const { a, b, c, d, e, f } = path.getCTM()!;
  return element("path", {
    d: path.getAttribute("d")!,
    transform: `matrix(${[a, b, c, d, e, f].map(short).join(" ")})`,
    fill: style.fill,
    stroke: style.stroke,
    "stroke-width": style.strokeWidth,
    "stroke-dasharray": style.strokeDasharray,
  });
}

/** Return the element's background and border, if it has one. */
function boxOf(box: DOMRect, style: CSSStyleDeclaration, left: number, top: number): Element[] {
  const border = parseFloat(style.borderTopWidth);
  const isEmpty = border === 0 && style.backgroundColor === CLEAR;
  if (isEmpty || box.width === 0 || box.height === 0) return [];
  const [width, height] = [box.width - border, box.height - border];
  const radius = style.borderTopLeftRadius;
  const corner = radius.endsWith("%") ? (parseFloat(radius) / 100) * width : parseFloat(radius);
  return [
    element("rect", {
      x: short(box.left - left + border / 2),
      y: short(box.top - top + border / 2),
      width: short(width),
      height: short(height),
      rx: short(Math.min(corner, width / 2, height / 2)),
      fill: style.backgroundColor === CLEAR ? "none" : style.backgroundColor,
      stroke: border === 0 ? "none" : style.borderTopColor,
      "stroke-width": border,
      "stroke-dasharray": style.borderTopStyle === "dashed" ? `${3 * border}` : "none",
      opacity: style.opacity,
    }),
  ];
}

const context = document.createElement("canvas").getContext("2d")!;

/** Return a text, as wide as on the stage in any font. */
function textOf(node: Text, style: CSSStyleDeclaration, left: number, top: number): Element[] {
  const text = node.data.trim();
  if (text === "") return [];
  const range = document.createRange();
  const start = node.data.indexOf(text);
  range.setStart(node, start);
  range.setEnd(node, start + text.length);
  const box = range.getBoundingClientRect();
  context.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  const { fontBoundingBoxAscent: up, fontBoundingBoxDescent: down } = context.measureText(text);
  const baseline = box.top + (box.height - up - down) / 2 + up;
  const attributes = {
    x: short(box.left - left),
    y: short(baseline - top),
    textLength: short(box.width),
    lengthAdjust: "spacingAndGlyphs",
    fill: style.color,
    "font-family": style.fontFamily,
    "font-size": style.fontSize,
    "font-weight": style.fontWeight,
  };
  return [element("text", attributes, text)];
}

function short(number: number): number {
  return Math.round(number * 100) / 100;
}

function element(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  text = "",
): Element {
  const made = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.textContent = text;
  return made;
}
