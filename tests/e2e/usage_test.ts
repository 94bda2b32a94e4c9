/** Wrong and odd uses of the command line: a sentence, an exit code, and nothing taken that was not meant. */
import { deepStrictEqual as equal, match } from "node:assert/strict";
import { join } from "node:path";
import { startFakeOllama } from "../support/fake_ollama.ts";
import { environment, FLAGS, harness, type ProgramOptions } from "../support/program.ts";
import { withWorkspace } from "../support/workspace.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

Deno.test("an option whose value is empty is refused, and means no directory that nobody named", () =>
  withWorkspace(async (dir) => {
    for (const option of ["--cwd", "--add-dir", "--model", "--base-url", "--resume"]) {
      const ran = await harness(["-p", "hi", option, ""], { cwd: dir, home: dir });
      equal([option, ran.code, ran.stdout], [option, 2, ""]);
      match(ran.stderr, new RegExp(`${option} was given without a value`));
    }
  }));

Deno.test("a prompt of nothing but blanks is no prompt", () =>
  withWorkspace(async (dir) => {
    const options = { cwd: dir, home: dir };
    const ran = await harness(["-m", "demo/tour", "-p", " \n "], options);
    equal([ran.code, ran.stdout], [2, ""]);
    match(ran.stderr, /no prompt: -p was given without one, and standard input is empty\n/);
    const blank = await harness(["-m", "demo/tour"], { ...options, stdin: "\n" });
    equal([blank.code, blank.stdout], [2, ""]);
    match(blank.stderr, /no prompt: standard input holds only blanks\n/);
  }));

Deno.test("a model that the demo does not have is an error", () =>
  withWorkspace(async (dir) => {
    const ran = await harness(["-m", "demo/nope", "-p", "hi"], { cwd: dir, home: dir });
    equal([ran.code, ran.stdout], [1, ""]);
    match(ran.stderr, /demo has no model "nope".*demo\/tour/s);
  }));

Deno.test("a slash command leaves standard input alone, whatever is on it", () =>
  withWorkspace(async (dir) => {
    const options: ProgramOptions = { cwd: dir, home: dir, stdin: "the next line of a loop\n" };
    equal((await harness(["set", "NUM_CTX", "32768"], options)).code, 0);
    equal((await harness(["-p", "/set NUM_PREDICT 1024"], options)).code, 0);
    equal(JSON.parse(Deno.readTextFileSync(join(dir, "settings.json"))), {
      NUM_CTX: 32768,
      NUM_PREDICT: 1024,
    });
    const silent = await harness(["set", "NUM_CTX", "default"], { ...options, stdin: "open" });
    equal([silent.code, silent.stderr], [0, ""]);
  }));

Deno.test("a value that a setting does not take is a wrong use, wherever it is given", () =>
  withWorkspace(async (dir) => {
    const wrong = [
      ["set", "NUM_CTX", "bad"],
      ["-p", "/set NUM_CTX bad"],
      ["-m", "demo/tour", "-p", "hi", "--set", "NUM_CTX=bad"],
    ];
    for (const args of wrong) {
      const ran = await harness(args, { cwd: dir, home: dir });
      equal([args, ran.code, ran.stdout], [args, 2, ""]);
      match(ran.stderr, /Cannot set NUM_CTX to "bad": it takes a whole number/);
    }
    equal((await harness(["set", "NOPE"], { cwd: dir, home: dir })).code, 2);
  }));

Deno.test("a slash command that meets a file error says so as the person's matter", () =>
  withWorkspace(async (dir) => {
    const ran = await harness(["-p", "/export /nowhere/at/all.md"], { cwd: dir, home: dir });
    equal([ran.code, ran.stdout], [1, ""]);
    match(ran.stderr, /\/export could not be done: Cannot write "\/nowhere\/at\/all\.md"/);
  }));

