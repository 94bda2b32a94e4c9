/** What people do all day has to work inside: a boundary that is in the way gets switched off. */
import { deepStrictEqual as equal, match } from "node:assert/strict";
import { join } from "node:path";
import { openKeptCaches } from "@/sandbox/kept_cache.ts";
import { type Folders, needing, withSandbox, writeFiles } from "../support/sandbox.ts";

type Files = Readonly<Record<string, string>>;

type Case = {
  what: string;
  programs: string[];
  files: Files;
  line: string;
  says: RegExp;
  /** A program and arguments that have to work on this machine. */
  tries?: readonly [string, ...string[]];
  prepare?(folders: Folders): Promise<void>;
};

const CASES: readonly Case[] = [
  {
    what: "npm test and npm install without dependencies",
    programs: ["npm", "node"],
    files: {
      "package.json": '{"name":"x","version":"1.0.0","scripts":{"test":"node --test"}}',
      "x.test.js": "require('node:test')('adds', () => require('node:assert').equal(1 + 1, 2));",
    },
    line: "npm install --no-audit --no-fund && npm test",
    says: /pass 1/,
  },
  {
    what: "pip in a virtual environment with a local wheel",
    programs: ["python3"],
    files: {
      "wheel.py": `
import zipfile
with zipfile.ZipFile("small-1.0-py3-none-any.whl", "w") as wheel:
    info = "small-1.0.dist-info/"
    wheel.writestr("small.py", "answer = 42\\n")
    wheel.writestr(info + "METADATA", "Metadata-Version: 2.1\\nName: small\\nVersion: 1.0\\n")
    wheel.writestr(info + "WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
    wheel.writestr(info + "RECORD", "small.py,,\\n")
`,
    },
    line:
      "python3 wheel.py && python3 -m venv v && v/bin/pip install -q --no-index ./small-1.0-py3-none-any.whl" +
      " && v/bin/python -c 'import small; print(small.answer)'",
    says: /^42$/m,
  },
  {
    what: "pytest with several processes",
    programs: ["pytest"],
    files: {
      "test_x.py": `
import multiprocessing, tempfile
def square(x): return x * x
def test_pool(tmp_path):
    (tmp_path / "x").write_text("x")
    with multiprocessing.Pool(2) as pool:
        assert pool.map(square, [1, 2]) == [1, 4]
`,
    },
    line: "pytest -q",
    says: /1 passed/,
  },
  {
    what: "deno test with a server of its own",
    programs: ["deno"],
    files: {
      "x_test.ts": `
Deno.test("answers", async () => {
  await using server = Deno.serve({ port: 0, onListen() {} }, () => new Response("ok"));
  const answer = await fetch(\`http://127.0.0.1:\${server.addr.port}/\`);
  if (await answer.text() !== "ok") throw new Error("wrong");
});
`,
    },
    line: "NO_COLOR=1 deno test -q --allow-net",
    says: /1 passed/,
  },
  {
    what: "go build",
    programs: ["go"],
    // With what this machine has built already, or it would build the whole runtime first.
    prepare: copyGoCache,
    files: {
      "go.mod": "module x\n\ngo 1.20\n",
      "main.go": "package main\n\nfunc main() { println(sum(1, 2)) }\n",
      "sum.go": "package main\n\nfunc sum(a, b int) int { return a + b }\n",
    },
    line: "go build -o out . && ./out",
    says: /^3$/m,
  },
  {
    what: "cargo build without dependencies",
    programs: ["cargo", "cc"],
    tries: ["cargo", "--version"],
    files: {
      "Cargo.toml": '[package]\nname = "x"\nversion = "0.1.0"\nedition = "2021"\n',
      "src/main.rs": 'fn main() {\n    println!("built");\n}\n',
    },
    line: "cargo build -q --offline && ./target/debug/x",
    says: /^built$/m,
  },
  {
    what: "a C compiler",
    programs: ["gcc"],
    files: { "x.c": '#include <stdio.h>\nint main(void) { puts("compiled"); }\n' },
    line: "gcc -o x x.c && ./x",
    says: /^compiled$/m,
  },
];

const GO_CACHE_MB_MAX = 300;

/** Into the cache that is kept for this workspace. A machine with none, or with a huge one, builds it. */
async function copyGoCache({ state, workspace }: Folders): Promise<void> {
  const run = async (program: string, ...args: readonly string[]) =>
    new TextDecoder().decode((await new Deno.Command(program, { args: [...args] }).output()).stdout)
      .trim();
  const from = await run("go", "env", "GOCACHE");
  const size = Number.parseInt(await run("du", "-sm", from));
  if (!(size <= GO_CACHE_MB_MAX)) return;
  const [kept] = await openKeptCaches({
    stateDir: state,
    workspace,
    has: (name) => Promise.resolve(name === "go"),
  });
  if (kept !== undefined) await run("cp", "-rT", from, kept.from);
}

/** Whether a program of this machine does anything: rustup has a cargo without any Rust behind it. */
async function works([program, ...args]: readonly [string, ...string[]]): Promise<boolean> {
  const { success } = await new Deno.Command(program, { args, stdin: "null" }).output();
  return success;
}

for (const { what, programs, tries, files, line, says, prepare } of CASES) {
  const ignore = (await needing(...programs)).ignore ||
    tries !== undefined && !await works(tries);
  Deno.test({ name: `inside works: ${what}`, ignore }, async () => {
    await withSandbox(async ({ run }) => {
      const { code, output } = await run(line);
      equal(code, 0, output);
      match(output, says);
    }, {
      prepare: async (folders) => {
        await writeFiles(folders, files);
        await prepare?.(folders);
      },
      options: { env: await toolchainEnv() },
    });
  });
}

/** Rust's programs look for their toolchains in a home; these tests have another one than the machine's user. */
async function toolchainEnv(): Promise<Record<string, string>> {
  const own = Deno.env.get("RUSTUP_HOME") ?? join(Deno.env.get("HOME") ?? "/root", ".rustup");
  const exists = await Deno.stat(own).then(() => true, () => false);
  return exists ? { RUSTUP_HOME: own } : {};
}
