/**
 * The newline rule of file bodies that came as raw blocks: the block's own line breaks were taken off, so that nothing
 * says any more whether the body's last line had one. A text file ends in a newline unless the file that it replaces
 * had none.
 */

/**
 * The body as it is to be written. `replacedHadFinalNewline` is undefined for a new file. The newline added is the one
 * that the body itself uses.
 */
export function rawBodyNewline(body: string, replacedHadFinalNewline: boolean | undefined): string {
  if (body === "" || body.endsWith("\n") || replacedHadFinalNewline === false) return body;
  return body + (/\r\n/.test(body) && !/[^\r]\n/.test(body) ? "\r\n" : "\n");
}

/** A raw block's text without the one line break at each end that belongs to the tags. */
export function withoutBlockBreaks(block: string): string {
  return block.replace(/^\r?\n/, "").replace(/\r?\n$/, "");
}
