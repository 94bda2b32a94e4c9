/** The entry point: `--version` without loading anything, everything else through the command line's own module. */
import { VERSION } from "./src/version.ts";

if (!(Deno.args.length === 1 && Deno.args[0] === "--version" && isPrinted(VERSION))) {
  const { runCli } = await import("./src/cli.ts");
  Deno.exit(await runCli(Deno.args));
}

/** What cannot be printed here is left to the command line, which says why. */
function isPrinted(version: string): boolean {
  const line = new TextEncoder().encode(`harness ${version}\n`);
  try {
    return Deno.stdout.writeSync(line) > 0;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return false;
  }
}
