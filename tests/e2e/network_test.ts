/** The real program in a network of its own, with a public address: what commands reach of it, and what is said. */
import { deepStrictEqual as equal, match } from "node:assert/strict";
import { join } from "node:path";
import { mayMakeWorld, runInWorld } from "../support/network_world.ts";
import { harness } from "../support/program.ts";
import { needing } from "../support/sandbox.ts";
import { withWorkspace } from "../support/workspace.ts";

const HOSTS = "127.0.0.1 localhost\n93.184.216.34 allowed.test public.test\n10.0.0.5 inside.test\n";

const { ignore } = await needing("nsenter", "curl");
const needs = { ignore: ignore || !await mayMakeWorld() };

type Turn = { args: readonly string[]; command: string };
type Result = { told: string; stderr: string; hits: string[]; by: string };

async function inWorld(turns: readonly Turn[]): Promise<Result[]> {
  let results: Result[] = [];
  await withWorkspace(async (dir) => {
    for (const name of ["home", "state", "project"]) await Deno.mkdir(join(dir, name));
    await Deno.writeTextFile(join(dir, "hosts"), HOSTS);
    const { stdout, stderr } = await runInWorld(join(dir, "hosts"), {
      script: new URL("../testdata/network_child.ts", import.meta.url),
      args: [dir, JSON.stringify(turns)],
    });
    const last = stdout.trim().split("\n").at(-1) ?? "";
    if (!last.startsWith("[")) throw new Error(`The child failed: ${stderr}`);
    results = JSON.parse(last);
  });
  return results;
}

const get = (...urls: readonly string[]) => urls.map((url) => `curl -s -m 20 ${url}`).join("; ");

Deno.test({
  name: "commands reach allowed hosts at public addresses, and what they do not reach is said",
  ...needs,
}, async () => {
  const [none, some, rule, offline] = await inWorld([
    { args: [], command: get("http://allowed.test/x") },
    {
      args: ["--set", "NETWORK_ALLOW=allowed.test,inside.test"],
      command: get(
        ...["http://allowed.test/yes", "http://public.test/no", "http://inside.test/no"],
        ...["http://93.184.216.34/no", "http://0x5db8d822/no", "-x '' http://93.184.216.34/no"],
      ),
    },
    {
      args: ["--allow", "network(*.test)", "--deny", "network(public.test)"],
      command: get("http://allowed.test/yes", "http://public.test/no"),
    },
    {
      args: ["--offline", "--set", "NETWORK_ALLOW=allowed.test"],
      command: get("http://allowed.test/"),
    },
  ]);
  equal([none?.hits, none?.by], [[], "sandbox"]);
  match(
    none?.told ?? "",
    /\[System\] .*allowed\.test is not an allowed host.*\/network allow allowed\.test/,
  );
  match(none?.stderr ?? "", /warning: .*allowed\.test is not an allowed host/);
  equal(some?.hits, ["http://allowed.test/yes"]);
  match(some?.told ?? "", /^public page$/m);
  match(
    some?.told ?? "",
    /inside\.test:80 was not made: its name leads to 10\.0\.0\.5, a private address/,
  );
  match(some?.told ?? "", /93\.184\.216\.34 is not an allowed host/);
  equal(rule?.hits, ["http://allowed.test/yes"]);
  match(
    rule?.told ?? "",
    /public\.test:80 was not made: rule "network\(public\.test\)" \(--deny\) denies it/,
  );
  equal(offline?.hits, []);
  match(offline?.told ?? "", /--offline/);
});

Deno.test("/network keeps hosts for the project or for good, in one spelling, and lists them", async () => {
  await withWorkspace(async (dir) => {
    const say = async (line: string) => {
      const { stdout, stderr, code } = await harness(["-p", line], {
        cwd: dir,
        home: join(dir, "state"),
      });
      return { text: stdout + stderr, code };
    };
    match((await say("/network")).text, /No host is allowed to commands/);
    match(
      (await say("/network allow Registry.Example. always")).text,
      /^registry\.example may be reached in every/,
    );
    match(
      (await say("/network allow [::1]:8080")).text,
      /^\[::1\]:8080 may be reached in this project\. That is for tools: in a command it is the sandbox/,
    );
    match(
      (await say("/network deny *.evil.example")).text,
      /^\*\.evil\.example is reached by nothing/,
    );
    const { text } = await say("/network");
    match(text, /allow {2}network\(registry\.example\)/);
    match(text, /deny {3}network\(\*\.evil\.example\)/);
    for (
      const line of [
        "/network allow",
        "/network allow http://x/",
        "/network allow a b",
        "/network x",
      ]
    ) {
      equal((await say(line)).code === 0, false, line);
    }
  });
});
