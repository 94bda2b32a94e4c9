/** Reading the pipes of a process. */
import { Capture } from "@/sandbox/capture.ts";
import type { Child } from "@/sandbox/spawn.ts";

/** What a helper of ours may print, in bytes. */
const HELPER_BYTES_MAX = 16 * 1024 * 1024;

/** Calls back for every piece until the stream ends or `reader` is cancelled. Never rejects. */
export async function pump(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  seen: (chunk: Uint8Array) => void,
): Promise<void> {
  while (true) {
    const piece = await reader.read();
    if (piece.done) return;
    seen(piece.value);
  }
}

/** All that a small helper prints. Only for programs that end by themselves and start nothing that stays. */
export async function readAll(child: Child): Promise<{ stdout: Uint8Array; code: number }> {
  const stdout = new Capture(HELPER_BYTES_MAX);
  const [{ code }] = await Promise.all([
    child.status,
    pump(child.stdout.getReader(), (chunk) => stdout.add(chunk)),
    pump(child.stderr.getReader(), () => {}),
  ]);
  return { stdout: stdout.kept(), code };
}
