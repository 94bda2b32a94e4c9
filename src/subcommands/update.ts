/** `harness update`: how to get another version. It asks nobody whether there is one. */
import { answer } from "@/terminal/process.ts";
import { EXIT } from "@/terminal/result.ts";
import { IS_BUILT, VERSION } from "@/version.ts";

/** Print it; resolves to the exit code. */
export function update(): number {
  answer(IS_BUILT ? builtText() : checkoutText(checkout()));
  return EXIT.done;
}

/** Lines for a copy of the sources in `dir`. */
export function checkoutText(dir: string): string {
  return `harness ${VERSION}, from the sources in ${dir}
To update it:
  git -C ${quoted(dir)} pull --ff-only
The next start takes what it needs from the npm registry. Your sessions and settings stay as they are.
harness has looked nowhere for a newer version, and never does.`;
}

/** Lines for the single file, which is built of a copy of the sources. */
export function builtText(): string {
  return `harness ${VERSION}, a single file
To update it, in the copy of the sources that it was built of:
  git pull --ff-only
  npx -y deno@${Deno.version.deno} task build
and put dist/harness in the place of this file. Your sessions and settings stay as they are.
harness has looked nowhere for a newer version, and never does.`;
}

function checkout(): string {
  return decodeURIComponent(new URL("../..", import.meta.url).pathname).replace(/\/$/, "");
}

function quoted(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
