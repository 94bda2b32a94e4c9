import { deepStrictEqual as equal, match } from "node:assert/strict";
import { assistant, call, READ_FILE, requestOf, result, user } from "../support/conversation.ts";
import { PrefixWatch } from "@/agent/prefix_watch.ts";
import type { Request } from "@/protocol/provider.ts";

const MESSAGES = [user("go"), assistant(call("c")), result("c", "a long text")];
const FIRST = requestOf("m", MESSAGES);

/** What changed between two requests. */
function change(next: Request, first = FIRST) {
  const watch = new PrefixWatch();
  equal(watch.note(first), undefined);
  return watch.note(next);
}

Deno.test("PrefixWatch finds nothing where a request goes on from the one before", () => {
  equal(
    change(requestOf("m", [...MESSAGES, assistant("done")], { tools: FIRST.tools })),
    undefined,
  );
  equal(change(structuredClone({ ...FIRST, messages: [] }), { ...FIRST, messages: [] }), undefined);
});

Deno.test("PrefixWatch names the byte and the line of the instructions that changed", () => {
  const system = "Be brief.\nTools: é one\nEnd";
  const before = { ...FIRST, system };
  const now = { ...FIRST, system: system.replace("one", "two") };
  const tools = new TextEncoder().encode(JSON.stringify(FIRST.tools)).length;
  equal(change(now, before), { byte: tools + 20, by: 'the instructions at "Tools: é two"' });
});

Deno.test("PrefixWatch names tools that came and went", () => {
  match(change({ ...FIRST, tools: [READ_FILE] })?.by ?? "", /^tools that went \(git_status\)$/);
  const write = { ...READ_FILE, name: "write_file" };
  match(
    change({ ...FIRST, tools: [...FIRST.tools, write] })?.by ?? "",
    /^new tools \(write_file\)$/,
  );
  const other = { ...READ_FILE, description: "Other" };
  match(
    change({ ...FIRST, tools: [other, ...FIRST.tools.slice(1)] })?.by ?? "",
    /description or order/,
  );
});

Deno.test("PrefixWatch names what became of messages", () => {
  const shorter = [...MESSAGES.slice(0, 2), result("c", "a")];
  match(change({ ...FIRST, messages: shorter })?.by ?? "", /^a result of read_file/);
  const summary = [{ ...user("<SUMMARY>\nx\n</SUMMARY>"), origin: "hook" } as const];
  match(change({ ...FIRST, messages: summary })?.by ?? "", /^the summary/);
  match(change({ ...FIRST, messages: [user("other")] })?.by ?? "", /^messages that went/);
  match(change({ ...FIRST, model: "n" })?.by ?? "", /^another model \(n\)$/);
});
