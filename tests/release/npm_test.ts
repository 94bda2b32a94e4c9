/** The npm package, put where npm would put it, beside a package "deno" that has the Deno of this test. */
import { deepStrictEqual as equal, match } from "node:assert";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { OURS } from "@/sandbox/person_env.ts";
import { VERSION } from "@/version.ts";
import { environment } from "../support/program.ts";
import type { ScriptedReply } from "../support/scripted_reply.ts";
import { withScript } from "../support/scripted_world.ts";
import { started } from "../support/single_file.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const ignore = Deno.build.os === "windows";

let [folder, program, runtime] = ["", "", ""];

Deno.test.beforeAll(async () => {
  if (ignore) return;
  folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "harness npm " }));
  const installed = join(folder, "node_modules/@harness/harness");
  const flags = ["-q", "--no-prompt", "--no-remote", "--allow-read", "--allow-write"]
    .concat("--allow-env", "--allow-run", "--allow-sys");
  const built = await new Deno.Command(Deno.execPath(), {
    args: ["run", ...flags, `${ROOT}tasks/npm.ts`, "--out", installed],
    env: OURS,
  }).output();
  equal(built.code, 0, new TextDecoder().decode(built.stderr));
  program = join(installed, "bin/harness.cjs");
  const deno = join(folder, "node_modules/deno");
  runtime = join(deno, "install_api.cjs");
  await Deno.mkdir(deno);
  await Deno.writeTextFile(
    runtime,
    `exports.runInstall = () => ${JSON.stringify(Deno.execPath())};\n`,
  );
});

Deno.test.afterAll(async () => {
  if (!ignore) await Deno.remove(folder, { recursive: true });
});

type World = {
  run(...args: readonly string[]): ReturnType<typeof started>;
  env: Record<string, string>;
  dir: string;
  home: string;
  bodies: readonly unknown[];
};

async function world(
  script: readonly ScriptedReply[],
  body: (world: World) => Promise<void>,
  more: Record<string, string> = {},
): Promise<void> {
  await withScript(script, async ({ dir, home, api }) => {
    const env = { ...environment({ home }), OLLAMA_HOST: api.url, ...more };
    const run: World["run"] = (...args) =>
      started(["node", program, "-m", "ollama/m", ...args], { env, cwd: dir });
    await body({ run, env, dir, home, bodies: api.bodies });
  });
}

Deno.test("the npm package says what it is, takes arguments and ends with the program's code", {
  ignore,
}, () =>
  world([{ text: "Hello there." }], async ({ run, dir, home, env }) => {
    const { stdout, stderr, code } = await run("-p", 'say "hello there" *');
    equal([code, stdout], [0, "Hello there.\n"], stderr);
    equal((await run("--no-such-flag")).code, 2);
    const start = (word: string) => started(["node", program, word], { env, cwd: dir });
    match(
      (await start("--version")).stdout,
      new RegExp(`^harness ${VERSION.replaceAll(".", "\\.")}`),
    );
    match(
      (await start("update")).stdout,
      /from an npm package\n[^]*npm install --global \.\/harness-VERSION-npm\.tgz/,
    );
    match((await start("doctor")).stdout, new RegExp(`harness itself writes to .*${home}`));
  }));

Deno.test("the npm package brings the licences of what is in it", { ignore }, async () => {
  const dir = join(folder, "node_modules/@harness/harness");
  const { files } = JSON.parse(await Deno.readTextFile(join(dir, "package.json")));
  equal(files.includes("THIRD_PARTY_NOTICES"), true);
  match(await Deno.readTextFile(join(dir, "THIRD_PARTY_NOTICES")), /^@noble\/hashes 2/m);
});

Deno.test("signals end what the npm package started, with their codes", { ignore }, async () => {
  for (const [signal, expected] of [["SIGINT", 130], ["SIGTERM", 143], ["SIGHUP", 129]] as const) {
    const stall: ScriptedReply = { text: "Hel lo", fault: { kind: "stall", at: "end" } };
    await world([stall], async ({ env, dir, bodies }) => {
      const child = new Deno.Command("node", {
        args: [program, "-m", "ollama/m", "-p", "hi"],
        ...{ cwd: dir, clearEnv: true, env, stdin: "null", stdout: "piped", stderr: "null" },
      }).spawn();
      while (bodies.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
      child.kill(signal);
      // Its output ends when nobody holds it any more: nothing of it is left.
      equal((await child.output()).code, expected);
    });
  }
});

Deno.test(
  "nothing of the person's shell acts on the npm package's Deno, and commands get it back",
  {
    ignore,
  },
  () => {
    const calls = [{ name: "run_cmd", arguments: { command: "env" } }];
    return world([{ calls }, { text: "Done." }], async ({ run, bodies }) => {
      const { code, stderr } = await run("-p", "hi", "--allow", "run_cmd(env)", "--sandbox", "off");
      equal(code, 0, stderr);
      match(JSON.stringify(bodies.at(-1)), /DENO_V8_FLAGS=--no-such-flag\\n/);
    }, { DENO_V8_FLAGS: "--no-such-flag" });
  },
);

Deno.test(
  "the npm package names the cause where its runtime was left out",
  { ignore },
  () =>
    world([], async ({ run }) => {
      await Deno.rename(runtime, `${runtime}.away`);
      try {
        const { code, stdout, stderr } = await run("--version");
        equal([code, stdout], [1, ""]);
        match(
          stderr,
          /^harness: cannot start: the runtime .* was not found: .*\n.*--omit=optional\n/,
        );
      } finally {
        await Deno.rename(`${runtime}.away`, runtime);
      }
    }),
);
