/** Shared by several parts of the page: number fields, choices, tables, scales and lines. */

import { useSignal } from "@preact/signals";
import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { clamp, readNumber } from "./state/helpers.ts";

interface NumberFieldProps {
  readonly class: string;
  readonly label: string;
  readonly text: string;
  /** Accept the number, or return false. */
  readonly accept: (number: number) => boolean;
}

export function NumberField({ class: kind, label, text, accept }: NumberFieldProps) {
  // The draft, and the text that it began with; a change of that text discards the draft.
  const draft = useSignal<{ typed: string; before: string; isWrong: boolean } | null>(null);
  const now = draft.value?.before === text ? draft.value : null;
  // Called on blur and Enter, as dictation and other programs may not send `change`.
  const read = () => {
    if (now === null) return;
    const number = readNumber(now.typed);
    const isAccepted = number !== null && accept(number);
    draft.value = isAccepted ? null : { ...now, isWrong: true };
  };
  return (
    <input
      class={kind}
      inputmode="decimal"
      autocomplete="off"
      aria-label={label}
      aria-invalid={now?.isWrong === true}
      value={now?.typed ?? text}
      onInput={({ currentTarget: { value } }) =>
        (draft.value = { typed: value, before: text, isWrong: false })
      }
      onBlur={read}
      onKeyDown={({ key }) => key === "Enter" && read()}
      onFocus={(event) => event.currentTarget.select()}
    />
  );
}

interface TableProps {
  readonly class?: string;
  readonly caption?: string | undefined;
  readonly heads: readonly ComponentChildren[];
  /** Its rows. */
  readonly children: ComponentChildren;
  /** Shown below them. */
  readonly foot?: ComponentChildren;
}

export function Table({ class: kind, caption, heads, children, foot }: TableProps) {
  return (
    <table class={kind}>
      {caption && <caption>{caption}</caption>}
      <thead>
        <tr>
          {heads.map((head) => (
            <th scope="col">{head}</th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
      {foot && (
        <tfoot>
          <tr>
            <td colspan={heads.length}>{foot}</td>
          </tr>
        </tfoot>
      )}
    </table>
  );
}

interface ChipProps {
  readonly isOn: boolean;
  readonly press: () => void;
  readonly title?: string | undefined;
  readonly children: ComponentChildren;
}

/** A small toggle button. */
export function Chip({ isOn, press, title, children }: ChipProps) {
  return (
    <button class="chip" title={title} aria-pressed={isOn} onClick={press}>
      {children}
    </button>
  );
}

/** A small button that shows more or less. */
export function More({ of, children }: { of: Signal<boolean>; children: ComponentChildren }) {
  return (
    <button class="chip more" aria-expanded={of.value} onClick={() => (of.value = !of.value)}>
      {children} <span aria-hidden="true">{of.value ? "▴" : "▾"}</span>
    </button>
  );
}

export function Check({ of, label }: { of: Signal<boolean>; label: string }) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={of.value}
        onChange={(event) => (of.value = event.currentTarget.checked)}
      />{" "}
      {label}
    </label>
  );
}

interface RadioGroupProps<T> {
  readonly label: string;
  /** The name shared by its fields. */
  readonly name: string;
  readonly options: readonly (readonly [value: T, label: ComponentChildren])[];
  readonly chosen: T;
  readonly choose: (value: T) => void;
}

/** A choice of one of a few options, side by side. */
export function RadioGroup<T>({ label, name, options, chosen, choose }: RadioGroupProps<T>) {
  return (
    <div class="segmented" role="radiogroup" aria-label={label}>
      {options.map(([value, text]) => (
        <label>
          <input
            type="radio"
            name={name}
            checked={value === chosen}
            onChange={() => choose(value)}
          />
          {text}
        </label>
      ))}
    </div>
  );
}

/**
 * Return a map from numbers to places: from `from` to `first` and from `to` to `last`, or to the
 * middle if `from` equals `to`. Far numbers are clamped, so that every browser can draw a line.
 */
export function scaleOf(from: number, to: number, first: number, last: number) {
  return (number: number) => {
    const share = from === to ? 0.5 : clamp((number - from) / (to - from), -9, 10);
    return first + (last - first) * share;
  };
}

/** Return the line through points as an SVG path. */
export function pathOf(points: readonly { readonly x: number; readonly y: number }[]): string {
  return `M${points.map(({ x, y }) => `${round(x)} ${round(y)}`).join("L")}`;
}

/** Round to a tenth of a pixel. */
export function round(value: number): number {
  return Math.round(value * 10) / 10;
}
