/**
 * `deno task smoke PROGRAM [ARG...]`: whether a program that was made here works on this machine, before it is given out. It
 * is started as a person would, with a state directory of its own, and talks to the scripted model: no network is needed.
 */
import { VERSION } from "@/version.ts";

type Ran = { code: number; stdout: string; stderr: string };

/** What is tried: arguments, the exit code, and what it prints. */
const TRIALS: readonly { args: readonly string[]; code: number; prints: RegExp }[] = [
  {
    args: ["--version"],
    code: 0,
    prints: new RegExp(`^harness ${RegExp.escape(VERSION)}(\\+\\S+)?\\s`),
  },
  { args: ["--help"], code: 0, prints: /^COMMANDS$/m },
  { args: ["--no-such-option"], code: 2, prints: /^$/ },
  { args: ["man"], code: 0, prints: /^\.TH HARNESS 1 / },
  // Nobody is there to approve what it would write, and then somebody said so beforehand.
  { args: ["-m", "demo/tour", "-p", "hi"], code: 4, prints: /^- write_file: denied$/m },
  { args: ["-m", "demo/tour", "-p", "hi", "--auto"], code: 0, prints: /^- write_file: ok$/m },
  { args: ["sessions", "list"], code: 0, prints: /\S/ },
  { args: ["update"], code: 0, prints: /^harness has looked nowhere for a newer version/m },
];

/** The first start of a single file unpacks. */
const TRIAL_MS = 60_000;

const [program, ...before] = Deno.args;
if (program === undefined) {
  console.error("Nothing was tried: deno task smoke PROGRAM [ARG...] wants a program");
  Deno.exit(2);
}
Deno.exit(await main(program, before));

async function main(program: string, before: readonly string[]): Promise<number> {
  const dir = await Deno.makeTempDir({ prefix: "harness-smoke-" });
  try {
    await Deno.writeTextFile(`${dir}/notes.txt`, "TODO: something to read\n");
    const env = { HARNESS_HOME: `${dir}/home`, HARNESS_ACCEPT_TERMS: "1", NO_COLOR: "1" };
    let failed = 0;
    for (const { args, code, prints } of TRIALS) {
      const command = new Deno.Command(program, {
        args: [...before, ...args],
        ...{ cwd: dir, env, stdin: "null", signal: AbortSignal.timeout(TRIAL_MS) },
      });
      const ran = await outputOf(command);
      const isRight = ran.code === code && prints.test(ran.stdout);
      console.log(`${isRight ? "ok   " : "WRONG"}  ${args.join(" ")}`);
      if (isRight) continue;
      failed += 1;
      console.log(
        `exit code ${ran.code}, not ${code}, or not ${prints}\n${ran.stdout}\n${ran.stderr}`,
      );
    }
    return failed === 0 ? 0 : 1;
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

async function outputOf(command: Deno.Command): Promise<Ran> {
  const { code, stdout, stderr } = await command.output();
  const text = new TextDecoder();
  return { code, stdout: text.decode(stdout), stderr: text.decode(stderr) };
}
