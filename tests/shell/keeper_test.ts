/** Commands inside the real boundary: they end in time, and what they leave running stays. */
import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { KeeperPipe } from "@/shell/keeper.ts";
import type { Outcome } from "@/shell/outcome.ts";
import { Shell } from "@/shell/shell.ts";
import { livingWith } from "../support/processes.ts";
import { type Inside, needing, withSandbox } from "../support/sandbox.ts";
import { LIMITS, uniqueSeconds, watch } from "../support/shell.ts";
import { until } from "../support/until.ts";

type At = Inside & { shell: Shell; ran(command: string): Promise<Outcome> };

function insideTest(
  name: string,
  { ignore }: { ignore: boolean },
  body: (at: At) => Promise<void>,
): void {
  Deno.test({ name, ignore }, () =>
    withSandbox(async (inside) => {
      const { processes, workspace, sandbox } = inside;
      const shell = new Shell({
        processes,
        workspace,
        limits: () => LIMITS,
        wrap: () => sandbox.wrap(),
      });
      await body({ ...inside, shell, ran: (command) => shell.run({ command }, watch()) });
    }));
}

const plain = await needing();
const withScript = await needing("script");

insideTest(
  "a command inside ends with its code and its output in order",
  plain,
  async ({ ran, workspace }) => {
    equal(await ran("echo out; echo err >&2; pwd; exit 3"), {
      ...{ kind: "ended", code: 3, output: `out\nerr\n${workspace}\n` },
    });
    equal(await ran("true"), { kind: "ended", code: 0, output: "" });
    const killed = await ran("kill -9 $$");
    ok(killed.kind === "ended");
    equal(killed.code, 137);
  },
);

insideTest(
  "a server that is left inside stays, with a handle, and ends with it",
  plain,
  async ({ ran, shell, processes }) => {
    const sleep = `sleep ${uniqueSeconds()}`;
    const started = performance.now();
    const outcome = await ran(`(while :; do echo beat; sleep 0.2; done) & ${sleep} & echo up`);
    ok(performance.now() - started < 20_000, "returns at once");
    ok(outcome.kind === "ended");
    equal([outcome.code, outcome.left?.session], [0, "s1"]);
    match(outcome.output, /up\n/);
    equal((await shell.list()).map(({ session, state }) => [session, state]), [[
      "s1",
      "background",
    ]]);
    const more = await shell.send("s1", "", watch());
    ok(more.kind === "running", more.kind);
    match(more.output, /beat\n/);
    ok((await livingWith(processes, sleep)).length > 0);
    await shell.end("s1");
    equal(await livingWith(processes, sleep), []);
  },
);

insideTest("what is left inside and ends by itself is over", plain, async ({ ran, shell }) => {
  const outcome = await ran("sleep 1 & echo up");
  equal(outcome.kind === "ended" && outcome.left?.session, "s1");
  await until(async () => (await shell.list())[0]?.state === "ended");
  equal(await shell.send(undefined, "", watch()), { kind: "ended", code: 0, output: "" });
  equal(await shell.list(), []);
});

insideTest("a prompt inside is noticed and answered", plain, async ({ ran, shell }) => {
  const asked = await ran("printf 'name: '; read x; echo \"hello $x\"; echo more; read y");
  equal([asked.kind, asked.output], ["waiting", "name: "]);
  const more = await shell.send(undefined, "jo", watch());
  ok(more.kind === "waiting");
  equal([more.why, more.output], ["reads", "hello jo\nmore\n"]);
  await shell.close();
});

insideTest("a terminal is made inside as well", withScript, async ({ shell }) => {
  const command = "stty size; read -r -p 'name? ' x; echo \"hi $x\"";
  const asked = await shell.run({ command, terminal: true }, watch());
  equal([asked.kind, asked.output], ["waiting", "40 120\nname? "]);
  const done = await shell.send(undefined, "jo", watch());
  ok(done.kind === "ended");
  match(done.output, /hi jo\n$/);
});

Deno.test("KeeperPipe tells the end from what others write", () => {
  const all = (chunks: string[]) => {
    const pipe = new KeeperPipe();
    const seen = chunks.map((chunk) => pipe.take(chunk));
    return {
      ends: seen.flatMap(({ end }) => end ?? []),
      output: seen.map(({ output }) => output).join("") + pipe.rest(),
    };
  };
  equal(all(["ended 3 0\n"]), { ends: [{ code: 3, left: 0 }], output: "" });
  equal(all(["bwrap: Can", "not mount\nend", "ed 0 2\n"]), {
    ends: [{ code: 0, left: 2 }],
    output: "bwrap: Cannot mount\n",
  });
  equal(all(["ended 1 -1\n"]), { ends: [{ code: 1, left: 0 }], output: "" });
  equal(all(["ended x\nended 1"]), { ends: [], output: "ended x\nended 1" });
});
