/** A program in one line, as its field shows it: what ended a statement is `;`, any other break a blank. */
export function inOneLine(text: string): string {
  let depth = 0;
  return text.replace(/[()]|\n/g, (found, at: number) => {
    if (found !== "\n") depth += found === "(" ? 1 : -1;
    else return depth <= 0 && /[\w.)][ \t\r]*$/.test(text.slice(0, at)) ? ";" : " ";
    return found;
  });
}
