import { deepStrictEqual as assertEquals, equal, match } from "node:assert";
import { z } from "zod";
import { checkCall, type CheckParts } from "@/lend/policy_check.ts";
import { ruleDoubt } from "@/lend/rule_doubt.ts";
import type { Guard } from "@/protocol/policy.ts";
import { defineTool, ok } from "@/tools/spec.ts";

const run = () => Promise.resolve(ok(""));
const TOOLS = [
  defineTool({
    name: "copy_file",
    description: "",
    input: z.object({ src: z.string(), dst: z.string(), deep: z.boolean().optional() }),
    effect: () => "changes",
    subject: ({ src, dst }) => ({ kind: "path", paths: [src, dst] }),
    summary: () => "",
    run,
  }),
  defineTool({
    name: "run_cmd",
    otherNames: ["shell"],
    description: "",
    input: z.object({ command: z.string().min(1), outside_sandbox: z.string().optional() }),
    leavesBy: "outside_sandbox",
    effect: () => "changes",
    subject: ({ command }) => ({ kind: "command", text: command }),
    summary: () => "",
    run,
  }),
  defineTool({
    name: "run_python",
    description: "",
    input: z.object({ content: z.string() }),
    effect: () => "changes",
    subject: () => ({ kind: "none" }),
    summary: () => "",
    run,
  }),
];

/** What the guards were shown, and the program's answer. */
async function check(text: string): Promise<{ shown: unknown; text: string }> {
  let shown: unknown;
  const guard: Guard = ({ tool, input, subject, outside }) => {
    shown = { tool: tool.name, input, subject, outside };
    return { verdict: "ask", by: "guard", reason: "no rule allows it" };
  };
  const parts: CheckParts = {
    tools: TOOLS,
    guards: [() => undefined, guard],
    resolvePath: (path) => Promise.resolve({ real: `/work/${path}`, outside: path === "out" }),
  };
  const { text: answer } = await checkCall(text, parts);
  return { shown, text: answer };
}

Deno.test("checkCall() shows the guards the call that is asked about", async () => {
  assertEquals(await check("run_cmd(git push (x))"), {
    shown: {
      tool: "run_cmd",
      input: { command: "git push (x)" },
      subject: { kind: "command", text: "git push (x)" },
      outside: false,
    },
    text: "ask (by guard): no rule allows it",
  });
  equal((await check("shell(ls)")).text, "ask (by guard): no rule allows it");
});

Deno.test("checkCall() puts the subject in every parameter that takes a text", async () => {
  assertEquals((await check("copy_file(out)")).shown, {
    tool: "copy_file",
    input: { src: "out", dst: "out" },
    subject: { kind: "path", paths: ["/work/out", "/work/out"] },
    outside: true,
  });
});

Deno.test("checkCall() knows a command that asks to leave the sandbox by its name in rules", async () => {
  const { shown } = await check("unsandboxed(git push)");
  assertEquals(shown, {
    tool: "run_cmd",
    input: { command: "git push", outside_sandbox: "?" },
    subject: { kind: "command", text: "git push" },
    outside: false,
  });
});

Deno.test("checkCall() says what a call looks like and which tools there are", async () => {
  match((await check("what is this")).text, /write it as run_cmd\(git push\)$/);
  equal(
    (await check("rm(x)")).text,
    'No tool is named "rm"; the tools are copy_file, run_cmd, run_python',
  );
});

Deno.test("checkCall() asks for the argument of a call that is none without it", async () => {
  for (const text of ["run_cmd", "run_cmd()", "run_cmd( )"]) {
    assertEquals(await check(text), {
      shown: undefined,
      text: "What happens with a call of run_cmd depends on it; write it as run_cmd(ARGUMENT)",
    });
  }
});

Deno.test("ruleDoubt() says which rules do not do what they say", () => {
  const doubt = (text: string) => ruleDoubt(text, TOOLS);
  for (
    const text of [
      "copy_file",
      "run_cmd(ls)",
      "shell(ls)",
      "*",
      "mcp__x__y",
      "unsandboxed(ls)",
      "run_python",
    ]
  ) {
    equal(doubt(text), undefined, text);
  }
  equal(
    doubt("copy_fil"),
    'No tool is named "copy_fil" now, so that it does nothing; did you mean "copy_file"?',
  );
  match(
    doubt("run_python(import *)") ?? "",
    /no pattern tells.*Write "run_python" for every call$/,
  );
});
