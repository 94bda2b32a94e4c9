/** Files that are too large to be kept for /undo. */
import { basename } from "@/lib/path.ts";
import type { Stored } from "./journal_record.ts";

/** Say before a change that it cannot be taken back, or not brought back. */
export function announceBig(
  { rel, from, to }: { rel: string; from: Stored; to: Stored },
  say: ((line: string) => void) | undefined,
): void {
  const big = [from, to].find(isBig);
  if (big?.k !== "file") return;
  const size = `${basename(rel)} (${megabytes(big.n)}) is over the undo limit`;
  say?.(
    isBig(from)
      ? `${size}; this change cannot be taken back.`
      : `${size}; this change can be taken back, but then not brought back.`,
  );
}

function isBig(stored: Stored): boolean {
  return stored.k === "file" && stored.big === true;
}

/** A size as the person reads it. */
export function megabytes(bytes: number): string {
  return `${Math.max(1, Math.round(bytes / 1_000_000))} MB`;
}
