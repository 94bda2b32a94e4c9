/** A page in pieces that can be ranked: paragraphs joined until there is enough to say something. */

/** Pieces of at least `charsMin` characters, but for the last; a line longer than `charsMax` is cut. */
export function passagesOf(text: string, charsMin: number): readonly string[] {
  const charsMax = charsMin * 2;
  const passages: string[] = [];
  let open = "";
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    for (let at = 0; at < line.length; at += charsMax) {
      open += `${open === "" ? "" : "\n"}${line.slice(at, at + charsMax).trimEnd()}`;
      if (open.length < charsMin) continue;
      passages.push(open);
      open = "";
    }
  }
  return open === "" ? passages : [...passages, open];
}
