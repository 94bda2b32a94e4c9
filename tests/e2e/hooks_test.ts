/** A project's hooks in the real program: in the sandbox, or nowhere. */
import { deepStrictEqual as equal, match } from "node:assert/strict";
import { join } from "node:path";
import { harness } from "../support/program.ts";
import { needing } from "../support/sandbox.ts";
import { withDesk } from "../support/whole_app.ts";

const inSandbox = await needing("bwrap");

/** A project whose hook looks around and refuses; what came of a call, and what it has seen. */
async function refusal(more: readonly string[]) {
  let result = { code: -1, calls: [] as unknown[], stderr: "", seen: [] as string[] };
  const call = { name: "run_cmd", arguments: { command: "echo hi" } };
  await withDesk(
    [{ text: "", calls: [call] }, { text: "Done." }],
    async ({ api, root, dir, home }) => {
      await Deno.writeTextFile(join(root, "secret"), "s");
      const command =
        "cat ../secret > got 2>/dev/null && touch leaked || touch held; echo no >&2; exit 2";
      const hooks = { PreToolUse: [{ hooks: [{ type: "command", command }] }] };
      await Deno.writeTextFile(join(dir, ".hooks.json"), JSON.stringify({ hooks }));
      const args = ["-p", "go", "-m", "ollama/m", "--auto", "--output", "json", ...more];
      const { code, stdout, stderr } = await harness(args, {
        cwd: dir,
        home,
        env: { HOME: root, OLLAMA_HOST: api.url },
      });
      const { calls } = JSON.parse(stdout) as { calls: { verdict: string; by: string }[] };
      const seen = ["leaked", "held"].filter((name) => {
        try {
          return Deno.statSync(join(dir, name)).isFile;
        } catch (error) {
          if (error instanceof Deno.errors.NotFound) return false;
          throw error;
        }
      });
      result = { code, calls: calls.map(({ verdict, by }) => `${verdict} by ${by}`), stderr, seen };
    },
  );
  return result;
}

Deno.test(
  "a trusted project's hook is held like a command, and its no counts",
  inSandbox,
  async () => {
    const { code, calls, seen } = await refusal(["--trust"]);
    equal([code, calls, seen], [0, ["deny by guard"], ["held"]]);
  },
);

Deno.test("without a sandbox a project's hook does not run: the call is a question, and nobody answers it", async () => {
  const { code, calls, seen, stderr } = await refusal(["--trust", "--sandbox", "off"]);
  equal([code, calls, seen], [4, ["deny by nobody"], []]);
  match(stderr, /no sandbox holds here/);
});

Deno.test("a hostile repository's hooks do nothing, and that is said", async () => {
  const { code, calls, seen, stderr } = await refusal(["--sandbox", "off"]);
  equal([code, calls, seen], [0, ["allow by automode"], []]);
  match(stderr, /Hooks of \.hooks\.json are not run: the project's file is not trusted/);
});
