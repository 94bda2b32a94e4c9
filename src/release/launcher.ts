/** The first bytes of the single file: a shell script that unpacks the rest and starts it. */
import { shellScript } from "./shell_script.ts";
import template from "./launcher.sh" with { type: "text" };

/** The script is padded to this, so that the payload starts at a place that is known. */
export const LAUNCHER_BYTES = 4096;

/** What the script says of the payload behind it. */
export type PayloadFacts = {
  version: string;
  /** As Deno names it: "x86_64-unknown-linux-gnu". */
  target: string;
  denoVersion: string;
  /** Names the folder; the same payload has the same. */
  id: string;
  /** What `cksum` prints of the payload. */
  sum: string;
  /** Size of the first section, our code; the second, Deno, is the rest. */
  appBytes: number;
};

/** The script for a payload, of exactly LAUNCHER_BYTES. */
export function launcher(facts: PayloadFacts): Uint8Array<ArrayBuffer> {
  const script = shellScript(template, {
    VERSION: facts.version,
    TARGET: facts.target,
    DENO: facts.denoVersion,
    ID: facts.id,
    SUM: facts.sum,
    APP_BYTES: String(facts.appBytes),
  });
  const bytes = new TextEncoder().encode(script);
  if (bytes.length > LAUNCHER_BYTES) {
    throw new Error(`launcher.sh is ${bytes.length} bytes long; it may have ${LAUNCHER_BYTES}`);
  }
  const padded = new Uint8Array(LAUNCHER_BYTES).fill("\n".charCodeAt(0));
  padded.set(bytes);
  return padded;
}
