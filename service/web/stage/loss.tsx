/** The loss by step, with a timeline of the same width under it, and what trains and pauses. */

import { at, isAtEnd, lookAt, pause, points, steps, train, training } from "../state/train.ts";
import { stage } from "../state/view.ts";
import { trainingWords } from "../training_words.ts";
import { words } from "../words.ts";
import { short } from "../words/numbers.ts";

const [HEIGHT, PAD, FLOOR] = [92, 8, 86];
/** The margins of the box. */
const ASIDE = 24;

export function Loss() {
  const text = trainingWords.value;
  const known = points.value;
  const isOff = known.length === 0;
  return (
    <div class="training">
      <div class="lossbox">
        <h2>
          {text.loss} <span class="soft">{text.drag}</span>
        </h2>
        <LossCurve />
        <input
          type="range"
          min="0"
          max={steps.value}
          step="1"
          value={at.value}
          disabled={isOff}
          aria-label={text.timeline}
          aria-valuetext={text.step(at.value, steps.value)}
          onInput={(event) => pause(Number(event.currentTarget.value))}
        />
      </div>
      <div class="play">
        <button class="go" disabled={isOff} onClick={() => (training.value ? pause() : train())}>
          {training.value ? text.pause : isAtEnd() && !isOff ? text.again : text.train}
        </button>
        <button disabled={isOff} onClick={() => pause(at.value - 1)}>
          {words.value.play.back}
        </button>
        <button class="step" disabled={isOff} onClick={() => pause(at.value + 1)}>
          {words.value.play.step}
        </button>
        <button class="plain" disabled={isOff} onClick={() => lookAt(0)}>
          {text.toStart}
        </button>
        <span class="count">{text.step(at.value, steps.value)}</span>
      </div>
    </div>
  );
}

function LossCurve() {
  const text = trainingWords.value;
  const known = points.value;
  const here = known[at.value];
  const width = Math.max(PAD * 3, stage.value.width - ASIDE);
  if (here === undefined) return <svg class="loss" viewBox={`0 0 ${width} ${HEIGHT}`} />;
  const most = Math.max(...known.map(({ loss }) => loss), Number.MIN_VALUE);
  const least = Math.min(0, ...known.map(({ loss }) => loss));
  const place = ({ step, loss }: { step: number; loss: number }) => {
    const x = PAD + (step / steps.value) * (width - 2 * PAD);
    const y = FLOOR - ((loss - least) / (most - least || 1)) * (FLOOR - 8);
    return [x.toFixed(1), y.toFixed(1)] as const;
  };
  const path = (some: typeof known) => `M${some.map((each) => place(each).join(" ")).join("L")}`;
  const [x, y] = place(here);
  const label = text.curve(short(known[0]!.loss), at.value, short(here.loss));
  return (
    <svg
      class="loss"
      viewBox={`0 0 ${width} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <path class="bed" d={`M0 ${FLOOR}H${width}`} />
      <path class="plot rest" d={path(known.slice(at.value))} />
      <path class="plot" d={path(known.slice(0, at.value + 1))} />
      <path class="stem" d={`M${x} 0V${HEIGHT}`} />
      <circle class="here" cx={x} cy={y} r="6" />
    </svg>
  );
}
