// Words in a field above the contents -> links to the routes, shapes, errors and so on that have them all.

import { make } from "./problem.js";

const MAX = 20;

const places = [...document.querySelectorAll("main article, .shape, main > section > .wide tbody tr")];
const titleOf = (place) => place.querySelector("h3, th").textContent.replace(/\s+/g, " ").trim();

const has = (text, words) => words.every((word) => text.toLowerCase().includes(word));

const link = (place) => {
  place.id ||= `row-${places.indexOf(place)}`;
  const made = make("a", "", titleOf(place));
  made.href = `#${place.id}`;
  return make("li", "", made);
};

// Places with the words in their title come before those with the words in their text.
const found = (words) => {
  const all = places.filter((place) => has(place.textContent, words));
  const named = all.filter((place) => has(titleOf(place), words));
  return [...new Set([...named, ...all])].slice(0, MAX);
};

export const offerSearch = (contents) => {
  const field = make("input");
  field.type = "search";
  field.placeholder = "Search";
  field.setAttribute("aria-label", "Search the reference");
  const results = make("ul");
  results.setAttribute("role", "status");
  const list = contents.querySelector("ul");
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    list.hidden = words.length > 0;
    const links = list.hidden ? found(words).map(link) : [];
    results.replaceChildren(...(list.hidden && !links.length ? [make("li", "", "Nothing has all of these words")] : links));
  });
  contents.prepend(field, results);
};
