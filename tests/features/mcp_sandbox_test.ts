/** A server over standard input and output inside the real sandbox: what it reads, changes and is told of. */
import { deepStrictEqual as equal, match } from "node:assert/strict";
import { join } from "node:path";
import { reachOf } from "@/features/mcp/reach.ts";
import { Diagnostics } from "@/mcp/stdio_lines.ts";
import { Server } from "@/mcp/server.ts";
import { entryOf, QUIET, SCRIPTED, scripted } from "../support/mcp.ts";
import { type Inside, needing, withSandbox } from "../support/sandbox.ts";

const needs = await needing();

/** The text of a call of its own, and whether it failed. */
type Call = (tool: string, args: Record<string, unknown>) => Promise<[string, boolean]>;

async function withServer(
  inside: Inside,
  more: Record<string, unknown>,
  body: (call: Call) => Promise<void>,
): Promise<void> {
  const { processes, sandbox, workspace, home } = inside;
  await Deno.copyFile(SCRIPTED, join(workspace, "server.py"));
  const declared = { ...scripted(), args: ["-u", "server.py"], ...more };
  const [entry, diagnostics] = [entryOf(declared), new Diagnostics()];
  const http = () => Promise.reject(new Error("It is a process"));
  const parts = {
    processes,
    sandbox: { ready: () => Promise.resolve(sandbox) },
    workspace,
    home,
    http,
  };
  const server = new Server({
    entry,
    slug: "s",
    diagnostics,
    program: { name: "test", version: "1" },
    // A process needs no sign-in.
    reach: () => reachOf(entry, diagnostics, parts as unknown as Parameters<typeof reachOf>[2]),
    limits: () => ({ startMs: 60_000, callMs: 60_000 }),
    elicit: () => Promise.resolve({ action: "cancel" }),
    onChange: () => {},
  });
  try {
    await server.connect();
    equal(server.state, { kind: "ready" });
    await body(async (tool, args) => {
      const { content, isError } = await server.call(tool, args, QUIET);
      const [first] = content;
      return [first?.type === "text" ? first.text : "", isError === true];
    });
  } finally {
    await server.close();
  }
}

Deno.test({
  name: "a server reads the workspace and changes nothing that its entry does not name",
  ...needs,
  fn: () =>
    withSandbox(async (inside) => {
      const { workspace, home, state, outside } = inside;
      const secret = join(home, ".secret");
      for (
        const path of [join(workspace, "a.txt"), secret, join(state, "key"), join(outside, "x")]
      ) {
        await Deno.writeTextFile(path, "what stands there");
      }
      const mine = join(outside, "mine");
      await Deno.mkdir(mine);
      await withServer(inside, { writes: [mine], env: { NAMED: "yes" } }, async (call) => {
        equal(await call("read", { path: "a.txt" }), ["what stands there", false]);
        equal(await call("write", { path: join(mine, "new") }), ["written", false]);
        equal((await call("write", { path: "new.txt" }))[1], true);
        for (const path of [secret, join(state, "key")]) {
          equal((await call("read", { path }))[1], true);
        }
        // It has a temporary directory of its own, where this may be one of its own files.
        await call("write", { path: join(outside, "x") });
        const [env] = await call("env", {});
        match(env, /"NAMED": "yes"/);
      });
      equal(await Deno.readTextFile(join(mine, "new")), "written");
      equal([...Deno.readDirSync(workspace)].map(({ name }) => name).sort(), [
        "a.txt",
        "server.py",
      ]);
      equal(await Deno.readTextFile(join(outside, "x")), "what stands there");
    }),
});

Deno.test({
  name:
    "a server changes the workspace where its entry says so, and reads what is hidden where it is named",
  ...needs,
  fn: () =>
    withSandbox(async (inside) => {
      const notes = join(inside.home, ".notes");
      await Deno.mkdir(notes);
      await Deno.writeTextFile(join(notes, "n"), "a note");
      await withServer(inside, { writes: ["."], reads: ["~/.notes"] }, async (call) => {
        equal(await call("write", { path: "new.txt" }), ["written", false]);
        equal(await call("read", { path: join(notes, "n") }), ["a note", false]);
        equal((await call("write", { path: join(notes, "n") }))[1], true);
      });
      equal(await Deno.readTextFile(join(inside.workspace, "new.txt")), "written");
    }),
});
