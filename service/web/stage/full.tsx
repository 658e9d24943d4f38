/** Lets the stage fill the screen. */

import { laterWords } from "../later_words.ts";

export function Full() {
  const name = laterWords.value.zoom.full;
  return (
    <button class="full" aria-label={name} title={name} onClick={fill}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d="M1 1h5v2H3v3H1zM10 1h5v5h-2V3h-3zM1 10h2v3h3v2H1zM13 10h2v5h-5v-2h3z" />
      </svg>
    </button>
  );
}

/** Or no more, where it does. */
function fill(): void {
  if (document.fullscreenElement !== null) void document.exitFullscreen();
  else void document.querySelector(".stage")!.requestFullscreen?.();
}
