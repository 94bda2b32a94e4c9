import { deepStrictEqual as equal } from "node:assert/strict";
import { tidyMessage } from "@/mcp/tidy.ts";

const answer = (more: Record<string, unknown>) => ({ jsonrpc: "2.0", id: 1, ...more });
const error = (code: number, message: string) => answer({ error: { code, message } });

Deno.test("tidyMessage() takes an error in another shape for one, so that nobody waits for an answer that was given", () => {
  const given: [unknown, unknown][] = [
    [
      { code: -32601, message: "no", data: 1 },
      answer({ error: { code: -32601, message: "no", data: 1 } }),
    ],
    [{ code: "ENOENT", message: "no file" }, error(-32603, "no file")],
    [{ code: 1.5, message: 5 }, error(-32603, "5")],
    [{ message: null }, error(-32603, "null")],
    ["broken", error(-32603, "broken")],
    [{ why: "x" }, error(-32603, '{"why":"x"}')],
  ];
  for (const [was, is] of given) equal(tidyMessage(answer({ error: was })), is);
});

Deno.test("tidyMessage() takes no result for an empty one, and anything else that is no object for an error", () => {
  equal(tidyMessage(answer({ result: null })), answer({ result: {} }));
  equal(tidyMessage(answer({ result: "ok" })), error(-32603, 'its result is no object: "ok"'));
  equal(tidyMessage(answer({ result: [1] })), error(-32603, "its result is no object: [1]"));
  const asked = { jsonrpc: "2.0", id: 1, method: "ping", result: 3 };
  equal(tidyMessage(asked), asked);
});
