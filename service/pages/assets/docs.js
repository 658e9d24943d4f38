// A button that copies each example, and one that sends each request and shows the reply.

import { offerLanguages } from "./languages.js";
import { explainedAll, make } from "./problem.js";
import { offerSearch } from "./search.js";

const button = (label, act) => {
  const made = make("button", "", label);
  made.type = "button";
  made.addEventListener("click", () => act(made));
  return made;
};

const copy = (block) =>
  button("Copy", async (self) => {
    await navigator.clipboard.writeText(block.querySelector("code").textContent);
    self.textContent = "Copied";
    setTimeout(() => (self.textContent = "Copy"), 1500);
  });

// Break compact JSON after each node and edge, so that a document can be read line by line.
const spread = (text) => text.replace(/\},(?=\{)/g, "},\n  ").replace(/,(?="(?!span)\w+":[[{])/g, ",\n");

const shown = async (reply) => {
  const type = reply.headers.get("content-type") ?? "";
  if (type.startsWith("image/")) {
    const picture = new Image();
    picture.alt = "The picture of the reply";
    picture.src = URL.createObjectURL(await reply.blob());
    picture.addEventListener("load", () => URL.revokeObjectURL(picture.src), { once: true });
    return [picture];
  }
  const text = await reply.text();
  if (!/[/+]json/.test(type)) return [make("pre", "", text)];
  const problems = await explainedAll(JSON.parse(text));
  const raw = make("pre", "", spread(text));
  if (problems.length === 0) return [raw];
  return [...problems, make("details", "", make("summary", "", "The reply as it was sent"), raw)];
};

const send = async (self, block, editor, output) => {
  const { method, path } = block.dataset;
  const started = performance.now();
  const sends = editor.dataset.body !== undefined;
  const options = { method, headers: { accept: "application/json, */*;q=0.5" } };
  if (sends) {
    options.body = editor.value;
    options.headers["content-type"] = "application/json";
  }
  try {
    const reply = await fetch(sends ? path : editor.value, options);
    const content = await shown(reply);
    const took = (performance.now() - started).toFixed(0);
    const head = `${reply.status} ${reply.headers.get("content-type") ?? ""} · ${took} ms`;
    output.replaceChildren(make("p", "head", head), ...content);
  } catch (fault) {
    output.replaceChildren(make("p", "", `No reply: ${fault.message}. Is the service running?`));
  }
  editor.hidden = output.hidden = false;
  self.textContent = "Send";
};

const enliven = (block) => {
  const body = block.querySelector(".sent");
  const editor = make("textarea");
  editor.hidden = true;
  editor.spellcheck = false;
  editor.value = body ? body.textContent : block.dataset.path;
  editor.rows = Math.min(12, editor.value.split("\n").length + Math.ceil(editor.value.length / 60) - 1);
  editor.setAttribute("aria-label", body ? "Body to send" : "Path to send");
  if (body) editor.dataset.body = "";
  const output = make("div", "reply");
  output.tabIndex = 0;
  output.hidden = true;
  output.setAttribute("role", "status");
  const row = make("div", "row", editor);
  row.append(button("Try it", (self) => send(self, block, editor, output)));
  block.append(row, output);
};

for (const origin of document.querySelectorAll(".origin")) origin.textContent = location.origin;
for (const block of document.querySelectorAll(".code")) block.append(copy(block));
for (const block of document.querySelectorAll(".try")) enliven(block);
offerLanguages();
for (const contents of document.querySelectorAll(".contents")) offerSearch(contents);
