/** What another walk than the right one does to a card, at its corners. */

interface HurtProps {
  readonly visit: number | null;
  readonly note: string;
  /** From the middle of the card to its sides. */
  readonly half: number;
  readonly high: number;
}

/** The circle with its place in the order of visits, and the red badge. */
export function Hurt({ visit, note, half, high }: HurtProps) {
  const width = 14 + note.length * 6.4;
  return (
    <>
      {note !== "" && (
        <g class="short-of">
          <rect x={half + 6 - width} y={high - 6} width={width} height="19" rx="9.5" />
          <text class="mid" x={half + 6 - width / 2} y={high + 7.5}>
            {note}
          </text>
        </g>
      )}
      {visit !== null && (
        <g class="visit">
          <circle cx={-half} cy={-high} r="11" />
          <text class="mid" x={-half} y={4.5 - high}>
            {visit}
          </text>
        </g>
      )}
    </>
  );
}
