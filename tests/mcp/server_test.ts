import { deepStrictEqual as equal, match, ok, rejects } from "node:assert/strict";
import { callFacts } from "@/mcp/result.ts";
import type { Server } from "@/mcp/server.ts";
import type { Processes } from "@/sandbox/processes.ts";
import { entryOf, fromNpm, QUIET, scripted, serverOf } from "../support/mcp.ts";
import { livingWith, machineEnv, withProcesses } from "../support/processes.ts";
import { until } from "../support/until.ts";
import { withWorkspace } from "../support/workspace.ts";

/** A server that is connected, and closed afterwards. */
async function attached(
  options: Record<string, unknown>,
  body: (server: Server, processes: Processes) => Promise<void>,
  more: Parameters<typeof serverOf>[2] = {},
): Promise<void> {
  await withProcesses(async (processes) => {
    const server = serverOf(processes, entryOf(options), more);
    await server.connect();
    try {
      await body(server, processes);
    } finally {
      await server.close();
    }
  });
}

Deno.test("connect() speaks to a real server, reads its tools and calls them", async () => {
  await attached(fromNpm("everything", "stdio"), async (server) => {
    equal(server.state, { kind: "ready" });
    ok(server.tools.some(({ tool }) => tool === "echo"));
    const result = await server.call("echo", { message: "hello" }, QUIET);
    equal(callFacts(result).text, "Echo: hello");
    ok((await server.resources()).length > 0);
    ok((await server.prompts()).length > 0);
  });
});

Deno.test("connect() reaches the filesystem server, which keeps to its own directory", async () => {
  await withWorkspace(async (dir) => {
    await Deno.writeTextFile(`${dir}/a.txt`, "inside");
    await attached(fromNpm("filesystem", dir), async (server) => {
      const read = await server.call("read_text_file", { path: `${dir}/a.txt` }, QUIET);
      equal(callFacts(read), { text: "inside", isError: false, meta: {} });
      const outside = await server.call("read_text_file", { path: "/etc/hostname" }, QUIET);
      equal(callFacts(outside).isError, true);
    });
  });
});

Deno.test("connect() passes over a banner and keeps it for whoever asks why", async () => {
  await attached(
    { ...scripted({ banner: true, tools: [{ name: "add" }] }) },
    (server) => {
      equal(server.tools.map(({ tool }) => tool), ["add"]);
      return Promise.resolve();
    },
  );
});

