// Each example in the language that was chosen last; without scripts, all are shown.

import { make } from "./problem.js";

const KEPT = "language";
const examples = [...document.querySelectorAll("[data-language]")];
const tabs = [];

const choose = (language) => {
  for (const example of examples) example.hidden = example.dataset.language !== language;
  for (const tab of tabs) tab.setAttribute("aria-pressed", tab.textContent === language);
};

// Examples above change their height, too; the tab stays under the pointer.
const press = (tab) => {
  const { top } = tab.getBoundingClientRect();
  choose(tab.textContent);
  scrollBy(0, tab.getBoundingClientRect().top - top);
  localStorage.setItem(KEPT, tab.textContent);
};

const addTabs = (block) => {
  const row = make("div", "languages");
  row.setAttribute("role", "group");
  row.setAttribute("aria-label", "Language");
  for (const { dataset } of block.querySelectorAll("[data-language]")) {
    const tab = make("button", "", dataset.language);
    tab.type = "button";
    tab.addEventListener("click", () => press(tab));
    tabs.push(tab);
    row.append(tab);
  }
  block.prepend(row);
};

export const offerLanguages = () => {
  for (const block of document.querySelectorAll(".try")) addTabs(block);
  const known = examples.some(({ dataset }) => dataset.language === localStorage.getItem(KEPT));
  choose(known ? localStorage.getItem(KEPT) : "curl");
};
