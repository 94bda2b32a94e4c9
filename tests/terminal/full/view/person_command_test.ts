import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { testView } from "../../../support/transcript_view.ts";

Deno.test("a command of the person's is shown while it runs, and once when it has ended", async () => {
  const { view } = await testView({ colored: false });
  view.sink({ type: "tool_start", callId: "shell", name: "!", summary: "$ make" });
  view.sink({ type: "tool_output", callId: "shell", chunk: "compiling\n" });
  match(view.tail(80, 10).join("\n"), /\$ make/);
  ok(view.isAnimated());
  const text = "[Shell] $ make\ncompiling\n(exit code 2)";
  view.sink({
    type: "message",
    message: { role: "user", origin: "shell", content: [{ type: "text", text }] },
  });
  const finished = view.takeFinished(80);
  equal([view.tail(80, 10), view.isAnimated()], [[], false]);
  const rows = finished.trimEnd().split("\n");
  equal(rows.length, 3);
  for (const [at, row] of text.split("\n").entries()) ok(rows[at]?.endsWith(row), rows[at]);
  equal(finished.split("compiling").length, 2);
});