Deno.test("standard input is read in its own encoding, and a binary file on it is refused", () =>
  withWorkspace(async (dir) => {
    await using api = startFakeOllama([{ text: "Yes." }, { text: "Yes." }]);
    const options = { cwd: dir, home: dir, env: { OLLAMA_HOST: api.url } };
    const korean = new Uint8Array([...hex("b0a1b0dd203d203132303020bfc0b4c320b3afbebe0a")]);
    const args = ["-m", "ollama/m", "-p", "what is this?"];
    equal((await harness(args, { ...options, stdin: korean })).code, 0);
    match(JSON.stringify(api.bodies[0]), /가격 = 1200 오늘 날씨/);
    const utf16 = new Uint8Array([0xff, 0xfe, 0x41, 0, 0xe9, 0]);
    equal((await harness(args, { ...options, stdin: utf16 })).code, 0);
    match(JSON.stringify(api.bodies[1]), /what is this\?\\n\\nAé"/);
    const image = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0]);
    const ran = await harness(args, { ...options, stdin: image });
    equal([ran.code, api.bodies.length], [2, 2]);
    match(ran.stderr, /binary file \(PNG image\)/);
  }));

Deno.test("what is no command and no option is named, with what would work", () =>
  withWorkspace(async (dir) => {
    const options = { cwd: dir, home: dir };
    for (
      const [args, sentence] of [
        [["sesions", "list"], /No command is named "sesions"; did you mean "sessions"\?/],
        [["hello", "there"], /No command is named "hello"[^;]*harness -p/],
        [["-p", "hi", "--bogus"], /--bogus.*--help/s],
        [["-p", "hi", "--sandbox", "maybe"], /auto\|require\|off/],
      ] as const
    ) {
      const ran = await harness(args, options);
      equal([args, ran.code, ran.stdout], [args, 2, ""]);
      match(ran.stderr, /^harness: /);
      match(ran.stderr, sentence);
    }
  }));

Deno.test("a wrong use has a result too where JSON was asked for", () =>
  withWorkspace(async (dir) => {
    const options = { cwd: dir, home: dir };
    for (const format of ["json", "jsonl"]) {
      const ran = await harness(["-p", "hi", "--bogus", "--output", format], options);
      const records = ran.stdout.trimEnd().split("\n").map((line) =>
        JSON.parse(line) as { type?: string; exitCode?: number; error?: { kind: string } }
      );
      const result = records.at(-1);
      equal([ran.code, result?.exitCode, result?.error?.kind], [2, 2, "usage"]);
      equal(records.length, format === "json" ? 1 : 2);
    }
  }));

Deno.test({
  name:
    "a full disk under standard output and a directory on standard input are said in a sentence",
  ignore: Deno.build.os !== "linux",
  fn: () =>
    withWorkspace(async (dir) => {
      const program = [Deno.execPath(), ...FLAGS, join(ROOT, "main.ts")].join(" ");
      const run = async (line: string) => {
        const { code, stderr } = await new Deno.Command("sh", {
          args: ["-c", line.replace("harness", program)],
          cwd: dir,
          clearEnv: true,
          env: environment({ home: dir }),
          stdin: "null",
        }).output();
        return `${code} ${new TextDecoder().decode(stderr)}`;
      };
      for (const format of ["text", "json", "jsonl"]) {
        const failed = await run(`harness -m demo/tour -p hi --output ${format} > /dev/full`);
        match(failed, /^1 [^]*Cannot write to standard output: the disk is full/);
        equal(failed.includes("fault of the program"), false);
      }
      for (const args of ["--help", "--version", "sessions --help", "set"]) {
        match(await run(`harness ${args} > /dev/full`), /^1 harness: Cannot write to standard/);
      }
      match(await run("harness -m demo/tour -p hi < ."), /^2 [^]*Standard input cannot be read/);
    }),
});

function* hex(text: string): Generator<number> {
  for (let at = 0; at < text.length; at += 2) yield parseInt(text.slice(at, at + 2), 16);
}
