/** What a terminal would show of a program's output: colours gone, lines that overwrite themselves settled. */

/** CSI, OSC and the like (up to BEL or ST), and short escapes. */
const ESCAPES =
  // deno-lint-ignore no-control-regex -- Control sequences are what this is about.
  /\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|[ -/]*[0-~])/g;

/** What is left of binary noise: nothing that a reader could use. A bell says nothing at all. */
// deno-lint-ignore no-control-regex -- As above.
const NOISE = /[\0-\x06\x0b\x0c\x0e-\x1f\x7f]/g;

/** Text for the model: no control characters, and of a line written over with returns what stood last. */
export function plainText(text: string): string {
  const plain = text.replace(ESCAPES, "").replace(/(?<!\r)\r+\n/g, "\n").replaceAll("\x07", "");
  const shown = /[\r\x08]/.test(plain) ? plain.split("\n").map(settled).join("\n") : plain;
  return shown.replace(NOISE, "\ufffd");
}

function settled(line: string): string {
  const parts = line.replace(/(?<!\r)\r+$/, "").split("\r");
  // Of what was written over, only what reaches further is left.
  const shown = parts.reduceRight((over, part) => over + part.slice(over.length), "");
  const kept: string[] = [];
  for (const char of shown) {
    // A backspace takes back the character before it.
    if (char === "\b") kept.pop();
    else kept.push(char);
  }
  return kept.join("");
}
