/** `deno task races [N=20000]`: N raced writes and N raced reads, with the real sandbox; 1 when any had an effect outside. */
import { races } from "../support/races.ts";
import { needing, withSandbox } from "../support/sandbox.ts";

const count = Number(Deno.args[0] ?? "20000");
if (!Number.isInteger(count) || count < 1) {
  console.error(`Cannot read "${Deno.args[0]}" as a number; deno task races 20000`);
  Deno.exit(2);
}
if ((await needing()).ignore) {
  console.log("skipped: needs a bubblewrap that works");
  Deno.exit(0);
}
await withSandbox(async (inside) => {
  const { written, shown, wrote, read } = await races(inside, count);
  console.log(`${count} writes: ${wrote} arrived, ${written} had an effect outside`);
  console.log(`${count} reads: ${read} arrived, ${shown} showed what lies outside`);
  Deno.exitCode = written + shown > 0 ? 1 : 0;
});
