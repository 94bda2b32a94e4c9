/** What git stores of a file's bytes: its name for them, by git's built-in conversions and by no program of the repository. */
import { hashHex } from "@/lib/hash.ts";
import { GitError, type GitSession } from "@/workspace/git.ts";
import type { Attributes } from "./repo_state.ts";

/** Bytes with the id that git gives them. `isWritten`: git has them already. */
export type Form = { id: string; bytes: Uint8Array; isWritten: boolean };

/** The id of bytes as they are. */
export function blobId(bytes: Uint8Array, objectFormat: "sha1" | "sha256"): string {
  return hashHex(objectFormat, `blob ${bytes.length}\0`, bytes);
}

/** Whether git may store other bytes than those of the file. */
export function isConverted(session: GitSession, attributes: Attributes): boolean {
  if ((attributes.get("ident") ?? "unset") !== "unset") return true;
  if ((attributes.get("working-tree-encoding") ?? "unset") !== "unset") return true;
  const text = attributes.get("text") ?? attributes.get("crlf");
  if (text === "unset") return false;
  if (text !== undefined || attributes.has("eol")) return true;
  const auto = session.config.get("core.autocrlf")?.toLowerCase() ?? "false";
  return !["false", "no", "off", "0", ""].includes(auto);
}

/**
 * What git stores of bytes at a path. With `converted`, git says so itself and keeps them.
 * Throws GitError when git cannot.
 */
export async function formOf(
  session: GitSession,
  bytes: Uint8Array,
  { path, converted }: { path: string; converted: boolean },
): Promise<Form> {
  if (!converted) {
    return { id: blobId(bytes, session.repository.objectFormat), bytes, isWritten: false };
  }
  const { stdout } = await session.answer(["hash-object", "-w", "--stdin", `--path=${path}`], {
    stdin: bytes,
  });
  const id = stdout.text().trim();
  return { id, bytes: await blobBytes(session, id), isWritten: true };
}

/** Above this size nothing is merged, in bytes. */
const BLOB_BYTES_MAX = 16 * 1024 * 1024;

/** The bytes of a blob. Throws GitError when it is not there or too large to be merged. */
export async function blobBytes(session: GitSession, id: string): Promise<Uint8Array> {
  const { stdout } = await session.answer(["cat-file", "blob", id], {
    outputBytesMax: 2 * BLOB_BYTES_MAX,
  });
  if (stdout.dropped > 0) throw new GitError(`The blob ${id} is too large to be merged`);
  return stdout.kept();
}
