/** Puts one change into another version of the same file, or says that it cannot be done. */
import { join } from "@/lib/path.ts";
import { randomHex } from "@/lib/random.ts";
import type { GitSession } from "@/workspace/git.ts";

/** The three sides. */
export type Sides = { mine: Uint8Array; before: Uint8Array; after: Uint8Array };

/** What came of it. */
export type Merged =
  | { ok: true; bytes: Uint8Array }
  | { ok: false; why: "overlap" | "binary" };

/** What a merge may come to, in bytes. */
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

/** `mine` with the change from `before` to `after` and nothing else. `scratch` is a directory of ours. */
export async function mergeChange(
  session: GitSession,
  { mine, before, after }: Sides,
  scratch: string,
): Promise<Merged> {
  if ([mine, before, after].some((bytes) => bytes.includes(0))) return { ok: false, why: "binary" };
  const token = randomHex(8);
  const files = [mine, before, after].map((bytes, index) => {
    const path = join(scratch, `merge-${token}-${index}`);
    Deno.writeFileSync(path, bytes, { createNew: true, mode: 0o600 });
    return path;
  });
  try {
    const finished = await session.run(["merge-file", "-p", "-q", ...files], {
      outputBytesMax: OUTPUT_BYTES_MAX,
    });
    if (finished.ended !== "exited" || finished.code !== 0 || finished.stdout.dropped > 0) {
      return { ok: false, why: "overlap" };
    }
    return { ok: true, bytes: finished.stdout.kept() };
  } finally {
    for (const path of files) Deno.removeSync(path);
  }
}
