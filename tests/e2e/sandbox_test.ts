/** The real program and its sandbox: what runs unasked, what is asked about, and what is said where nothing holds. */
import { deepStrictEqual as equal, match } from "node:assert/strict";
import { dirname, join } from "node:path";
import { startFakeOllama } from "../support/fake_ollama.ts";
import { harness, type Ran } from "../support/program.ts";
import { needing, programHere } from "../support/sandbox.ts";
import { withWorkspace } from "../support/workspace.ts";

type Call = { verdict: string; by: string; asked: boolean; status: string };
type Result = Ran & { calls: Call[]; told: string; outside: string[] };

type Setup = {
  command?: string;
  input?: Record<string, unknown>;
  args?: readonly string[];
  env?: (dir: string) => Promise<Record<string, string>>;
};

/** One turn in which the model runs one command. `{OUT}` is a folder beside the workspace. */
async function turn(setup: Setup, check: (result: Result) => void | Promise<void>): Promise<void> {
  const { command = "echo hello > in.txt; touch {OUT}/pwned", args = [], input = {} } = setup;
  await withWorkspace(async (dir) => {
    for (const name of ["home", "state", "project", "out"]) await Deno.mkdir(join(dir, name));
    let told = "";
    await using api = startFakeOllama((body) => {
      const { messages } = body as { messages: { role: string; content: string }[] };
      const last = messages.at(-1);
      told = last?.role === "tool" ? last.content : "";
      const line = command.replaceAll("{OUT}", join(dir, "out"));
      return last?.role === "tool"
        ? { text: "Done." }
        : { calls: [{ name: "run_cmd", arguments: { command: line, ...input } }] };
    });
    const ran = await harness(
      ["-p", "Do it.", "-m", "ollama/gemma4:e4b", "--output", "json", ...args],
      {
        cwd: join(dir, "project"),
        home: join(dir, "state"),
        env: { OLLAMA_HOST: api.url, HOME: join(dir, "home"), ...await setup.env?.(dir) },
      },
    );
    const document = ran.stdout === "" ? {} : JSON.parse(ran.stdout);
    const outside = [...Deno.readDirSync(join(dir, "out"))].map(({ name }) => name);
    await check({ ...ran, calls: document.calls ?? [], told, outside });
  });
}

/** A `PATH` on which bwrap is this script, or is not at all. */
function brokenPath(script?: string) {
  return async (dir: string): Promise<Record<string, string>> => {
    const bin = join(dir, "bin");
    await Deno.mkdir(bin);
    for (const name of ["sh", "bash", "git", "touch", "cat", "grep"]) {
      const program = await programHere(name);
      if (program !== undefined) await Deno.symlink(program, join(bin, name));
    }
    if (script !== undefined) await Deno.writeTextFile(join(bin, "bwrap"), script, { mode: 0o755 });
    return { PATH: `${bin}:${dirname(Deno.execPath())}`.split(":")[0] ?? bin };
  };
}

const isLinux = { ignore: Deno.build.os !== "linux" };
const needs = await needing();

const decided = ({ calls }: Result) =>
  calls.map(({ verdict, by, asked, status }) => ({ verdict, by, asked, status }));
const inside = { verdict: "allow", by: "sandbox", asked: false, status: "ok" };
const refused = { verdict: "deny", by: "nobody", asked: true, status: "denied" };

Deno.test(
  { name: "a command runs unasked inside, and writes nothing outside", ...needs },
  async () => {
    await turn({ command: "touch {OUT}/pwned; cat ~/* /proc/1/comm; echo end" }, (result) => {
      equal(decided(result), [{ ...inside, status: "ok" }]);
      match(result.told, /bwrap\n(.*\n)*end|end/);
      equal(result.outside, []);
      equal(result.code, 0);
      equal(/no sandbox/i.test(result.stderr), false);
    });
  },
);

Deno.test({ name: "an allow rule means no question, not outside", ...needs }, async () => {
  const args = ["--allow", "run_cmd(touch *)"];
  await turn({ command: "touch {OUT}/pwned", args }, (result) => {
    equal(result.calls[0]?.by, "rule");
    equal(result.outside, []);
  });
});

