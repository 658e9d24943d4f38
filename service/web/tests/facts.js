// Return the violations, as texts, of facts that must hold in each state and window of the page.
({ width, height, hasFinger }) => {
  const wrong = [];
  const tell = (fact, element, more = "") => {
    const { className } = element;
    const kind = `${element.localName}.${className.baseVal ?? className}`;
    wrong.push(`${fact}: ${kind} "${element.textContent.trim().slice(0, 60)}" ${more}`);
  };
  const page = document.fullscreenElement ?? document;
  const all = (selector) => [...page.querySelectorAll(selector)];
  const boxOf = (element) => element.getBoundingClientRect();
  const meet = (one, other, by) =>
    Math.min(one.right, other.right) - Math.max(one.left, other.left) > by &&
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > by;
  const isSeen = (element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    element.closest(".visually-hidden, .skip, option, noscript, script, style") === null &&
    isInRow(element);

  /** Examples that do not fit into their row are hidden. */
  function isInRow(element) {
    const row = element.closest(".line");
    return row === null || boxOf(element).top < boxOf(row).bottom - 1;
  }

  // Each visible text, with the box of its letters.
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { parentElement: holder, data } = walker.currentNode;
    if (data.trim() === "" || !isSeen(holder)) continue;
    const range = document.createRange();
    range.setStart(walker.currentNode, data.search(/\S/));
    range.setEnd(walker.currentNode, data.trimEnd().length);
    const box = range.getBoundingClientRect();
    if (box.width > 0 && !isHidden(holder)) texts.push({ holder, box });
  }

  /** Whether a text is only for screen readers, or only sets the size of the field over it. */
  function isHidden(element) {
    if (colour(getComputedStyle(element).color)[3] === 0) return true;
    for (let at = element; at !== null; at = at.parentElement)
      if (getComputedStyle(at).clipPath !== "none") return true;
    return false;
  }

  // No text is cut by a box or by the window, unless it can be scrolled there.
  for (const { holder, box } of texts) {
    if (holder.closest(".playing .sentence")) continue; // one line, shown in full in a pause
    const open = { X: true, Y: true };
    let isBoxed = false;
    let block = null; // the container of an absolute box: boxes in between do not clip it
    const size = parseFloat(getComputedStyle(holder).fontSize);
    for (let at = holder; at !== document.body; at = at.parentElement) {
      if (block !== null && at !== block) continue;
      block = null;
      const style = getComputedStyle(at);
      if (style.position === "absolute") block = at.offsetParent;
      const outer = boxOf(at);
      const beyond = {
        X: Math.max(outer.left - box.left, box.right - outer.right) > 1.5,
        Y: Math.max(outer.top - box.top, box.bottom - outer.bottom) > size / 3,
      };
      for (const axis of ["X", "Y"]) {
        if (!open[axis]) continue;
        const overflow = style[`overflow${axis}`];
        if (overflow === "auto" || overflow === "scroll") open[axis] = false;
        else if (overflow !== "visible" && beyond[axis]) {
          tell("cut", holder, `by ${at.localName}.${at.className}`);
          open[axis] = false;
        }
      }
      if (style.position === "fixed") break;
      if (isBoxed || style.display === "inline" || at.closest("svg")) continue;
      isBoxed = style.backgroundColor !== "rgba(0, 0, 0, 0)" || style.borderLeftWidth !== "0px";
      if (isBoxed && open.X && beyond.X)
        tell("out of its box", holder, `${at.localName}.${at.className}`);
    }
    if (open.X && (box.left < -1 || box.right > width + 1)) tell("outside the window", holder);
  }
  for (const text of all(".card :is(.name, .tag, .number-label, .val)")) {
    const range = document.createRange();
    range.selectNodeContents(text);
    const [inner, outer] = [boxOf(range), boxOf(text.closest(".card"))];
    const beyond = Math.max(outer.left - inner.left, inner.right - outer.right);
    const above = Math.max(outer.top - inner.top, inner.bottom - outer.bottom);
    if (inner.width > 0 && (beyond > 1 || above > 2)) tell("out of its card", text);
  }
  for (const card of height > 320 ? all(".card").filter(isSeen) : []) {
    const data = card.querySelector(".val.data");
    if (data === null || !isSeen(data)) tell("a card without its number", card);
  }
  if (document.documentElement.scrollWidth > width) wrong.push("the page scrolls sideways");

  const ends = all(".ticks span").flatMap((name) => [boxOf(name).left, boxOf(name).right]);
  if (ends.some((end, at) => end < ends[at - 1])) wrong.push("names of ticks meet");

  // Fonts are large enough.
  const least = width < 560 && height > 320 ? 12 : 11;
  for (const { holder } of texts) {
    const size = parseFloat(getComputedStyle(holder).fontSize);
    if (size < least - 1e-6) tell(`letters of ${size.toFixed(1)} px`, holder);
  }

  // A label fits its box, overlaps no card and no label, and its own arrow is the nearest.
  const canvas = document.querySelector(".canvas");
  const window_ = boxOf(canvas);
  const picture = boxOf(document.querySelector(".picture"));
  const lines = all(".edge .hit").map((hit) => {
    const length = hit.getTotalLength();
    const places = Array.from({ length: Math.ceil(length / 3) + 1 }, (_, at) =>
      hit.getPointAtLength(Math.min(length, 3 * at)),
    );
    const edge = hit.closest("[data-edge]").dataset.edge;
    return { edge, places: places.map(({ x, y }) => [x + picture.left, y + picture.top]) };
  });
  const isTurned = document.querySelector(".picture").style.transform !== "";
  const labels = isTurned ? [] : all(".sum").filter(isSeen);
  const rowsOf = (label) =>
    [...label.children].map((row) => {
      const range = document.createRange();
      range.selectNodeContents(row);
      return boxOf(range);
    });
  for (const [at, label] of labels.entries()) {
    const rows = rowsOf(label);
    const outer = boxOf(label);
    const { edge } = label.dataset;
    if (rows.some((row) => row.width > outer.width + 1)) tell("out of its box", label);
    const distance = ([x, y]) =>
      Math.min(
        ...rows.map(({ left, right, top, bottom }) =>
          Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom)),
        ),
      );
    const near = ({ places }) => Math.min(...places.map(distance));
    const own = near(lines.find((line) => line.edge === edge));
    if (lines.some((line) => line.edge !== edge && near(line) < own - 1.5))
      tell("a label is nearer to another arrow", label);
    for (const other of [...all(".card"), ...labels.slice(0, at).flatMap(rowsOf)])
      if (rows.some((row) => meet(row, other.width === undefined ? boxOf(other) : other, 1.5)))
        tell("a label meets a card or a label", label);
  }

  // Cards with marks instead of words have a legend, in a free place.
  const [legend] = all(".marks");
  const isMarked = all(".card .dot-mark").length > 0 && all(".nudge").length === 0;
  const hasRoom = innerHeight > 240; // the lowest frame may be too small
  if (isMarked && hasRoom && legend === undefined) tell("no legend of the marks", canvas);
  const around = [...all(".card").map(boxOf), ...labels.flatMap(rowsOf)];
  if (legend !== undefined && !isTurned && around.some((box) => meet(box, boxOf(legend), 1)))
    tell("the legend meets a card or a label", legend);

  // Cards are on the stage, apart from each other.
  for (const [at, card] of (isTurned ? [] : all(".card").filter(isSeen)).entries()) {
    const { left, right, top, bottom } = boxOf(card);
    const isOutside =
      Math.max(window_.left - left, right - window_.right) > 1 ||
      Math.max(window_.top - top, bottom - window_.bottom) > 1;
    if (isOutside) tell("a card outside the stage", card);
    if (
      all(".card")
        .slice(0, at)
        .some((other) => meet(boxOf(card), boxOf(other), 1))
    )
      tell("cards meet", card);
  }

  // No control covers a card or the sentence; those of the play bar are on the screen.
  const grounds = all(".card, .visit, .sentence > *").map((ground) => {
    const { left, right, top, bottom } = boxOf(ground);
    if (ground.matches(".visit")) return { left, right, top, bottom };
    const frame = ground.matches(".card") ? window_ : boxOf(ground.parentElement); // a sentence scrolls
    const within = (value, low, high) => Math.min(Math.max(value, low), high);
    return {
      left: within(left, frame.left, frame.right),
      right: within(right, frame.left, frame.right),
      top: within(top, frame.top, frame.bottom),
      bottom: within(bottom, frame.top, frame.bottom),
    };
  });
  const controls = all(":is(button, a[href], input, select, label, summary, .map)")
    .filter(isSeen)
    .filter((control) => control.closest(".card, .sentence") === null)
    .filter((control) => control.localName !== "label" || !isHidden(control));
  for (const control of controls) {
    if (grounds.some((ground) => meet(boxOf(control), ground, 1)))
      tell("a control over a card or the sentence", control);
    const above = topmost(control);
    const isFree =
      above === null || above.closest(".play, .sentence, label, .slot") || control.contains(above);
    if (!isFree && !above.contains(control))
      tell("a control is under another", control, above.className);
  }
  for (const number of all(".card .val").filter(isSeen)) {
    const above = topmost(number);
    if (above !== null && !above.closest(".card, .sentence, .play, .hit"))
      tell("a number is under something else", number, above.outerHTML.slice(0, 60));
  }

  /** Return the element that a press on an element's middle hits; null if it is out of sight. */
  function topmost(element) {
    const { left, right, top, bottom } = boxOf(element);
    const [across, down] = [(left + right) / 2, (top + bottom) / 2];
    for (let at = element.parentElement; at !== null; at = at.parentElement) {
      if (getComputedStyle(at).overflowY === "visible") continue;
      const around = boxOf(at);
      if (
        down < around.top ||
        down > around.bottom ||
        across < around.left ||
        across > around.right
      )
        return null;
    }
    return document.elementFromPoint(across, down);
  }

  const bar =
    all(".scene, .slot.wraps, details[open]").length > 0
      ? []
      : all(".play :is(button, select, input)");
  for (const control of bar.filter(isSeen)) {
    const { left, right, top, bottom } = boxOf(control);
    if (left < 0 || right > width || top < 0 || bottom > height)
      tell("not on the screen", control, `${top} ${bottom}`);
  }
  if (all(".stage.playing").length > 0) {
    const low = boxOf(document.querySelector(".sentence")).top;
    for (const card of all(":is(.receiving, .sending)")) {
      const { left, right, top, bottom } = boxOf(card);
      if (left < -1 || right > width + 1 || top < -1 || bottom > low + 1)
        tell("played out of sight", card, `${top} ${bottom} ${low}`);
    }
  }

  // Texts have contrast. Behind an element in full screen everything is black.
  for (const { holder } of texts) {
    if (!page.contains(holder)) continue;
    if (holder.closest("[disabled], .stale, [aria-disabled=true]")) continue; // dimmed on purpose
    const ratio = contrastOf(holder);
    if (ratio < 4.5) tell(`contrast of ${ratio.toFixed(2)}`, holder);
  }

  function contrastOf(holder) {
    const ink = colour(getComputedStyle(holder)[holder.closest("svg") ? "fill" : "color"]);
    const grounds = [];
    for (let at = holder; at !== null && (grounds.at(-1)?.[3] ?? 0) < 1; at = at.parentElement) {
      grounds.push(colour(getComputedStyle(at).backgroundColor));
      if (at === page) break;
    }
    let paper = document.fullscreenElement ? [0, 0, 0, 1] : [255, 255, 255, 1];
    for (const ground of grounds.reverse()) paper = mix(ground, paper);
    const [dark, bright] = [light(mix(ink, paper)), light(paper)].sort((a, b) => a - b);
    return (bright + 0.05) / (dark + 0.05);
  }

  function colour(text) {
    const [red, green, blue, alpha = 1] = text.match(/[\d.]+(e-\d+)?/g).map(Number);
    const by = text.startsWith("color(") ? 255 : 1;
    return [red * by, green * by, blue * by, alpha];
  }

  function mix(over, under) {
    return [...[0, 1, 2].map((at) => over[at] * over[3] + under[at] * (1 - over[3])), 1];
  }

  function light([red, green, blue]) {
    const channel = (part) =>
      part <= 10 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4;
    return 0.2126 * channel(red) + 0.7152 * channel(green) + 0.0722 * channel(blue);
  }

  // A touch target has 44 pixels, unless it is part of a larger one that does the same.
  const targets = "button, a[href], input, select, textarea, summary, label, [tabindex='0'], .hit";
  for (const target of hasFinger ? all(targets).filter(isSeen) : []) {
    let { width: wide, height: high } = boxOf(target);
    const isPart = target.matches(
      "label input, label:not(:has(input)), .card, .card :is(button, .val), .edge",
    );
    if (wide < 2 || isPart) continue;
    const reach = target.matches(".hit")
      ? parseFloat(getComputedStyle(target).strokeWidth)
      : Math.min(wide, high);
    if (reach < 43.9) tell(`a target of ${reach.toFixed(0)} px`, target);
  }
  return [...new Set(wrong)];
};
