/** Creating a session file without taking the place of another one. */
import { join } from "@/lib/path.ts";
import { SESSION_SUFFIX } from "@/session/file.ts";
import { idsInOrder } from "@/session/title.ts";

/** Creates a session file, for the person alone, under the wanted id or the first counted one that is free. */
export async function createFree(
  dir: string,
  wanted: string,
): Promise<{ id: string; file: Deno.FsFile }> {
  for (const id of idsInOrder(wanted)) {
    try {
      const path = join(dir, `${id}${SESSION_SUFFIX}`);
      const options = { createNew: true, read: true, append: true, mode: 0o600 };
      return { id, file: await Deno.open(path, options) };
    } catch (error) {
      if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    }
  }
  throw new Error(`every file name for "${wanted}" is taken`);
}
