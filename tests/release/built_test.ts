/** The real single file: the program in it works as from its source, however it is started. */
import { deepStrictEqual as equal, match, ok } from "node:assert";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { LAUNCHER_BYTES } from "@/release/launcher.ts";
import { OURS } from "@/sandbox/person_env.ts";
import { withScript } from "../support/scripted_world.ts";
import { writeProgram } from "../support/program_file.ts";
import { harness, type ProgramOptions, type Ran } from "../support/program.ts";
import type { ScriptedReply } from "../support/scripted_reply.ts";
import { namesIn, started } from "../support/single_file.ts";
import { terminal } from "../support/tmux.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const ignore = Deno.build.os === "windows";

/** A folder with a blank in its name, the file in it, and where it unpacks. */
let [folder, program, cache] = ["", "", ""];

Deno.test.beforeAll(async () => {
  if (ignore) return;
  folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "harness built " }));
  program = join(folder, "harness");
  cache = join(folder, "cache");
  const task = ["run", "-q", "--no-prompt", "--no-remote", "--allow-read", "--allow-write"]
    .concat("--allow-env", "--allow-run", "--allow-sys", `${ROOT}tasks/build.ts`)
    .concat("--out", program, "--level", "1");
  const { code, stderr } = await new Deno.Command(Deno.execPath(), { args: task, env: OURS })
    .output();
  ok(code === 0, new TextDecoder().decode(stderr));
});

Deno.test.afterAll(async () => {
  if (!ignore) await Deno.remove(folder, { recursive: true });
});

type World = {
  run(args: readonly string[], more?: Partial<ProgramOptions>): Promise<Ran>;
  dir: string;
  home: string;
  url: string;
  bodies(): readonly unknown[];
};

/** A workspace, a home and an Ollama that plays a script; `run` starts the built program with `-m ollama/m`. */
async function world(
  script: readonly ScriptedReply[],
  body: (world: World) => Promise<void>,
): Promise<void> {
  await withScript(script, async ({ dir, home, api }) => {
    const run: World["run"] = (args, { env = {}, ...more } = {}) =>
      harness(["-m", "ollama/m", ...args], {
        program,
        cwd: dir,
        home,
        env: { OLLAMA_HOST: api.url, XDG_CACHE_HOME: cache, ...env },
        ...more,
      });
    await body({ run, dir, home, url: api.url, bodies: () => api.bodies });
  });
}

const HELLO: ScriptedReply = { text: "Hello there." };

// The launcher's own tests start it eight times at once, with less to unpack, and damage it in more places.
Deno.test("first starts at once of the built file all say the version and leave one folder", {
  ignore,
}, () =>
  world([], async ({ dir }) => {
    const env = { XDG_CACHE_HOME: cache };
    const all = await Promise.all(
      Array.from({ length: 2 }, () => started([program, "--version"], { env, cwd: dir })),
    );
    for (const { code, stdout, stderr } of all) {
      equal([code, stderr], [0, ""]);
      match(stdout, /^harness \d+\.\d+\.\d+(\+[0-9a-f]{10}(\.changed)?)?\n$/);
    }
    equal(namesIn(`${cache}/harness`).length, 1);
  }));

Deno.test("every worker of the built file stands beside its entry point", { ignore }, async () => {
  const sources = namesIn(`${ROOT}src/workers`).filter((name) => name.endsWith("_worker.ts"));
  ok(sources.length > 0);
  await started([program, "--version"], { env: { XDG_CACHE_HOME: cache } });
  const app = namesIn(`${cache}/harness/${namesIn(`${cache}/harness`)[0]}/app`);
  const missing = sources.filter((name) => !app.includes(name.replace(/\.ts$/, ".js")));
  equal([app.includes("main.js"), missing], [true, []]);
});

