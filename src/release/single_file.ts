/** The single file: the launcher, then our code, then Deno. */
import { joinBytes } from "@/lib/bytes.ts";
import { sha256Hex } from "@/lib/hash.ts";
import { cksum } from "./cksum.ts";
import { launcher } from "./launcher.ts";

/** What it is made of. Both sections are gzip. */
export type Sections = {
  version: string;
  target: string;
  denoVersion: string;
  /** A tar archive with `app/main.js` and SCOPE_FILE in it. */
  app: Uint8Array;
  /** The stock binary. */
  deno: Uint8Array;
};

/** The bytes of the file; the same for the same sections. */
export function singleFile(
  { app, deno, ...facts }: Sections,
): Uint8Array<ArrayBuffer> {
  const payload = joinBytes([app, deno]);
  const script = launcher({
    ...facts,
    id: sha256Hex(payload).slice(0, 20),
    sum: cksum(payload),
    appBytes: app.length,
  });
  return joinBytes([script, payload]);
}
