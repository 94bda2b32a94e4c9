/** A bound on the lines that a client sends: what is longer is cut off, and the protocol goes on with the next one. */

const NEWLINE = 10;

/**
 * Passes bytes on, of each line at most `lineBytesMax`. A line that is cut no longer is JSON, so that whoever reads it
 * answers with the protocol's own error. `onCut` is told once a line.
 */
export function cappedLines(
  lineBytesMax: number,
  onCut: () => void,
): TransformStream<Uint8Array, Uint8Array> {
  let length = 0;
  let isCut = false;
  return new TransformStream({
    transform(chunk, controller) {
      let from = 0;
      while (from < chunk.length) {
        const at = chunk.indexOf(NEWLINE, from);
        const end = at === -1 ? chunk.length : at;
        const room = Math.max(0, lineBytesMax - length);
        const kept = chunk.subarray(from, Math.min(end, from + room));
        if (kept.length > 0) controller.enqueue(kept);
        length += end - from;
        if (length > lineBytesMax && !isCut) {
          isCut = true;
          onCut();
        }
        if (at === -1) return;
        controller.enqueue(chunk.subarray(at, at + 1));
        length = 0;
        isCut = false;
        from = at + 1;
      }
    },
  });
}