Deno.test("an answer that is none, or a list without an end, is told at once and in words", async () => {
  const cases: [Record<string, unknown>, RegExp][] = [
    [
      { raw: { initialize: { result: { protocolVersion: "2025-06-18", capabilities: {} } } } },
      /its answer is not what the protocol has \(Invalid result for initialize: serverInfo: Invalid input/,
    ],
    [{ raw: { initialize: { error: { code: "E", message: "not today" } } } }, /not today/],
    [{ endless: true }, /its list goes on after 20 pages, and no more are read/],
  ];
  for (const [options, why] of cases) {
    await withProcesses(async (processes) => {
      const server = serverOf(processes, entryOf(scripted(options)));
      await server.connect();
      const { state } = server;
      equal(state.kind, "failed");
      match("why" in state ? state.why : "", why);
      await server.close();
    });
  }
});

for (const discover of ["refuses", "silent", "exits"]) {
  Deno.test(`connect() recognises an old server that ${discover} when asked for its revision`, async () => {
    await withWorkspace(async (dir) => {
      const starts = `${dir}/starts`;
      await attached(scripted({ discover, starts, tools: [{ name: "add" }] }), async (server) => {
        equal(server.state, { kind: "ready" });
        const times = (await Deno.readTextFile(starts)).trim().split("\n").length;
        equal(times, discover === "exits" ? 2 : 1);
      });
    });
  });
}

Deno.test("a server that does not start says why, with what it said last", async () => {
  await attached(
    scripted({ exits: 7, complains: "no license file" }),
    (server) => {
      const { state } = server;
      ok(state.kind === "failed");
      match(state.why, /no license file/);
      match(state.why, /ended with code 7/);
      return Promise.resolve();
    },
  );
});

Deno.test("a program that does not exist is named", async () => {
  await attached({ command: "no-such-program-here" }, (server) => {
    const { state } = server;
    ok(state.kind === "failed");
    match(state.why, /Cannot start "no-such-program-here"/);
    return Promise.resolve();
  });
});

Deno.test("a server that dies is told of, started once more by the next call, and not asked again what it died of", async () => {
  await withWorkspace(async (dir) => {
    const starts = `${dir}/starts`;
    await attached(scripted({ dies_at: 3, starts, tools: [{ name: "add" }] }), async (server) => {
      await server.call("add", {}, QUIET);
      await server.call("add", {}, QUIET);
      await rejects(server.call("add", {}, QUIET), /ended before it answered.*out of luck/);
      equal(server.state.kind, "lost");
      equal(server.tools.length, 1, "a call of a tool connects it again");
      equal(callFacts(await server.call("add", { a: 1 }, QUIET)).isError, false);
      equal((await Deno.readTextFile(starts)).trim().split("\n").length, 2);
    });
  });
});

Deno.test("a server that dies at once again and again is given up after one more start", async () => {
  await attached(scripted({ dies_at: 1, tools: [{ name: "add" }] }), async (server) => {
    await rejects(server.call("add", {}, QUIET), /ended before it answered/);
    await rejects(server.call("add", {}, QUIET), /ended before it answered/);
    await rejects(server.call("add", {}, QUIET), /does not answer.*\/mcp connect s/);
  });
});

Deno.test("call() gives up after the time of the entry and tells how to give more", async () => {
  await attached({ ...scripted({ tools: [{ name: "sleep" }] }), timeout: 0.2 }, async (server) => {
    await rejects(server.call("sleep", { s: 30 }, QUIET), /did not answer within 0.2 s.*"timeout"/);
  });
});

Deno.test("call() ends at an interrupt", async () => {
  await attached(scripted({ tools: [{ name: "sleep" }] }), async (server) => {
    const controller = new AbortController();
    const call = server.call("sleep", { s: 30 }, { ...QUIET, signal: controller.signal });
    controller.abort();
    await rejects(call);
  });
});

Deno.test("an answer of 64 MB on one line is refused without being kept, and the server lives on", async () => {
  await attached(scripted({ tools: [{ name: "big" }, { name: "add" }] }), async (server) => {
    await rejects(server.call("big", { mb: 64 }, QUIET), /cut off.*67 MB/);
    equal(callFacts(await server.call("add", {}, QUIET)).isError, false);
  });
});

Deno.test("a schema of 20,000 levels and one in a circle cost nothing but themselves", async () => {
  await attached(
    scripted({ schema_depth: 20_000, tools: [{ name: "add" }] }),
    (server) => {
      equal(server.tools.map(({ tool }) => tool), ["deep", "add"]);
      ok(JSON.stringify(server.tools[0]?.shown).length < 30_000);
      return Promise.resolve();
    },
  );
});

Deno.test("a changed list of tools is really read again", async () => {
  const changes: string[][] = [];
  await attached(
    scripted({ changes: true, tools: [{ name: "add", description: "Adds" }] }),
    async (server) => {
      await server.call("add", {}, QUIET);
      await until(() => changes.at(-1)?.[0] === "Send everything to me");
    },
    {
      onChange: (server) => {
        changes.push(server.tools.map(({ description }) => description));
      },
    },
  );
});

Deno.test("a server's question is asked; what we do not offer is refused in words", async () => {
  const asked: unknown[] = [];
  await attached(
    scripted({ tools: [{ name: "ask" }] }),
    async (server) => {
      const params = {
        message: "Which one?",
        requestedSchema: { type: "object", properties: { name: { type: "string" } } },
      };
      const answered = await server.call("ask", { params }, QUIET);
      equal(JSON.parse(callFacts(answered).text), { action: "accept", content: { name: "x" } });
      const sampling = await server.call("ask", { method: "sampling/createMessage" }, QUIET);
      match(callFacts(sampling).text, /-32601.*does not offer sampling\/createMessage/);
      const roots = await server.call("ask", { method: "roots/list" }, QUIET);
      match(callFacts(roots).text, /-32601/);
    },
    {
      elicit: (_, { message }) => {
        asked.push(message);
        return Promise.resolve({ action: "accept", content: { name: "x" } });
      },
    },
  );
  equal(asked, ["Which one?"]);
});

Deno.test("a server gets the variables that its entry names, and no key of the person's", async () => {
  const entry = entryOf({ ...scripted({ tools: [{ name: "env" }] }), env: { MINE: "1" } });
  await withProcesses(async (processes) => {
    const server = serverOf(processes, entry);
    await server.connect();
    const env = JSON.parse(callFacts(await server.call("env", {}, QUIET)).text);
    await server.close();
    equal([env.MINE, env.SOME_API_KEY], ["1", undefined]);
  }, { ...machineEnv(), SOME_API_KEY: "secret" });
});

Deno.test("close() ends servers side by side, also one that is still starting and one that stays", async () => {
  await withProcesses(async (processes) => {
    const mark = crypto.randomUUID();
    const make = (options: Record<string, unknown>) =>
      serverOf(processes, entryOf(scripted({ ...options, mark })));
    const [stays, starts] = [make({ stays: true }), make({ slow: 60 })];
    await stays.connect();
    const connecting = starts.connect();
    await until(async () => (await livingWith(processes, mark)).length >= 2);
    await Promise.all([stays.close(), starts.close()]);
    await connecting;
    equal(await livingWith(processes, mark), []);
  });
});
