/** The entry point: `--version` without loading anything, everything else through the command line's own module. */
import { VERSION } from "./src/version.ts";

if (Deno.args.length === 1 && Deno.args[0] === "--version") {
  Deno.stdout.writeSync(new TextEncoder().encode(`harness ${VERSION}\n`));
} else {
  const { runCli } = await import("./src/cli.ts");
  Deno.exit(await runCli(Deno.args));
}
