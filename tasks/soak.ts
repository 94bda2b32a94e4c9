/**
 * `deno task soak [ROUNDS=3]`: the property tests again, each round with a seed of its own and more runs, and the tests that
 * kill a process, with 100 kills of each kind. Ends with 1 at the first round that fails; `deno test FILE -- --seed=N`
 * repeats it.
 */
import config from "../deno.json" with { type: "json" };
import { projectFiles, projectText, ROOT } from "../tests/quality/project.ts";

const [, flags = ""] = config.tasks["test-files"].split("clear-env ");
const args = [...flags.split(" "), "--parallel"];
const files = projectFiles().filter((path) =>
  path.endsWith("_test.ts") && /support\/property\.ts|"--kills="/.test(projectText(path) ?? "")
);

const rounds = Number(Deno.args[0] ?? "3");
if (!Number.isInteger(rounds) || rounds < 1) {
  console.error(`Cannot read "${Deno.args[0]}" as a number of rounds; deno task soak 5`);
  Deno.exit(2);
}
for (let round = 1; round <= rounds; round++) {
  const seed = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
  console.log(`round ${round} of ${rounds}: seed ${seed | 0}`);
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: [...args, ...files, "--", `--seed=${seed | 0}`, "--runs=200", "--kills=100"],
    cwd: ROOT,
  }).output();
  if (code === 0) continue;
  await Deno.stdout.write(stdout);
  Deno.exit(1);
}
