import { deepStrictEqual as equal, match } from "node:assert/strict";
import { startFakeAnthropic } from "../support/fake_anthropic.ts";
import { harness } from "../support/program.ts";
import { withWorkspace } from "../support/workspace.ts";

Deno.test("a run without a terminal that has spent its budget ends with exit 3 and says so", () =>
  withWorkspace(async (dir) => {
    await using api = startFakeAnthropic(() => ({
      calls: [{ name: "list_dir", arguments: {}, id: "toolu_1" }],
      usage: { input: 200_000, output: 0 },
    }));
    const ran = await harness(
      ["-m", "anthropic/claude-opus-5", "--budget", "1", "--output", "json", "-p", "look around"],
      {
        cwd: dir,
        home: dir,
        env: { ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: "sk-ant-test" },
      },
    );
    const { stop, cost, requests } = JSON.parse(ran.stdout);
    equal([ran.code, stop, cost, requests, api.requests.length], [3, "limit", 1, 1, 1]);
    match(ran.stderr, /The budget of \$1\.00 for this session is used up: \$1\.00 spent/);
  }));

Deno.test("a budget that is no amount is wrong usage", () =>
  withWorkspace(async (dir) => {
    const ran = await harness(["--budget", "much", "-p", "hi"], { cwd: dir, home: dir });
    equal([ran.code, ran.stdout], [2, ""]);
    match(ran.stderr, /--budget "much" is no amount.*2\.50/s);
  }));
