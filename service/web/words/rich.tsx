/** A sentence with its marks -> text in the colours of what it speaks of. */

const MARK = /`([^`]*)`|\[([dg]):([^\]]*)\]/g;

export function Rich({ text }: { text: string }) {
  const pieces = [];
  let end = 0;
  for (const found of text.matchAll(MARK)) {
    const [whole, code, colour, number] = found;
    pieces.push(text.slice(end, found.index));
    if (code !== undefined) pieces.push(<span class="mono">{code}</span>);
    else pieces.push(<b class={`${colour} mono`}>{number}</b>);
    end = found.index + whole.length;
  }
  pieces.push(text.slice(end));
  return <span>{pieces}</span>;
}

/** The same without marks, for labels and titles. */
export function plain(text: string): string {
  return text.replace(MARK, (_, code, _colour, number) => code ?? number);
}
