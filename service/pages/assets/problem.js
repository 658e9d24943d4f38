// A problem (RFC 9457) -> the sentence, the place in the text, and the cure, for a person to read.

export const make = (tag, className, ...content) => {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...content);
  return made;
};

// Text between backticks is code.
const prose = (text) =>
  text.split("`").map((piece, index) => (index % 2 ? make("code", "", piece) : piece));

const cureOf = async (type) => {
  try {
    const reply = await fetch(type, { headers: { accept: "application/json" } });
    return reply.ok ? (await reply.json()).cure : "";
  } catch {
    return "";
  }
};

const link = (problem) => {
  const made = make("a", "", make("code", "", problem.code));
  made.href = problem.type;
  return made;
};

export const explained = async (problem, heading) => {
  const [sentence, ...drawing] = problem.detail.split("\n\n");
  const shown = make("div", "problem", make("p", "sentence", ...heading, ...prose(sentence)));
  if (drawing.length) shown.append(make("pre", "place", drawing.join("\n\n")));
  const others = (problem.errors ?? []).slice(1);
  for (const one of others) {
    shown.append(make("p", "", make("code", "", one.pointer), " ", ...prose(one.message)));
  }
  const cure = await cureOf(problem.type);
  shown.append(make("p", "cure", ...prose(cure ? `${cure} ` : ""), "More: ", link(problem)));
  return shown;
};

// In a batch, each problem is shown with the number of its request.
export const explainedAll = async (content) => {
  if (content.code && content.detail) return [await explained(content, [])];
  const failed = (content.results ?? []).map((one, index) => [one, index]).filter(([one]) => one.code);
  return Promise.all(
    failed.map(([one, index]) => explained(one, [make("strong", "", `Request ${index + 1}: `)])),
  );
};
