/** The person's clipboard, by way of the terminal (OSC 52), which works over ssh too. Nobody answers whether it did. */

/** More is not taken by every terminal: sequences of 100,000 bytes were the bound of the first ones. */
const BYTES_MAX = 74_994;
/** GNU screen passes on what is wrapped for it, in pieces of this size. */
const SCREEN_PIECE = 200;

/** What is written to the terminal to copy a text; undefined when it is too long. */
export function clipboardSequence(
  text: string,
  env: (name: string) => string | undefined,
): string | undefined {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length > BYTES_MAX) return undefined;
  const sequence = `\x1b]52;c;${bytes.toBase64()}\x07`;
  if ((env("TMUX") ?? "") !== "") {
    // tmux takes the sequence itself, or passes on the wrapped one: that depends on two of its settings.
    return `${sequence}\x1bPtmux;${sequence.replaceAll("\x1b", "\x1b\x1b")}\x1b\\`;
  }
  if ((env("STY") ?? "") === "") return sequence;
  const pieces = sequence.match(new RegExp(`[^]{1,${SCREEN_PIECE}}`, "g")) ?? [];
  return pieces.map((piece) => `\x1bP${piece}\x1b\\`).join("");
}
