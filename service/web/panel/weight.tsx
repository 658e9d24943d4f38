/** A parameter while it learns: its way so far, and the last step with its numbers. */

import { at, points, rate } from "../state/train.ts";
import { Rich } from "../words/rich.tsx";
import { short } from "../words/numbers.ts";

const [WIDTH, HEIGHT, PAD] = [112, 34, 4];

export function Weight({ name, gradient }: { name: string; gradient: number | null }) {
  const value = points.value[at.value]!.parameters[name]!;
  const before = points.value[at.value - 1]?.parameters[name];
  return (
    <li>
      <b class="mono">{name}</b>
      <span class="mono d">{short(value)}</span>
      <Way name={name} />
      {gradient !== null && before !== undefined && (
        <p class="mono">
          <Rich
            text={
              `${name} = ${short(before)} − ${short(rate.value)} × ` +
              `[g:${short(gradient)}] = [d:${short(value)}]`
            }
          />
        </p>
      )}
    </li>
  );
}

/** Its values by step, as a line. */
function Way({ name }: { name: string }) {
  const all = points.value.map(({ parameters }) => parameters[name]!);
  const [least, most] = [Math.min(...all), Math.max(...all)];
  const last = Math.max(1, all.length - 1);
  const place = (value: number, step: number) => {
    const x = PAD + (step / last) * (WIDTH - 2 * PAD);
    const share = most > least ? (value - least) / (most - least) : 0.5;
    return `${x.toFixed(1)} ${(HEIGHT - PAD - share * (HEIGHT - 2 * PAD)).toFixed(1)}`;
  };
  const [x, y] = place(all[at.value]!, at.value).split(" ");
  return (
    <svg class="curve" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <path class="plot" d={`M${all.map(place).join("L")}`} />
      <circle class="here" cx={x} cy={y} r="3.5" />
    </svg>
  );
}
