/** Reading what was decided about and nothing else, while somebody may be swapping directories for links. */
import { closing } from "@/lib/closing.ts";
import { AT_ONCE_BYTES_MAX, readAtOnce } from "./at_once.ts";
import { assertRealParent, isUntouched, lstat, PlaceChanged } from "./entry.ts";

/** One look walks the path in several system calls and can be fooled by a swap between them; a run of them hardly. */
const LOOKS = 4;

/**
 * Open a file at a real path for reading. Opened first and compared then: Deno has no openat, but what is open stays what
 * it is, and its inode says whether it is what the path leads to. Throws PlaceChanged when it is not, and Deno's own
 * errors. For files only: a pipe would be waited for.
 */
export function openReal(path: string): { file: Deno.FsFile; info: Deno.FileInfo } {
  const file = Deno.openSync(path);
  try {
    const info = file.statSync();
    for (let looks = 0; looks < LOOKS; looks++) {
      assertRealParent(path, "read");
      if (!isUntouched(lstat(path), info, "inode")) throw new PlaceChanged(path, "read");
    }
    return { file, info };
  } catch (error) {
    file.close();
    throw error;
  }
}

/** The bytes of a file at a real path; as `openReal`. */
export async function readReal(path: string): Promise<Uint8Array<ArrayBuffer>> {
  const { file, info: { size } } = openReal(path);
  if (size <= AT_ONCE_BYTES_MAX) return closing(file, () => readAtOnce(file, size));
  // Reading to the end closes it.
  return new Uint8Array(await new Response(file.readable).arrayBuffer());
}

/** Throws PlaceChanged unless a real path, whose directory was just read, is still called by its real name. */
export function assertStillReal(path: string): void {
  for (let looks = 0; looks < LOOKS; looks++) {
    if (Deno.realPathSync(path) !== path) throw new PlaceChanged(path, "read");
  }
}
