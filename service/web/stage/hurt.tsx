/** What another walk than the right one does to a card, at its corners. */

/** The circle with its place in the order of visits, and the red badge. */
export function Hurt({ visit, note }: { visit: number | null; note: string }) {
  return (
    <>
      {note !== "" && <span class="short-of">{note}</span>}
      {visit !== null && <span class="visit">{visit}</span>}
    </>
  );
}
