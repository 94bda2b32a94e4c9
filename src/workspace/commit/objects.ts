/** Sees to it that an index never names a blob that the repository has not. */
import type { BlobStore } from "@/workspace/blob_store.ts";
import type { GitSession } from "@/workspace/git.ts";
import type { Edit } from "@/workspace/journal_fold.ts";
import type { Stored } from "@/workspace/journal_record.ts";
import type { RepoMove } from "./git_entry.ts";

/**
 * Write the blobs that the entries of a move need and the repository has not, from what the journal keeps of the edits.
 * A path whose blob is nowhere any more; undefined when all are there. Throws GitError and BlobGone.
 */
export async function writeMissing(
  session: GitSession,
  { entries }: Pick<RepoMove, "entries">,
  { edits, blobs }: { edits: readonly Edit[]; blobs: BlobStore },
): Promise<string | undefined> {
  const wanted = entries.filter(({ to }) => to !== null && to[0] !== "160000");
  const missing = await missingAmong(session, wanted.map(({ to }) => to?.[1] ?? ""));
  for (const { path, to } of wanted) {
    const id = to?.[1] ?? "";
    if (!missing.has(id)) continue;
    const kept = keptAs(edits, { path, id });
    if (
      kept?.k !== "file" || !await isWritten(session, { path, id }, await blobs.get(kept.h, kept.n))
    ) {
      return path;
    }
  }
  return undefined;
}

async function missingAmong(session: GitSession, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const { stdout } = await session.answer(["cat-file", "--batch-check"], {
    stdin: new TextEncoder().encode(ids.map((id) => `${id}\n`).join("")),
  });
  const lines = stdout.text().split("\n").filter((line) => line.endsWith(" missing"));
  return new Set(lines.map((line) => line.split(" ")[0] ?? ""));
}

/** What the journal has of a path, as git knows it by this id. */
function keptAs(
  edits: readonly Edit[],
  { path, id }: { path: string; id: string },
): Stored | undefined {
  for (const { git, paths } of edits) {
    const facts = git?.git?.paths.find((one) => one.path === path);
    const record = paths.find(({ p }) => p === facts?.p);
    if (facts?.before === id) return record?.b;
    if (facts?.after === id) return record?.a;
  }
  return undefined;
}

/** Written as git would store it, or as it is, whichever has the id. */
async function isWritten(
  session: GitSession,
  { path, id }: { path: string; id: string },
  bytes: Uint8Array,
): Promise<boolean> {
  for (const how of ["--no-filters", `--path=${path}`]) {
    const { stdout } = await session.answer(["hash-object", "-w", "--stdin", how], {
      stdin: bytes,
    });
    if (stdout.text().trim() === id) return true;
  }
  return false;
}
