/** Keeps the bytes behind /undo within their limits: once a day, in the background, by whichever process starts first. */
import { lasts } from "@/lib/lasts.ts";
import { join } from "@/lib/path.ts";
import type { Settings } from "@/settings/settings.ts";
import type { UndoLimits } from "@/workspace/journal.ts";
import { undoDir } from "@/workspace/journal_store.ts";

const DAY_MS = 86_400_000;

/** The limits as the settings say. */
export function undoLimits(settings: Settings): UndoLimits {
  return {
    daysMax: settings.UNDO_KEEP_DAYS,
    bytesMax: settings.UNDO_WORKSPACE_MB * 1_000_000,
    allBytesMax: settings.UNDO_TOTAL_MB * 1_000_000,
  };
}

/** Sweep if that was not done today. Never throws: what cannot be swept today is swept tomorrow. */
export async function sweepDaily(
  stateDir: string,
  { limits, now, onProblem }: { limits: UndoLimits; now: Date; onProblem(text: string): void },
): Promise<void> {
  const stamp = join(undoDir(stateDir), ".swept");
  try {
    if (lasts(await sweptAt(stamp), { ms: DAY_MS, now: now.getTime() })) return;
    await Deno.writeTextFile(stamp, `${now.toISOString()}\n`, { mode: 0o600 });
    const { sweepAll } = await import("@/workspace/sweep.ts");
    await sweepAll(stateDir, { limits, now });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    onProblem(`Old undo data could not be removed: ${error.message}`);
  }
}

async function sweptAt(stamp: string): Promise<number> {
  try {
    return (await Deno.stat(stamp)).mtime?.getTime() ?? 0;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return 0;
    throw error;
  }
}
