/**
 * The debug log: which words of a server were skipped because they are not known. Only the words, never content or a
 * key, each once a run.
 */
import { closing } from "@/lib/closing.ts";
import { fileErrorReason } from "@/lib/file_error.ts";
import { visible } from "@/lib/visible.ts";
import type { UnknownWord } from "@/provider/mod.ts";

export type UnknownLogOptions = {
  path: string;
  /** Whether the person asked for it (DEBUG_LOG). */
  isOn(): boolean;
  /** Told once when the file cannot be written. */
  warn(line: string): void;
};

/** More different words than this are no vocabulary that is growing, but a server that is not the one meant. */
const WORDS_MAX = 200;

/** Notes words in the file, one a line. Never throws. */
export function unknownLog({ path, isOn, warn }: UnknownLogOptions): (seen: UnknownWord) => void {
  const noted = new Set<string>();
  let isBroken = false;
  return ({ server, model, place, word }) => {
    const line = visible(`${server} ${model}: unknown ${place} "${word}"`, { oneLine: true });
    if (isBroken || !isOn() || noted.has(line) || noted.size >= WORDS_MAX) return;
    noted.add(line);
    try {
      const text = new TextEncoder().encode(`${new Date().toISOString()} ${line}\n`);
      const options = { append: true, create: true, mode: 0o600 };
      closing(Deno.openSync(path, options), (file) => file.writeSync(text));
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      isBroken = true;
      warn(`Cannot write to "${path}": ${fileErrorReason(error)}`);
    }
  };
}
