/** Where the program writes: bytes to stdout and stderr, whole, without `console` (which Deno can be told to export). */

import { PersonError } from "@/protocol/error.ts";
import { fileErrorReason } from "@/lib/file_error.ts";

/** Writes text; a reader that closed the pipe ends the writing quietly. */
export type Writer = (text: string) => void;

const encoder = new TextEncoder();

/** Between two tries at a stream that takes nothing at the moment. */
const FULL_PAUSE_MS = 5;

/**
 * A writer to a stream of the process. Synchronous, so that nothing is lost at exit. Whoever started us may have made the
 * stream non-blocking (Node does, and npx is Node): a full one is then waited for, as a blocking one waits by itself.
 * Where nothing more can be written (a full disk), it throws PersonError once and is quiet from then on; with
 * `canFail` it is quiet from the start.
 */
export function writerTo(
  stream: { writeSync(bytes: Uint8Array): number },
  { canFail = false }: { canFail?: boolean } = {},
): Writer {
  let isClosed = false;
  return (text) => {
    if (isClosed) return;
    const bytes = encoder.encode(text);
    try {
      for (let at = 0; at < bytes.length;) at += written(stream, bytes.subarray(at));
    } catch (error) {
      isClosed = true;
      if (canFail || error instanceof Deno.errors.BrokenPipe || isGone(error)) return;
      throw new PersonError(
        "state",
        `Cannot write to standard output: ${fileErrorReason(error)}`,
        "Send it elsewhere. A conversation is kept all the same: harness sessions list",
        error,
      );
    }
  };
}

/** How many bytes the stream took; none when it is full. */
function written(stream: { writeSync(bytes: Uint8Array): number }, bytes: Uint8Array): number {
  try {
    return stream.writeSync(bytes);
  } catch (error) {
    if (!(error instanceof Deno.errors.WouldBlock)) throw error;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FULL_PAUSE_MS);
    return 0;
  }
}

/** A terminal that went away answers EIO. */
function isGone(error: unknown): boolean {
  return error instanceof Error && /os error 5|EIO|Input\/output error/.test(error.message);
}
