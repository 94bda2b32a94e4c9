import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { z } from "zod";
import type { DurableEvent } from "@/protocol/event.ts";
import type { Approval, Guard, GuardedCall } from "@/protocol/policy.ts";
import type { ToolSpec } from "@/protocol/tool.ts";
import { defineTool, ok as okResult } from "@/tools/spec.ts";
import { loop, say, TOOLS } from "../support/loop.ts";
import { calls, says, scriptedProvider } from "../support/scripted_provider.ts";

type Ran = { decisions: unknown[]; result: { status: string; text: string }; log: DurableEvent[] };

async function runOne(
  call: { name: string; input?: unknown },
  options: Omit<Parameters<typeof loop>[0], "provider"> = {},
): Promise<Ran> {
  const { harness, log } = loop({
    provider: scriptedProvider([calls([call]), says("ok")]),
    ...options,
  });
  await say(harness);
  const decisions = log.flatMap((event) =>
    event.type === "decision" ? [[event.decision.verdict, event.decision.by, event.asked]] : []
  );
  const message = log.find((event) => event.type === "message" && event.message.role === "tool");
  if (message?.type !== "message" || message.message.role !== "tool") throw new Error("no result");
  return { decisions, result: message.message.result, log };
}

const CHANGE = { name: "change", input: { filepath: "a.ts" } };
const ask = () => ({ verdict: "ask", by: "guard", reason: "nothing allows it" }) as const;
const approve = (approval: Approval) => () => Promise.resolve(approval);

Deno.test("run() asks once and runs after a yes", async () => {
  const { decisions, result } = await runOne(CHANGE, {
    guards: [ask],
    approver: approve({ answer: "yes" }),
  });
  equal([decisions, result.status], [[["allow", "person", true]], "ok"]);
});

Deno.test("run() does nothing after a no and gives its reason to the model", async () => {
  const { decisions, result } = await runOne(CHANGE, {
    guards: [ask],
    approver: approve({ answer: "no", reason: "use b.ts" }),
  });
  equal(decisions, [["deny", "person", true]]);
  equal(result, { status: "denied", text: "Nothing was done: the person said no: use b.ts" });
});

Deno.test("run() refuses when nobody can be asked", async () => {
  const { decisions, result } = await runOne(CHANGE, { guards: [ask] });
  equal([decisions, result.status], [[["deny", "nobody", true]], "denied"]);
});

Deno.test("run() never asks where a guard denies", async () => {
  let isAsked = false;
  const { decisions } = await runOne(CHANGE, {
    guards: [() => ({ verdict: "deny", by: "rule", reason: "no" }), ask],
    approver: () => {
      isAsked = true;
      return Promise.resolve({ answer: "yes" });
    },
  });
  equal([decisions, isAsked], [[["deny", "rule", false]], false]);
});

Deno.test("run() takes the first guard that answers and asks when none does", async () => {
  const { decisions } = await runOne(CHANGE, {
    guards: [() => undefined, () => ({ verdict: "allow", by: "grant", reason: "g" }), ask],
  });
  equal(decisions, [["allow", "grant", false]]);
  equal((await runOne(CHANGE, { guards: [] })).decisions, [["deny", "nobody", true]]);
});

Deno.test("run() refuses a path that must not be touched before any guard is asked", async () => {
  const { decisions, result } = await runOne({ name: "change", input: { filepath: "dangling" } });
  equal(decisions, [["deny", "guard", false]]);
  match(result.text, /dangling link/);
});

Deno.test("run() hands guards the real path of the subject", async () => {
  let seen: GuardedCall | undefined;
  await runOne(CHANGE, {
    guards: [(call) => {
      seen = call;
      return { verdict: "allow", by: "rule", reason: "r" };
    }],
  });
  equal(seen?.subject, { kind: "path", paths: ["/ws/a.ts"] });
  equal([seen?.effect, seen?.outside], ["changes", false]);
});

Deno.test("run() tells hooks about a call that ran and not about one that did not", async () => {
  const told: string[] = [];
  const hook = {
    name: "h",
    afterTool: (call: GuardedCall) => {
      told.push(call.tool.name);
      return Promise.resolve();
    },
  };
  await runOne(CHANGE, { hooks: [hook] });
  await runOne(CHANGE, { hooks: [hook], guards: [ask] });
  equal(told, ["change"]);
});

Deno.test("run() says when an always could not be kept, and goes on", async () => {
  const reach = {
    kind: "literal",
    preview: "this",
    rule: { tool: "change", literal: "a.ts" },
  } as const;
  const { harness, log } = loop({
    provider: scriptedProvider([calls([CHANGE]), says("ok")]),
    guards: [ask],
    approver: approve({ answer: "always", reach, scope: "project" }),
    remember: () => Promise.reject(new Error("disk full")),
  });
  await say(harness);
  ok(log.some((event) => event.type === "notice" && /disk full/.test(event.text)));
  ok(log.some((event) => event.type === "decision" && event.decision.verdict === "allow"));
});