Deno.test(
  "a start of the built file loads few files, and nothing of Node's layer",
  { ignore },
  async () => {
    await started([program, "--version"], { env: { XDG_CACHE_HOME: cache } });
    const app = `${cache}/harness/${namesIn(`${cache}/harness`)[0]}/app`;
    const loaded = new Set(
      namesIn(app).filter((name) => /^(main|late_part\d+-\w+)\.js$/.test(name)),
    );
    ok(loaded.size > 4);
    const foreign: string[] = [];
    for (const name of loaded) {
      const imports = Deno.readTextFileSync(`${app}/${name}`)
        .matchAll(/(?:^|[;}])(?:import|export)\b[^;"]*"([^"]+)"/g);
      for (const [, source = ""] of imports) {
        if (source.startsWith("./")) loaded.add(source.slice(2));
        else foreign.push(`${name}: ${source}`);
      }
    }
    equal(foreign, []);
    // The chunks of one turn were 220.
    ok(loaded.size < 40, `${loaded.size} files`);
  },
);

Deno.test("the built file passes what a release has to", { ignore }, async () => {
  const flags = ["-q", "--no-prompt", "--no-remote", "--allow-read", "--allow-write"]
    .concat("--allow-env", "--allow-run", `${ROOT}tasks/smoke.ts`);
  const smoke = (...words: readonly string[]) =>
    started([Deno.execPath(), "run", ...flags, ...words], {
      env: { ...OURS, XDG_CACHE_HOME: cache },
    });
  const { code, stdout } = await smoke(program);
  equal([code, stdout.match(/^(ok|WRONG)/gm)?.includes("WRONG")], [0, false], stdout);
  equal((await smoke(Deno.execPath())).code, 1);
});

Deno.test(
  "the built file answers, prints JSON and goes on with a session",
  { ignore },
  () =>
    world([HELLO, { text: "Again." }], async ({ run, dir, bodies }) => {
      const { stdout, code } = await run(["-p", "hello", "--output", "json"]);
      const { answer, exitCode } = JSON.parse(stdout);
      equal([code, answer, exitCode], [0, "Hello there.", 0]);
      equal((await run(["-c", "-p", "more"])).stdout, "Again.\n");
      match(JSON.stringify(bodies().at(-1)), /hello.*Hello there\..*more/);
      equal(namesIn(dir), []);
    }),
);

Deno.test(
  "the built file takes slash commands, piped prompts and wrong usage",
  { ignore },
  () =>
    world([HELLO], async ({ run, home }) => {
      match((await run(["-p", "/set NUM_CTX 32768"])).stdout, /^NUM_CTX = 32768 /);
      const place = { program, cwd: home, home, env: { XDG_CACHE_HOME: cache } };
      match((await harness(["set", "NUM_CTX", "default"], place)).stdout, /^NUM_CTX = 65536 /);
      equal((await run([], { stdin: "hello" })).stdout, "Hello there.\n");
      equal((await run(["--no-such-flag"])).code, 2);
      match((await harness(["update"], place)).stdout, /, a single file\n[^]* task build\n/);
      ok(namesIn(home).includes("sessions"));
    }),
);

Deno.test("the built file runs its workers", { ignore }, () => {
  const search = { name: "search_in_file", arguments: { query: "n[e]+dle", is_regex: true } };
  return world([{ calls: [search] }, HELLO], async ({ run, dir, bodies }) => {
    await Deno.writeTextFile(join(dir, "hay.txt"), "hay\na needle\n");
    // Without programs there is no ripgrep, and our own search runs the pattern in a worker.
    const { code, stderr } = await run(["-p", "search"], { env: { PATH: dir } });
    equal(code, 0, stderr);
    match(JSON.stringify(bodies().at(-1)), /hay\.txt:2:\d+: a needle/);
  });
});

Deno.test("the built file makes syntax trees with the grammars in it", { ignore }, () => {
  const outline = { name: "get_code_skeleton", arguments: { file_path: "a.go" } };
  return world([{ calls: [outline] }, HELLO], async ({ run, dir, bodies }) => {
    await Deno.writeTextFile(
      join(dir, "a.go"),
      "package a\n\nfunc Sum(a, b int) int { return a }\n",
    );
    const { code, stderr } = await run(["-p", "outline"]);
    equal(code, 0, stderr);
    match(JSON.stringify(bodies().at(-1)), /Sum.*return_type/);
  });
});

Deno.test(
  "the built file works where the person stands, whatever INIT_CWD says",
  { ignore },
  () =>
    world([HELLO], async ({ run, dir, home }) => {
      const { stdout } = await run(["-p", "hi", "--output", "jsonl"], { env: { INIT_CWD: home } });
      equal(JSON.parse(stdout.split("\n")[0] ?? "").cwd, dir);
    }),
);

Deno.test("signals end the built file with their codes", { ignore }, async () => {
  for (const [signal, expected] of [["SIGINT", 130], ["SIGTERM", 143], ["SIGHUP", 129]] as const) {
    const stall: ScriptedReply = { text: "Hel lo", fault: { kind: "stall", at: "end" } };
    await world([stall], async ({ run, bodies }) => {
      const onStart = async (child: Deno.ChildProcess) => {
        while (bodies().length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
        child.kill(signal);
      };
      equal((await run(["-p", "hi"], { onStart })).code, expected);
    });
  }
});

Deno.test(
  "the built file draws its prompt in a terminal, through a link on PATH",
  { ignore },
  () =>
    world([HELLO], async ({ dir, home, url }) => {
      const link = join(home, "harness");
      await Deno.symlink(program, link);
      await using screen = await terminal({
        program: link,
        cwd: dir,
        home,
        args: ["--plain", "-m", "ollama/m"],
        env: { OLLAMA_HOST: url, XDG_CACHE_HOME: cache },
      });
      await screen.until(/^> *$/m);
      await screen.type("hello");
      await screen.keys("Enter");
      await screen.until(/Hello there\./);
      await screen.type("/exit");
      await screen.keys("Enter");
      await screen.until(/EXIT:0/);
    }),
);

Deno.test(
  "the built file unpacks without HOME, and not without any place",
  { ignore },
  async () => {
    const env = { HARNESS_HOME: join(folder, "state"), HARNESS_ACCEPT_TERMS: "1" };
    const args = [program, "-p", "/set NUM_CTX"] as const;
    const without = await started([...args], { env });
    equal([without.code, without.stdout], [1, ""]);
    match(without.stderr, /Set HOME or XDG_CACHE_HOME to an absolute path/);
    const found = await started([...args], { env: { ...env, XDG_CACHE_HOME: cache } });
    equal(found.code, 0, found.stderr);
  },
);

Deno.test("the built file is refused when any part of it is damaged", { ignore }, async () => {
  const whole = await Deno.readFile(program);
  const damaged = join(folder, "damaged");
  const fresh = join(folder, "fresh");
  const inside = LAUNCHER_BYTES + 5000;
  const changed = whole.with(inside, (whole[inside] ?? 0) ^ 4);
  for (const bytes of [changed, whole.subarray(0, -4)]) {
    await writeProgram(damaged, bytes);
    const { code, stdout, stderr } = await started([damaged], { env: { XDG_CACHE_HOME: fresh } });
    equal([code, stdout, namesIn(fresh)], [1, "", []]);
    match(stderr, /is damaged or was cut short/);
  }
});

Deno.test(
  "the built file writes where the person allows it, though Deno lets it write to a list alone",
  {
    ignore: Deno.build.os !== "linux",
  },
  async () => {
    // Outside of the temporary directories, which are on the list.
    await Deno.mkdir(`${ROOT}dist`, { recursive: true });
    const outside = await Deno.makeTempDir({ dir: `${ROOT}dist`, prefix: "outside-" });
    try {
      const file = join(outside, "a.txt");
      const calls = [{ name: "write_file", arguments: { filepath: file, content: "allowed" } }];
      await world([{ calls }, HELLO], async ({ run, dir, home }) => {
        const { code, stderr } = await run(["-p", "hi", "--allow", `write_file(${file})`]);
        equal([code, Deno.readTextFileSync(file)], [0, "allowed"], stderr);
        equal((await run(["-p", "/undo"])).code, 0);
        equal((await run(["-c", "-p", `/export ${outside}/s.md`])).code, 0);
        equal(namesIn(outside), ["s.md"]);
        match((await run(["-c", "-p", `/export ${outside}/s.md`])).stderr, /is there already/);
        const env = { XDG_CACHE_HOME: cache };
        const { stdout } = await harness(["doctor"], { program, cwd: dir, home, env });
        match(stdout, new RegExp(`harness itself writes to .*${home}`));
      });
    } finally {
      await Deno.remove(outside, { recursive: true });
    }
  },
);

Deno.test("nothing of the person's shell acts on the built file, and commands get it back", {
  ignore,
}, () => {
  const calls = [{ name: "run_cmd", arguments: { command: "env" } }];
  return world([{ calls }, HELLO], async ({ run, home, dir, url, bodies }) => {
    await Deno.writeTextFile(`${dir}/required.cjs`, `require("fs").writeFileSync("ran", "")`);
    const theirs = {
      NODE_OPTIONS: `--require ${dir}/required.cjs`,
      DENO_LOG: "debug",
      OTEL_DENO: "true",
    };
    const hostile = {
      ...theirs,
      DENO_V8_FLAGS: "--no-such-flag",
      DENO_COVERAGE_DIR: join(home, "coverage"),
      DENO_AUDIT_PERMISSIONS: join(home, "audit"),
      DENO_PERMISSION_BROKER_PATH: join(home, "broker"),
      DENO_UNSTABLE_CONTROL_SOCK: `unix:${join(home, "control")}`,
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
    };
    const args = ["-p", "hi", "--allow", "run_cmd(env)", "--sandbox", "off"];
    const { code, stdout, stderr } = await run(args, { env: hostile });
    equal([code, stdout, namesIn(dir)], [0, "Hello there.\n", ["required.cjs"]], stderr);
    const left = namesIn(home).filter((name) => /coverage|audit|broker|control/.test(name));
    equal(left, []);
    const told = JSON.stringify(bodies().at(-1));
    for (const [name, value] of Object.entries(theirs)) {
      ok(told.includes(`${name}=${value}\\n`), told);
    }
    ok(!/HARNESS_PERSON|DENO_NO_UPDATE_CHECK|DENO_DIR/.test(told), told);
  });
});
