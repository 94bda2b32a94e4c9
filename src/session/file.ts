/** Session files: their names, and what goes wrong around them. Loaded with every session, so it reads nothing. */
import { basename } from "@/lib/path.ts";
import { PersonError } from "@/protocol/error.ts";
import { fileErrorReason } from "@/lib/file_error.ts";

export const SESSION_SUFFIX = ".jsonl";

/** The id of a session: its file's stem. */
export function sessionId(path: string): string {
  return basename(path, SESSION_SUFFIX);
}

/** Any failure around a session file, as an error that says what was being done. */
export function sessionError(doing: string, error: unknown): PersonError {
  if (error instanceof PersonError) return error;
  if (!(error instanceof Error)) throw error;
  return new PersonError(
    "state",
    `Cannot ${doing}: ${fileErrorReason(error)}`,
    error instanceof Deno.errors.NotFound ? '"harness sessions list" shows what there is' : "",
    error,
  );
}

/** Throws unless a file or a link to one is there: opening a pipe would wait for whoever writes into it. */
export async function assertRegular(path: string): Promise<void> {
  const { isFile, isDirectory } = await Deno.stat(path);
  if (!isFile) throw new Error(isDirectory ? "a directory is there" : "it is not a regular file");
}