Deno.test("run() takes an approver that throws for no yes, with one decision on a question", async () => {
  const { decisions, result } = await runOne(CHANGE, {
    guards: [ask],
    approver: () => Promise.reject(new Error("screen gone")),
  });
  equal(decisions, [["deny", "guard", true]]);
  equal(result, {
    status: "denied",
    text: "Nothing was done: the question could not be put: screen gone",
  });
});

Deno.test("run() refuses a path that leads elsewhere after the answer, and saves no always for it", async () => {
  let isMoved = false;
  let isSaved = false;
  const reach = {
    kind: "literal",
    preview: "this",
    rule: { tool: "change", literal: "a.ts" },
  } as const;
  const { decisions, result } = await runOne(CHANGE, {
    guards: [ask],
    approver: () => {
      isMoved = true;
      return Promise.resolve({ answer: "always", reach, scope: "project" });
    },
    remember: () => {
      isSaved = true;
      return Promise.resolve();
    },
    resolvePath: (path) =>
      Promise.resolve({ real: isMoved ? "/etc/passwd" : `/ws/${path}`, outside: false }),
  });
  equal([decisions, result.status, isSaved], [[["deny", "guard", true]], "denied", false]);
  match(
    result.text,
    /"a\.ts" led to "\/ws\/a\.ts" when this was decided and leads to "\/etc\/passwd" now/,
  );
});

Deno.test("run() does not take a yes to a change that is another one by now", async () => {
  const reach = { kind: "tool", preview: "all", rule: "change(*)" } as const;
  const always = { answer: "always", reach, scope: "run" } as const;
  const cases: readonly [Approval, string, boolean, string][] = [
    [{ answer: "yes" }, "-b\n+c", true, "denied"],
    [{ answer: "yes" }, "-a\n+c", true, "ok"],
    // Nothing was shown, or nothing of it was asked about.
    [{ answer: "yes" }, "-b\n+c", false, "ok"],
    [always, "-b\n+c", true, "ok"],
    [{ answer: "no" }, "-b\n+c", true, "denied"],
  ];
  for (const [approval, now, isShown, status] of cases) {
    let diff = "-a\n+c";
    const { decisions, result } = await runOne({ name: "odd", input: { text: "x" } }, {
      tools: [broken({
        subject: () => ({ kind: "path", paths: ["f.txt"] }),
        preview: () => Promise.resolve(diff),
      })],
      guards: [ask],
      approver: async (call) => {
        if (isShown) equal(await call.preview?.(), "-a\n+c");
        diff = now;
        return approval;
      },
      remember: () => Promise.resolve(),
    });
    equal([result.status, decisions.length], [status, 1]);
    if (approval.answer === "yes" && status === "denied") {
      equal(
        result.text,
        'Nothing was done: "/ws/f.txt" changed while the question stood, and the call would now do something ' +
          "else than the person said yes to. Read it again and send the call anew",
      );
      equal(decisions, [["deny", "guard", true]]);
    }
  }
});

/** A declaration that breaks where it is asked. */
function broken(part: Partial<ToolSpec>): ToolSpec {
  const [echo] = TOOLS;
  if (echo === undefined) throw new Error("no tools");
  return { ...echo, name: "odd", ...part };
}

Deno.test("run() gives one decision and one result whatever a tool's declaration throws", async () => {
  const fail = () => {
    throw new Error("broken declaration");
  };
  const cases: readonly [Partial<ToolSpec>, string][] = [
    [{ effect: fail }, "failed"],
    [{ subject: fail }, "failed"],
    [{ summary: fail }, "failed"],
    [{ summary: (_, result) => result === undefined ? "odd" : fail() }, "ok"],
    [{ input: z.object({ text: z.string().refine(fail) }) }, "failed"],
  ];
  for (const [part, status] of cases) {
    const { decisions, result, log } = await runOne(
      { name: "odd", input: { text: "x" } },
      { tools: [broken(part)] },
    );
    equal([decisions.length, result.status], [1, status]);
    equal(log.filter(({ type }) => type === "tool_end").length, 1);
  }
});

Deno.test("run() hands guards the real paths of what is only read, too", async () => {
  let seen: GuardedCall | undefined;
  const subject = () => ({ kind: "path", paths: ["a", "b"], reads: ["a"] }) as const;
  await runOne({ name: "odd", input: { text: "x" } }, {
    tools: [broken({ subject })],
    guards: [(call) => {
      seen = call;
      return { verdict: "allow", by: "rule", reason: "r" };
    }],
  });
  equal(seen?.subject, { kind: "path", paths: ["/ws/a", "/ws/b"], reads: ["/ws/a"] });
});

