import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { CODER } from "@/compose/profile.ts";
import { Attached } from "@/features/mcp/attached.ts";
import { act } from "@/features/mcp/commands.ts";
import type { FeatureWork } from "@/compose/feature.ts";
import { Trust } from "@/policy/trust.ts";
import type { Event } from "@/protocol/event.ts";
import type { Message } from "@/protocol/message.ts";
import type { Decision, GuardedCall } from "@/protocol/policy.ts";
import type { ToolSpec } from "@/protocol/tool.ts";
import { DEFAULT_SETTINGS } from "@/settings/settings.ts";
import { scripted } from "../support/mcp.ts";
import { withProcesses } from "../support/processes.ts";
import { callTool, testHost } from "../support/tool_host.ts";
import { until } from "../support/until.ts";
import { withWorkspace } from "../support/workspace.ts";

type Desk = {
  attached: Attached;
  work: FeatureWork;
  dir: string;
  trust: Trust;
  notices: string[];
  messages: Message[];
  automode: { isOn: boolean };
  tool(name: string): ToolSpec;
  /** Runs a tool, and has its result in the history. */
  call(name: string, input?: Record<string, unknown>): Promise<string>;
  decide(name: string, input?: Record<string, unknown>): Promise<Decision | undefined>;
};

type DeskOptions = {
  mine?: Record<string, unknown>;
  project?: Record<string, unknown>;
  denied?: (name: string) => Decision | undefined;
  isShown?: boolean;
};

/** The servers of a conversation without the conversation. */
async function desk(options: DeskOptions, body: (desk: Desk) => Promise<void>): Promise<void> {
  await withWorkspace(async (root) => {
    await withProcesses(async (processes) => {
      const [dir, mcp] = [join(root, "ws"), join(root, "mcp.json")];
      await Deno.mkdir(dir);
      await Deno.writeTextFile(mcp, JSON.stringify({ mcpServers: options.mine ?? {} }));
      if (options.project !== undefined) {
        const text = JSON.stringify({ mcpServers: options.project });
        await Deno.writeTextFile(join(dir, ".mcp.json"), text);
      }
      const trust = await Trust.load(join(root, "trust.json"));
      const notices: string[] = [];
      const messages: Message[] = [];
      const automode = { isOn: false };
      const emit = (event: Event) => event.type === "notice" && notices.push(event.text);
      const attached = new Attached(
        {
          place: { workspace: dir, paths: { mcp } },
          settings: { current: { ...DEFAULT_SETTINGS, MCP_STARTUP_WAIT: 60 } },
          profile: CODER,
          trust,
          processes,
          sandbox: { ready: () => Promise.resolve({ isProven: false }) },
          network: { ownServers: new Set() },
          automode,
          isInteractive: false,
          isShown: () => options.isShown === true,
          live: { emit, screen: { asker: () => undefined }, harness: { messages: () => messages } },
          env: {},
          http: () => Promise.reject(new Error("No server is reached over HTTP here")),
          // Parts of a conversation that servers do not ask for are not there.
        } as unknown as ConstructorParameters<typeof Attached>[0],
      );
      try {
        await attached.read();
        await attached.settled();
        await body(deskOf({ attached, dir, trust, notices, messages, automode }, options));
      } finally {
        await attached.close();
      }
    });
  });
}

function deskOf(
  parts: Pick<Desk, "attached" | "dir" | "trust" | "notices" | "messages" | "automode">,
  { denied }: DeskOptions,
): Desk {
  const policy = {
    denied: (call: GuardedCall) => denied?.(call.tool.name),
    asked: () => undefined,
  };
  const work = parts.attached.work({ policy } as unknown as Parameters<Attached["work"]>[0]);
  const tool = (name: string): ToolSpec => {
    const found = work.tools?.find((one) => one.name === name);
    if (found === undefined) throw new Error(`There is no ${name}`);
    return found;
  };
  const guarded = (name: string, input: Record<string, unknown>): GuardedCall => ({
    id: "1",
    tool: tool(name),
    input,
    effect: tool(name).effect(input),
    subject: tool(name).subject(input),
    outside: false,
  });
  return {
    ...parts,
    work,
    tool,
    call: async (name, input = {}) => {
      const result = await callTool(tool(name), input, testHost("/"));
      const message: Message = { role: "tool", callId: "1", name, result };
      parts.messages.push(message);
      work.sink?.({ type: "message", message });
      await work.hooks?.[0]?.afterTool?.(guarded(name, input), result, AbortSignal.timeout(60_000));
      return result.text;
    },
    decide: async (name, input = {}) => await work.guards?.[0]?.(guarded(name, input)),
  };
}

