/** A profile in a run: its prompt, tools and rules reach the model and its calls. */
import { deepStrictEqual as equal, match } from "node:assert/strict";
import { join } from "node:path";
import { startFakeOllama } from "../support/fake_ollama.ts";
import { harness } from "../support/program.ts";
import { withWorkspace } from "../support/workspace.ts";

const HEAD =
  "---\nname: watcher\ntools: [read_file, write_file]\n---\nYou watch, and write notes.\n";
const RULES = `default = "ask"

[[rules]]
tools = "write_file"
paths = "notes/**"
then = "allow"

[[rules]]
tools = "write_file"
then = "deny"
reason = "only notes are yours"

[[rules]]
tools = "list_dir"
then = "allow"
`;

async function withProfile(
  files: Readonly<Record<string, string>>,
  body: (at: { dir: string; home: string; profile: string }) => Promise<void>,
): Promise<void> {
  await withWorkspace(async (root) => {
    const [dir, home, profile] = [join(root, "ws"), join(root, "home"), join(root, "watcher")];
    for (const made of [dir, home, profile, join(dir, "notes")]) await Deno.mkdir(made);
    for (const [name, text] of Object.entries(files)) {
      await Deno.writeTextFile(join(profile, name), text);
    }
    await body({ dir, home, profile });
  });
}

const write = (filepath: string) => ({
  calls: [{ name: "write_file", arguments: { filepath, content: "x\n" } }],
});

Deno.test("a run works as its profile: prompt, tools, rules", () =>
  withProfile(
    { "profile.md": HEAD, "policy.toml": RULES },
    async ({ dir, home, profile }) => {
      await using api = startFakeOllama([write("notes/a.md"), write("src/a.ts"), {
        text: "Done.",
      }]);
      const ran = await harness(
        ["-m", "ollama/m", "--profile", profile, "--output", "json", "-p", "work"],
        { cwd: dir, home, env: { OLLAMA_HOST: api.url } },
      );
      equal(ran.code, 0, ran.stderr);
      const { calls } = JSON.parse(ran.stdout);
      equal(
        calls.map((one: Record<string, string>) => [one.verdict, one.by, one.status]),
        [["allow", "rule", "ok"], ["deny", "rule", "denied"]],
      );
      equal(await Deno.readTextFile(join(dir, "notes/a.md")), "x\n");
      const sent = JSON.stringify(api.bodies[2]);
      match(sent, /You watch, and write notes\./);
      match(sent, /policy\.toml:8\) denies this path: only notes are yours/);
      const [body] = api.bodies as { tools?: { function: { name: string } }[] }[];
      const names = (body?.tools ?? []).map((tool) => tool.function.name);
      equal(names.includes("read_file") && names.includes("write_file"), true);
      equal(names.includes("run_cmd"), false);
      equal(names.includes("get_user_input"), true);
    },
  ));

Deno.test("policy check and /profile answer for the profile that is named; a slip in it ends the start", () =>
  withProfile({ "policy.toml": RULES }, async ({ dir, home, profile }) => {
    const at = { cwd: dir, home };
    const check = async (call: string) =>
      (await harness(["policy", "check", "--profile", profile, call], at)).stdout;
    match(await check("write_file(notes/a)"), /^allow \(by rule\)/);
    match(await check("write_file(src/a)"), /^deny \(by rule\): .*only notes are yours/);
    match(await check("read_file(src/a)"), /^ask \(by rule\): no rule speaks about it/);
    const shown = (await harness(["-p", "/profile", "--profile", profile], at)).stdout;
    match(shown, /^watcher: .*watcher\n[\s\S]*rules +3 entries, else ask/);
    const policy = (await harness(["-p", "/policy", "--profile", profile], at)).stdout;
    match(policy, /deny +write_file +\(.*policy\.toml:8\)/);
    await Deno.writeTextFile(join(profile, "policy.toml"), RULES.replace("deny", "dney"));
    const slip = await harness(["policy", "check", "--profile", profile, "list_dir(.)"], at);
    equal(slip.code === 0, false);
    match(slip.stderr, /policy\.toml:10: "then" is "dney"/);
  }));
