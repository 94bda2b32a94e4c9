import { deepStrictEqual as equal, match } from "node:assert/strict";
import { NearInstructions } from "@/agent/hooks/near_instructions.ts";
import type { Instruction } from "@/workspace/instructions.ts";
import { pathCall } from "../support/guarded_call.ts";
import { calls, says, scriptedProvider } from "../support/scripted_provider.ts";
import { loop, say } from "../support/loop.ts";

const FILES: Readonly<Record<string, string>> = { "/ws/a": "use tabs", "/ws/a/b": "use spaces" };

function hookOver(messages: () => ReturnType<ReturnType<typeof loop>["harness"]["messages"]>) {
  const looked: string[] = [];
  const hook = new NearInstructions({
    workspace: "/ws",
    find: (directory) => {
      looked.push(directory);
      const text = FILES[directory];
      const shown = `${directory.slice("/ws/".length)}/AGENTS.md`;
      const file: Instruction = { path: `/ws/${shown}`, shown, text: text ?? "", by: "project" };
      return Promise.resolve({ files: text === undefined ? [] : [file], notices: [] });
    },
    messages,
    notice: () => {},
  });
  return { hook, looked };
}

Deno.test("a directory that a call reaches is looked at once, with those above it in the workspace", async () => {
  const { hook, looked } = hookOver(() => []);
  await hook.afterTool(pathCall("read_file", ["/ws/a/b/x.ts"]));
  await hook.afterTool(pathCall("read_file", ["/ws/a/y.ts", "/elsewhere/z", "/ws"]));
  equal(looked, ["/ws/a", "/ws/a/b", "/ws/a/b/x.ts", "/ws/a/y.ts"]);
});

Deno.test("its file is told once as a message, and again when that was compacted away", async () => {
  let messages = () => loop({ provider: scriptedProvider([]) }).harness.messages();
  const { hook } = hookOver(() => messages());
  const provider = scriptedProvider([
    calls([{ name: "change", input: { filepath: "a/b/x.ts" } }]),
    calls([{ name: "change", input: { filepath: "a/z.ts" } }]),
    says("done"),
  ]);
  const { harness } = loop({ provider, hooks: [hook] });
  messages = () => harness.messages();
  await say(harness);
  const told = () =>
    harness.messages().flatMap((one) =>
      one.role === "user" && one.origin === "hook" ? [JSON.stringify(one.content)] : []
    );
  equal(told().length, 1);
  match(told().join(), /a\/AGENTS\.md.*use tabs.*a\/b\/AGENTS\.md.*use spaces/);
  equal(provider.requests.map(({ system }) => system), ["s", "s", "s"]);

  harness.emit({ type: "compaction", summary: "Worked.", keepFrom: harness.messages().length });
  await say(harness, "go on");
  match(told().at(-1) ?? "", /use tabs.*use spaces/);
});