const add = { name: "add", description: "Adds", annotations: { readOnlyHint: true } };
const listed = ({ work }: Desk) =>
  (work.tools ?? []).filter(({ isUnlisted }) => isUnlisted !== true).map(({ name }) => name);
const before = async ({ work }: Desk) =>
  await work.hooks?.[0]?.beforeRequest?.(AbortSignal.timeout(60_000));

Deno.test("a small server is described; a big one is named until it is asked for", async () => {
  const mine = { s: scripted({ tools: [add] }), big: scripted({ count: 24 }) };
  await desk({ mine }, async (desk) => {
    equal(listed(desk), ["use_mcp_server", "read_mcp_resource", "mcp__s__add"]);
    match(desk.work.prompt?.() ?? "", /- big: browser_\{do_0, do_1, /);
    const text = await desk.call("use_mcp_server", { server: "big" });
    match(text, /^\[MCP server: big\] 24 tools/);
    equal(listed(desk).length, 3 + 24);
    equal(desk.work.prompt?.(), "");
    // A summary has taken the place of the history.
    desk.messages.length = 0;
    desk.work.sink?.({ type: "compaction", summary: "", keepFrom: 1 });
    equal(listed(desk).length, 3);
    match(await desk.call("mcp__big__browser_do_3"), /browser_do_3 called/);
    equal(listed(desk).length, 3 + 24, "calling a tool loads its server");
    const now = desk.work.tools;
    ok(now === desk.work.tools, "the same as long as nothing changes");
  });
});

Deno.test("a project's servers wait for trust, and are started once it is given", async () => {
  await desk({ project: { s: scripted({ tools: [add] }) } }, async (desk) => {
    equal(listed(desk), []);
    match(desk.notices.join(), /"s" \(\.mcp\.json\) is not started: .*not trusted/);
    const bytes = await Deno.readFile(join(desk.dir, ".mcp.json"));
    await desk.trust.grant(desk.dir, [{ name: ".mcp.json", bytes }]);
    await before(desk);
    equal(listed(desk), ["read_mcp_resource", "mcp__s__add"]);
  });
});

Deno.test("what a server changes is asked about until a call was approved, whatever allows it", async () => {
  const mine = { s: { ...scripted({ tools: [add], changes: true }), trust: true } };
  await desk({ mine }, async (desk) => {
    equal((await desk.decide("mcp__s__add"))?.verdict, "allow");
    await desk.call("mcp__s__add");
    // The server tells of it by itself, in its own time.
    await until(async () => {
      await before(desk);
      return (await desk.decide("mcp__s__add"))?.verdict === "ask";
    });
    const asked = await desk.decide("mcp__s__add");
    equal([asked?.verdict, asked?.by], ["ask", "guard"]);
    match(asked?.reason ?? "", /changed this tool.*Send everything to me/);
    match(desk.notices.join(), /"s" has changed since it was first seen: 1 tool/);
    desk.automode.isOn = true;
    await desk.call("mcp__s__add");
    desk.automode.isOn = false;
    equal((await desk.decide("mcp__s__add"))?.verdict, "ask", "automode approves nothing for good");
    await desk.call("mcp__s__add");
    equal((await desk.decide("mcp__s__add"))?.verdict, "allow");
  });
});

Deno.test("what runs unasked is what the person's entry says, after every rule that denies", async () => {
  const tools = [add, { name: "drop" }];
  const mine = {
    plain: scripted({ tools }),
    some: { ...scripted({ tools }), autoApprove: ["drop"] },
    trusted: { ...scripted({ tools }), trust: true },
  };
  const deny: Decision = { verdict: "deny", by: "rule", reason: "no" };
  const denied = (name: string) => name === "mcp__trusted__drop" ? deny : undefined;
  await desk({ mine, denied }, async (desk) => {
    const names = [
      "plain__add",
      "plain__drop",
      "some__add",
      "some__drop",
      "trusted__add",
      "trusted__drop",
    ];
    const decisions = await Promise.all(names.map((name) => desk.decide(`mcp__${name}`)));
    equal(decisions.map((one) => one?.verdict), [
      undefined,
      undefined,
      undefined,
      "allow",
      "allow",
      "deny",
    ]);
    const effects = names.map((name) => desk.tool(`mcp__${name}`).effect({}));
    equal(effects, ["changes", "changes", "changes", "changes", "reads", "changes"]);
  });
});

Deno.test("a long result is cut, and read on; an address that nobody listed is asked about", async () => {
  const mine = {
    s: scripted({ tools: [{ name: "big" }], resources: [{ uri: "note://1", name: "n" }] }),
  };
  await desk({ mine }, async (desk) => {
    const text = await desk.call("mcp__s__big", { chars: 20_000 });
    const [, uri = "", offset] = /uri="(mcp-result:\d+)", offset=(\d+)/.exec(text) ?? [];
    match(text, /12000 characters cut/);
    const rest = { uri, offset: Number(offset) };
    equal(await desk.decide("read_mcp_resource", rest), undefined);
    equal((await desk.call("read_mcp_resource", rest)).replace(/\n\[.*\]\n/, "").length, 8_000);
    match(await desk.call("read_mcp_resource", { uri: "mcp-result:99" }), /not kept any more/);
    const note = { uri: "note://1" };
    equal((await desk.decide("read_mcp_resource", note))?.verdict, "ask");
    match(await desk.call("list_mcp_resources"), /note:\/\/1 {2}n/);
    equal(await desk.decide("read_mcp_resource", note), undefined);
    equal(await desk.call("read_mcp_resource", note), "contents of note://1");
  });
});

Deno.test("arguments are checked by the server's own schema before anybody is asked", async () => {
  const inputSchema = {
    type: "object",
    properties: { n: { type: "integer", minimum: 1 } },
    required: ["n"],
  };
  await desk({ mine: { s: scripted({ tools: [{ name: "t", inputSchema }] }) } }, (desk) => {
    const { foreign } = desk.tool("mcp__s__t");
    equal(foreign?.problem({ n: 1 }), undefined);
    match(foreign?.problem({ n: 0 }) ?? "", /^n: /);
    ok(foreign?.problem({}) !== undefined);
    return Promise.resolve();
  });
});

Deno.test("what a command shows of each server is not told beside it", async () => {
  const options = { mine: { broken: { command: "no-such-program" } }, project: { w: scripted() } };
  await desk(options, ({ notices }) => {
    match(notices.join("\n"), /"w" .* is not started: .*\n.*"broken" could not be attached/);
    return Promise.resolve();
  });
  await desk({ ...options, isShown: true }, async ({ attached, notices }) => {
    const reached = { attached: () => Promise.resolve(attached), personalFile: "" };
    const listed = await act(reached, { do: "tools" });
    match(listed.text, /^w: not attached: .*\n.*\nbroken: not attached: /m);
    equal([listed.ok, notices], [false, []]);
  });
});

Deno.test("/mcp says how each server stands, and detaches and attaches them", async () => {
  const mine = { s: scripted({ tools: [add] }), off: { ...scripted(), disabled: true }, no: {} };
  await desk({ mine }, async (desk) => {
    const reached = { attached: () => Promise.resolve(desk.attached), personalFile: "/none" };
    const list = await act(reached, { do: "list" });
    equal(list.ok, false, "one is broken");
    match(list.text, /^s: attached, 1 tool\n/);
    match(list.text, /\noff: not attached: it is disabled in its entry\n/);
    match(list.text, /\nno: not attached: it has neither a command nor a url\n/);
    await act(reached, { do: "turn", isOn: false });
    equal(listed(desk), []);
    await act(reached, { do: "turn", isOn: true });
    ok(listed(desk).includes("mcp__s__add"));
    equal((await act(reached, { do: "connect", server: "nobody" })).ok, false);
    equal((await act(reached, { do: "connect", server: "s" })).ok, true);
  });
});
