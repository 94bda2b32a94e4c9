/**
 * `deno task acpx`: a client that is not ours drives `harness acp`. acpx 0.19.1 wants Node 22 or newer and a package that Deno
 * cannot resolve for every system, so both come from npm into a directory that is removed; no part of `task test`.
 */
import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { join } from "node:path";
import { command, environment } from "../support/program.ts";
import { withWorkspace } from "../support/workspace.ts";

const PACKAGES = ["acpx@0.19.1", "node@24.21.0"];

type Run = { code: number; messages: { method?: string; result?: { stopReason?: string } }[] };

/** One prompt to the built-in tour, with every question answered alike. */
async function exec(root: string, answer: "--approve-all" | "--deny-all"): Promise<Run> {
  const dir = join(root, answer);
  await Deno.mkdir(dir);
  const home = join(root, `home${answer}`);
  await Deno.mkdir(home);
  const agent = [...command({}), "acp", "-m", "demo/tour", "--sandbox", "off"].join(" ");
  const { code, stdout, stderr } = await new Deno.Command(join(root, "node_modules/.bin/node"), {
    args: [
      join(root, "node_modules/acpx/dist/cli.js"),
      ...["--agent", agent, "--cwd", dir, answer, "--format", "json", "exec", "take the tour"],
    ],
    clearEnv: true,
    env: environment({ home }),
    stdin: "null",
  }).output();
  const text = new TextDecoder();
  if (code !== 0) console.error(text.decode(stderr));
  const messages = text.decode(stdout).trim().split("\n").map((line) => JSON.parse(line));
  return { code, messages };
}

async function written(root: string, answer: string): Promise<boolean> {
  return (await Array.fromAsync(Deno.readDir(join(root, answer)))).length > 0;
}

await withWorkspace(async (root) => {
  const install = new Deno.Command("npm", { args: ["install", "--prefix", root, ...PACKAGES] });
  const { success, stderr } = await install.output();
  ok(success, new TextDecoder().decode(stderr));
  for (const answer of ["--approve-all", "--deny-all"] as const) {
    const { code, messages } = await exec(root, answer);
    const stops = messages.flatMap(({ result }) => result?.stopReason ?? []);
    const asked = messages.filter(({ method }) => method === "session/request_permission").length;
    console.log(
      `${answer}: exit ${code}, ${messages.length} messages, ${asked} questions, ${stops}`,
    );
    // 5 is its own word for a question that was answered no.
    equal(code, answer === "--approve-all" ? 0 : 5);
    ok(asked > 0);
    equal(stops, ["end_turn"]);
    equal(await written(root, answer), answer === "--approve-all");
  }
});
