/** Reading the pipes of a process. */
import { Capture } from "@/sandbox/capture.ts";
import type { Child } from "@/sandbox/spawn.ts";

/** What a helper of ours may print, in bytes. */
const HELPER_BYTES_MAX = 16 * 1024 * 1024;

/**
 * After so much work on pieces everything else has its turn, in milliseconds. A pipe that is always full is read on without
 * one (Deno 2.9.6, about 32 pieces), so that no timer runs and nothing is ended in time where a piece takes long.
 */
const WORK_MS_MAX = 30;

/** Calls back for every piece until the stream ends or `reader` is cancelled. Never rejects. */
export async function pump(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  seen: (chunk: Uint8Array) => void,
): Promise<void> {
  let workMs = 0;
  while (true) {
    const piece = await reader.read();
    if (piece.done) return;
    const from = performance.now();
    seen(piece.value);
    workMs += performance.now() - from;
    if (workMs < WORK_MS_MAX) continue;
    await new Promise((resolve) => setTimeout(resolve));
    workMs = 0;
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
