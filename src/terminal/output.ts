/** Where the program writes: bytes to stdout and stderr, whole, without `console` (which Deno can be told to export). */

/** Writes text; a reader that closed the pipe ends the writing quietly. */
export type Writer = (text: string) => void;

const encoder = new TextEncoder();

/** A writer to a stream of the process. Synchronous, so that nothing is lost at exit. */
export function writerTo(stream: { writeSync(bytes: Uint8Array): number }): Writer {
  let isClosed = false;
  return (text) => {
    if (isClosed) return;
    const bytes = encoder.encode(text);
    try {
      for (let at = 0; at < bytes.length;) at += stream.writeSync(bytes.subarray(at));
    } catch (error) {
      if (!(error instanceof Deno.errors.BrokenPipe) && !isGone(error)) throw error;
      isClosed = true;
    }
  };
}

/** A terminal that went away answers EIO. */
function isGone(error: unknown): boolean {
  return error instanceof Error && /os error 5|EIO|Input\/output error/.test(error.message);
}