Deno.test({
  name: "leaving the sandbox takes a reason and the person's word, or a rule that says so",
  ...needs,
}, async () => {
  const command = "touch {OUT}/left";
  const input = { outside_sandbox: "it writes beside the workspace" };
  await turn({ command, input }, (result) => {
    equal(decided(result), [refused]);
    equal([result.outside, result.code], [[], 4]);
  });
  await turn({ command, input, args: ["--auto"] }, (result) => equal(decided(result), [refused]));
  await turn({ command, input, args: ["--allow", "run_cmd(touch *)"] }, (result) => {
    equal(decided(result), [refused]);
  });
  await turn({ command, input, args: ["--allow", "unsandboxed(touch *)"] }, (result) => {
    equal(result.calls[0]?.by, "rule");
    equal(result.outside, ["left"]);
  });
});

Deno.test(
  { name: "SANDBOX_ALLOW off asks about commands that are held all the same", ...needs },
  async () => {
    const args = ["--set", "SANDBOX_ALLOW=off"];
    await turn({ args }, (result) => equal(decided(result), [refused]));
    await turn({ args: [...args, "--auto"] }, (result) => {
      equal(result.calls[0]?.by, "automode");
      equal(result.outside, []);
    });
  },
);

Deno.test(
  { name: "--sandbox off asks; with --auto it runs with the person's rights", ...isLinux },
  async () => {
    await turn({ args: ["--sandbox", "off"] }, (result) => {
      equal(decided(result), [refused]);
      equal(result.outside, []);
    });
    await turn({ args: ["--sandbox", "off", "--auto"] }, (result) => {
      equal(result.calls[0]?.by, "automode");
      equal(result.outside, ["pwned"]);
    });
  },
);

const BROKEN = {
  "is missing": undefined,
  "exits 0 without isolating": "#!/bin/sh\nexit 0\n",
  "runs what it is given": '#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done; shift; exec "$@"\n',
};

for (const [how, script] of Object.entries(BROKEN)) {
  Deno.test({
    name: `with a bwrap that ${how} every command is asked about, and it is said`,
    ...isLinux,
  }, async () => {
    for (const args of [[], ["--auto"]]) {
      await turn({ args, env: brokenPath(script) }, (result) => {
        equal(decided(result), [refused]);
        equal([result.outside, result.code], [[], 4]);
        match(result.stderr, /no sandbox for commands here: .*Every command is asked about/);
      });
    }
  });

  Deno.test(
    { name: `with a bwrap that ${how} --sandbox require ends the program`, ...isLinux },
    async () => {
      await turn({ args: ["--sandbox", "require"], env: brokenPath(script) }, (result) => {
        equal([result.code, result.calls, result.outside], [1, [], []]);
        match(
          result.stderr,
          /no sandbox for commands, and --sandbox require asks for one: bubblewrap/,
        );
      });
    },
  );
}

Deno.test({ name: "--sandbox require goes on where one holds", ...needs }, async () => {
  await turn(
    { args: ["--sandbox", "require"] },
    (result) => equal(decided(result)[0]?.by, "sandbox"),
  );
});

Deno.test({ name: "/sandbox says what holds, and what does not", ...isLinux }, async () => {
  await withWorkspace(async (dir) => {
    for (const name of ["home", "state", "project"]) await Deno.mkdir(join(dir, name));
    const options = {
      cwd: join(dir, "project"),
      home: join(dir, "state"),
      env: { HOME: join(dir, "home") },
    };
    if (!needs.ignore) {
      const { stdout, code } = await harness(["-p", "/sandbox"], options);
      equal(code, 0);
      match(stdout, /^network +(only hosts that you allowed|none: ).*\[namespace, proxy\]$/m);
      match(stdout, /^memory, disk +.*\[nothing\]$/m);
    }
    const env = { ...options.env, ...await brokenPath()(dir) };
    const { stdout } = await harness(["-p", "/sandbox"], { ...options, env });
    match(
      stdout,
      /^commands +run with your rights: bubblewrap \(bwrap\) is not installed.*\[nothing\]$/m,
    );
  });
});
