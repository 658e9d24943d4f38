/** What a central difference is off by, over its step: truncation on the right, rounding on the left. */

import { GradientError } from "../../../engine_ts/src/errors.ts";
import { accuracyWords } from "../accuracy_words.ts";
import { witnessed } from "../state/accuracy.ts";
import { short } from "../words/numbers.ts";

/** Around the curve, and the line below it for what stands at its ends. */
const [WIDTH, HEIGHT, PAD, FLOOR] = [350, 148, 12, 18];

export function Quotients({ name }: { name: string }) {
  const text = accuracyWords.value.quotients;
  const found = witnessed.value;
  if (found instanceof GradientError) return <p class="soft">{accuracyWords.value.tooMuch}</p>;
  const tried = found.witnesses!.variables[name]!.central.filter(({ error }) => error !== null);
  if (tried.length === 0) return <p class="soft">{text.none}</p>;
  const best = tried.reduce((least, each) => (off(each) < off(least) ? each : least));
  const own = off(found.gradients[name]!);
  const [widest, narrowest] = [tried[0]!.step, tried.at(-1)!.step];
  const across = logarithmic([narrowest, widest], PAD, WIDTH - PAD);
  const up = logarithmic([...tried.map(off), own], HEIGHT - FLOOR - PAD, PAD);
  const points = tried.map((each) => `${across(each.step)} ${up(off(each))}`);
  return (
    <figure class="quotients">
      <svg class="curve" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
        <path class="tangent" d={`M0 ${up(own)}H${WIDTH}`} />
        <path class="plot" d={`M${points.join("L")}`} />
        <circle class="here" cx={across(best.step)} cy={up(off(best))} r="4.5" />
        <text x="6" y={HEIGHT - 6}>
          {short(narrowest)} ← {text.rounding}
        </text>
        <text x={WIDTH - 6} y={HEIGHT - 6} class="end-at">
          {text.truncation} → {short(widest)}
        </text>
      </svg>
      <figcaption class="legend">
        <b class="d">{text.title(name)}</b>
        <span>{text.best(short(off(best)), short(best.step))}</span>
        <b class="g">{text.backward(short(own))}</b>
      </figcaption>
    </figure>
  );
}

function off({ error }: { readonly error: number | null }): number {
  return Math.abs(error!);
}

/** Where a size is drawn; what is 0 has no place on such a scale, and stands where the least does. */
function logarithmic(sizes: readonly number[], first: number, last: number) {
  const logs = sizes.filter((size) => size > 0).map(Math.log10);
  const [low, high] = [Math.min(...logs), Math.max(...logs)];
  return (size: number) => {
    const share = size === 0 ? 0 : (Math.log10(size) - low) / (high - low || 1);
    return Number((first + share * (last - first)).toFixed(1));
  };
}