Deno.test("run() takes nothing more of a tool that was given up", async () => {
  const late = Promise.withResolvers<void>();
  const deaf = broken({
    run: async (_input, host) => {
      host.output("in time");
      await late.promise;
      host.output("too late");
      host.say("too late");
      return { status: "ok", text: "" };
    },
  });
  const { harness, seen } = loop({
    provider: scriptedProvider([calls([{ name: "odd", input: { text: "x" } }])]),
    tools: [deaf],
    sink: (event) => {
      if (event.type === "tool_output") harness.interrupt();
    },
  });
  await say(harness);
  late.resolve();
  await new Promise((resolve) => setTimeout(resolve, 0));
  equal(seen.filter(({ type }) => type === "tool_output" || type === "tool_say").length, 1);
});

Deno.test("run() shows the tail of what the tool printed on its card", async () => {
  const { harness, log } = loop({
    provider: scriptedProvider([calls([{ name: "hang" }])]),
    sink: (event) => {
      if (event.type === "tool_output") harness.interrupt();
    },
  });
  await say(harness);
  ok(log.some((event) => event.type === "tool_end" && event.shown === "half of it"));
});

/** Says what it ran, as a shell would. */
const SHELL: ToolSpec = defineTool({
  name: "shell",
  description: "Runs a command.",
  input: z.object({ command: z.string() }),
  effect: () => "changes",
  subject: ({ command }) => ({ kind: "command", text: command }),
  summary: ({ command }) => `run ${command}`,
  run: ({ command }) => Promise.resolve(okResult(`did ${command}`)),
});
const SHELL_CALL = { name: "shell", input: { command: "rm a" } };

Deno.test("run() runs a call as the person changed it, and tells the model", async () => {
  let editable: string | undefined;
  const { decisions, result, log } = await runOne(SHELL_CALL, {
    tools: [SHELL],
    guards: [ask],
    approver: (call) => {
      editable = call.editable;
      return Promise.resolve({ answer: "yes", instead: "ls a" });
    },
  });
  equal([editable, decisions], ["command", [["allow", "person", true]]]);
  equal(result, {
    status: "ok",
    text: "The person changed the call; what they ran instead: ls a\ndid ls a",
  });
  const end = log.find((event) => event.type === "tool_end");
  equal(end?.type === "tool_end" && end.summary, "run ls a");
});

Deno.test("run() refuses a changed call that a guard denies, and runs neither", async () => {
  const noLs: Guard = ({ subject }) =>
    subject.kind === "command" && subject.text.startsWith("ls")
      ? { verdict: "deny", by: "rule", reason: "no ls" }
      : undefined;
  const { decisions, result } = await runOne(SHELL_CALL, {
    tools: [SHELL],
    guards: [noLs, ask],
    approver: approve({ answer: "yes", instead: "ls a" }),
  });
  equal(decisions, [["deny", "rule", true]]);
  match(result.text, /wanted instead: ls a\nNothing was done: no ls/);
});

Deno.test("run() offers no change of a call about paths, and takes none", async () => {
  const { decisions, result } = await runOne(CHANGE, {
    guards: [ask],
    approver: approve({ answer: "yes", instead: "b.ts" }),
  });
  equal([decisions, result.status], [[["deny", "guard", true]], "denied"]);
});

Deno.test("run() asks nobody about a call that would change nothing, unless what it shows has to be asked about", async () => {
  const asked: string[] = [];
  const ran: string[] = [];
  const stale = defineTool({
    name: "change",
    description: "",
    input: z.object({ filepath: z.string() }),
    effect: () => "changes",
    subject: ({ filepath }) => ({ kind: "path", paths: [filepath] }),
    summary: ({ filepath }) => filepath,
    settled: ({ filepath }) =>
      Promise.resolve(
        filepath === "new.ts"
          ? undefined
          : { status: "failed", text: "The line is 7 now" } as const,
      ),
    run: ({ filepath }) => {
      ran.push(filepath);
      return Promise.resolve(okResult("done"));
    },
  });
  const options = {
    tools: [stale],
    guards: [ask],
    approver: ({ input }: GuardedCall) => {
      asked.push((input as { filepath: string }).filepath);
      return Promise.resolve({ answer: "yes" } as const);
    },
    resolvePath: (path: string) =>
      Promise.resolve({ real: `/ws/${path}`, outside: path.startsWith("..") }),
  };
  const of = (filepath: string) => runOne({ name: "change", input: { filepath } }, options);
  const settled = await of("a.ts");
  equal(settled.decisions, [["allow", "guard", false]]);
  equal(settled.result, { status: "failed", text: "The line is 7 now" });
  equal((await of("new.ts")).decisions, [["allow", "person", true]]);
  equal((await of("../b.ts")).decisions, [["allow", "person", true]]);
  equal([asked, ran], [["new.ts", "../b.ts"], ["new.ts", "../b.ts"]]);
});
