/** The outside of the program, as scripts rely on it: exit codes, output formats, one result on every path. */
import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { harness } from "../support/program.ts";
import { HELLO, json, type Result, world, WRITE } from "../support/scripted_runs.ts";
import { startFakeAnthropic } from "../support/fake_anthropic.ts";
import { startFakeOllama } from "../support/fake_ollama.ts";
import { withWorkspace } from "../support/workspace.ts";

Deno.test("-p prints the answer and nothing else on stdout, exit 0", () =>
  world([HELLO], async ({ run }) => {
    const ran = await run(["-p", "hi"]);
    equal([ran.code, ran.stdout], [0, "Hello there.\n"]);
  }));

Deno.test("--output json prints one document with every field of the contract", () =>
  world([HELLO], async ({ run }) => {
    const document = json(await run(["-p", "hi", "--output", "json"]));
    equal(Object.keys(document), [
      "version",
      "session",
      "id",
      "model",
      "answer",
      "stop",
      "exitCode",
      "requests",
      "durationMs",
      "usage",
      "otherUsage",
      "cost",
      "calls",
      "changed",
    ]);
    const { version, model, answer, stop, exitCode, requests, cost, calls, changed } = document;
    equal([version, model, answer, stop, exitCode, requests, cost, calls, changed], [
      1,
      "ollama/m",
      "Hello there.",
      "end",
      0,
      1,
      null,
      [],
      [],
    ]);
  }));

Deno.test("--output jsonl begins with the session and ends with exactly one result", () =>
  world([WRITE, HELLO], async ({ run }) => {
    const ran = await run(["-p", "hi", "--output", "jsonl", "--auto"]);
    const records = ran.stdout.trimEnd().split("\n").map((line) =>
      JSON.parse(line) as Record<string, unknown>
    );
    const { type, version, model } = records[0] ?? {};
    equal([type, version, model], ["session", 1, "ollama/m"]);
    equal(records.filter((one) => one["type"] === "result").length, 1);
    equal(records.at(-1)?.["type"], "result");
    equal(records.filter((one) => one["type"] === "decision").length, 1);
    equal(records.filter((one) => one["type"] === "turn_end").length, 1);
  }));

Deno.test("a change that nobody can approve is refused, exit 4, and the model is told", () =>
  world([WRITE, { text: "I could not." }], async ({ run, dir, bodies }) => {
    const ran = await run(["-p", "write", "--output", "json"]);
    const document = json(ran);
    equal([ran.code, document.exitCode, document["answer"]], [4, 4, "I could not."]);
    const { name, verdict, by, asked, status } = document.calls[0] ?? {};
    equal([name, verdict, by, asked, status], ["write_file", "deny", "nobody", true, "denied"]);
    equal([...Deno.readDirSync(dir)].length, 0);
    match(JSON.stringify(bodies()[1]), /\[System\] Nothing was done/);
  }));

Deno.test("an allow rule lets a change through and names it in changed", () =>
  world([WRITE, { text: "Done." }], async ({ run, dir }) => {
    const document = json(
      await run(["-p", "write", "--output", "json", "--allow", "write_file(a.txt)"]),
    );
    equal([document.exitCode, document["changed"]], [0, ["a.txt"]]);
    equal(document.calls[0]?.["by"], "rule");
    equal(Deno.readTextFileSync(join(dir, "a.txt")), "one\n");
  }));

Deno.test("a deny rule refuses without a question, exit 0", () =>
  world([WRITE, { text: "Not allowed." }], async ({ run }) => {
    const document = json(
      await run(["-p", "write", "--output", "json", "--deny", "write_file", "--auto"]),
    );
    equal([document.exitCode, document.calls[0]?.["by"], document.calls[0]?.["asked"]], [
      0,
      "rule",
      false,
    ]);
  }));

Deno.test("--plan refuses every change even with --auto", () =>
  world([WRITE, { text: "I would write a.txt." }], async ({ run, dir }) => {
    const document = json(await run(["-p", "write", "--output", "json", "--plan", "--auto"]));
    equal([document.exitCode, document.calls[0]?.["by"]], [0, "guard"]);
    equal([...Deno.readDirSync(dir)].length, 0);
  }));

Deno.test("a failing provider exits 1 with the sentence on stderr and nothing on stdout", () =>
  world([], async ({ run }) => {
    const ran = await run(["-p", "hi"], { env: { OLLAMA_HOST: "http://127.0.0.1:1" } });
    equal([ran.code, ran.stdout], [1, ""]);
    match(ran.stderr, /127\.0\.0\.1:1/);
    const document = json(
      await run(["-p", "hi", "--output", "json"], { env: { OLLAMA_HOST: "http://127.0.0.1:1" } }),
    );
    ok(document["error"] !== undefined && document.exitCode === 1);
  }));

Deno.test("a model that answers with nothing twice exits 1 with the sentence on stderr", () =>
  world([{ text: "" }, { text: " " }], async ({ run }) => {
    const ran = await run(["-p", "hi", "--output", "json"]);
    const { stop, exitCode, error } = json(ran);
    equal([ran.code, stop, exitCode], [1, "error", 1]);
    match(String((error as { message: string }).message), /answered with nothing twice/);
    match(ran.stderr, /answered with nothing twice/);
  }));

Deno.test("a reply cut by the output limit exits 3", () =>
  world([{ text: "half of", stop: "length" }], async ({ run }) => {
    const ran = await run(["-p", "hi"]);
    equal([ran.code, ran.stdout], [3, "half of\n"]);
    match(ran.stderr, /was cut off/);
  }));

