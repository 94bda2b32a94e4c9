/** What a change of a file cannot keep, because another file is put in its place: its other names, and at times its owner. */
import { lstat } from "./entry.ts";

type Replaced = { path: string; rel: string; info: Deno.FileInfo | undefined };
type Say = ((line: string) => void) | undefined;

/** Say before a change of a file with several names that only one of them leads to what is written. */
export function announceNames({ rel, info }: Replaced, say: Say): void {
  const others = (info?.nlink ?? 1) - 1;
  if (info?.isFile !== true || others < 1) return;
  const names = others === 1 ? "another name" : `${others} other names`;
  say?.(
    `${rel} has ${names} (hard links), where everything stays as it is; this change is made here alone.`,
  );
}

/** Say after a change whose the file was, where the system did not let it be given back. */
export function announceOwner({ path, rel, info }: Replaced, say: Say): void {
  const now = lstat(path);
  if (info?.isFile !== true || now?.isFile !== true) return;
  if (now.uid !== info.uid) {
    say?.(
      `${rel} belonged to user ${info.uid} and belongs to user ${now.uid} now: the system lets only root give files away.`,
    );
  } else if (now.gid !== info.gid) {
    say?.(
      `${rel} belonged to group ${info.gid} and belongs to group ${now.gid} now, which has no more rights in it than everybody: ` +
        "the system lets only members of a group give it files.",
    );
  }
}