Deno.test("the ceiling of headless calls exits 3", () =>
  world(
    Array.from({ length: 6 }, (_, n) => ({
      calls: [{ name: "list_dir", arguments: { dirpath: "." }, id: `c${n}` }],
    })),
    async ({ run }) => {
      const ran = await run([
        "-p",
        "loop",
        "--set",
        "HEADLESS_MAX_TOOL_CALLS=2",
        "--output",
        "json",
      ]);
      equal([ran.code, json(ran)["stop"], json(ran).calls.length], [3, "limit", 2]);
    },
  ));

Deno.test("wrong usage exits 2 and says what would work", () =>
  world([], async ({ run }) => {
    for (
      const args of [["--bogus"], ["-c", "-r", "x", "-p", "hi"], ["-p", "hi", "--set", "NOPE=1"], [
        "-p",
        "hi",
        "--cwd",
        "/nowhere",
      ], ["-p", "hi", "--allow", "run_cmd(git"]]
    ) {
      const ran = await run(args);
      equal([args, ran.code, ran.stdout], [args, 2, ""]);
      ok(ran.stderr.length > 10);
    }
    equal((await run(["-p"], { stdin: "" })).code, 2);
    equal((await run(["-m", "nope/x", "-p", "hi"])).code, 2);
  }));

Deno.test("standard input is the prompt, or is attached to it", () =>
  world([HELLO, HELLO, HELLO], async ({ run, bodies }) => {
    await run([], { stdin: "from a pipe" });
    await run(["-p", "-"], { stdin: "from a dash" });
    await run(["-p", "explain this"], { stdin: "the text" });
    const last = bodies().map((body) => {
      const { messages } = body as { messages: { content: string }[] };
      return messages.at(-1)?.content;
    });
    equal(last, ["from a pipe", "from a dash", "explain this\n\nthe text"]);
  }));

Deno.test("a pipe that stays silent is given up after a second, with a word on stderr", () =>
  world([HELLO], async ({ run }) => {
    const ran = await run(["-p", "hi"], { stdin: "open" });
    equal([ran.code, ran.stdout], [0, "Hello there.\n"]);
    match(ran.stderr, /nothing arrived on standard input within 1 s/);
  }));

Deno.test("without accepted terms nothing starts and the sentence says how", () =>
  world([HELLO], async ({ run, bodies }) => {
    const ran = await run(["-p", "hi"], { env: { HARNESS_ACCEPT_TERMS: "0" } });
    equal([ran.code, ran.stdout, bodies().length], [1, "", 0]);
    match(ran.stderr, /HARNESS_ACCEPT_TERMS=1/);
  }));

Deno.test("--version, --help and sessions need no accepted terms", () =>
  withWorkspace(async (dir) => {
    const options = { cwd: dir, home: dir, env: { HARNESS_ACCEPT_TERMS: "0" } };
    equal((await harness(["--version"], options)).stdout, "harness 0.1.0\n");
    match((await harness(["--help"], options)).stdout, /--print/);
    equal((await harness(["sessions", "list"], options)).code, 0);
  }));

Deno.test("a model without tool calls works by the text protocol, its file body raw and whole", () =>
  withWorkspace(async (root) => {
    const [dir, home] = [join(root, "ws"), join(root, "home")];
    await Deno.mkdir(dir);
    const body = 'print("it\'s \\\\n raw")\n# </b> {"a": 1}';
    const text = [
      "I write it.",
      '<tool_call>\n{"name": "write_file", "arguments": {"filepath": "a.py"}}',
      `<content>\n${body}\n</content>`,
      "</tool_call>",
    ].join("\n");
    await using api = startFakeOllama([{ text }, { text: "Written." }], {
      models: { small: { capabilities: ["completion"], contextLength: 32_768 } },
    });
    const ran = await harness(
      ["-m", "ollama/small", "-p", "write it", "--auto", "--output", "json"],
      { cwd: dir, home, env: { OLLAMA_HOST: api.url } },
    );
    const document = json(ran);
    equal([document.exitCode, document["answer"]], [0, "Written."]);
    equal(Deno.readTextFileSync(join(dir, "a.py")), `${body}\n`);
    const { tools, messages } = api.bodies[1] as {
      tools?: unknown[];
      messages: { role: string; content: string }[];
    };
    equal(tools ?? [], []);
    match(messages[0]?.content ?? "", /write_file/);
    match(messages.at(-1)?.content ?? "", /Tool Result for 'write_file'/);
  }));

Deno.test("a native model that writes its call as text is understood, with one notice", () =>
  world(
    [
      { text: '<tool_call>{"name": "list_dir", "arguments": {"dirpath": "."}}</tool_call>' },
      { text: "Nothing there." },
    ],
    async ({ run }) => {
      const ran = await run(["-p", "look", "--output", "jsonl"]);
      const records = ran.stdout.trimEnd().split("\n").map((line) =>
        JSON.parse(line) as Record<string, unknown>
      );
      equal(records.filter((one) => /tool parser/.test(String(one["text"]))).length, 1);
      equal((records.at(-1) as Result).calls.map((one) => one["name"]), ["list_dir"]);
    },
  ));

Deno.test("the cost of a turn is told where the model's price is known", () =>
  withWorkspace(async (dir) => {
    const usage = { input: 1000, output: 100, cacheRead: 0, cacheWrite: 0 };
    await using api = startFakeAnthropic([{ text: "Hi.", usage }]);
    const ran = await harness(
      ["-m", "anthropic/claude-haiku-4-5", "-p", "hi", "--output", "json"],
      {
        cwd: dir,
        home: dir,
        env: { ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: "k" },
      },
    );
    const { cost, usage: told, answer } = json(ran);
    equal([answer, cost, told], ["Hi.", 0.0015, usage]);
  }));
