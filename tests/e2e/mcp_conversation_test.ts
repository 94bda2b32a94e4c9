/** MCP servers in a conversation with a person, from the call to the answer: questions, progress, and those that are slow. */
import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { dirname, join } from "node:path";
import type { Question } from "@/protocol/policy.ts";
import type { ScriptedReply } from "../support/scripted_reply.ts";
import { scripted } from "../support/mcp.ts";
import { sent, type WholeApp, type WholeAppOptions, withApp } from "../support/whole_app.ts";

const PATIENT = ["MCP_STARTUP_WAIT=60"];
const done = { text: "Done." };

/** With one server of the person's, "s". */
function withServer(
  options: Record<string, unknown>,
  script: readonly ScriptedReply[],
  { body, ...more }: WholeAppOptions & { body(whole: WholeApp): Promise<void> },
): Promise<void> {
  return withApp(script, body, {
    plant: (dir) =>
      Deno.writeTextFile(
        join(dirname(dir), "home", "mcp.json"),
        JSON.stringify({ mcpServers: { s: { ...scripted(options), sandbox: false } } }),
      ),
    ...more,
  });
}

const form = {
  message: "How many?",
  requestedSchema: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
};

Deno.test("what a server asks in a call is put to the person, and the answer reaches it", async () => {
  const asked: Question[] = [];
  const ask = { calls: [{ name: "mcp__s__ask", arguments: { params: form } }] };
  await withServer({ tools: [{ name: "ask" }] }, [ask, done], {
    run: { auto: true, set: PATIENT },
    isInteractive: false,
    screen: {
      asker: (questions) => {
        asked.push(...questions);
        return Promise.resolve(["7"]);
      },
    },
    body: async ({ app, api }) => {
      await app.say("ask me");
      match(asked.map(({ text }) => text).join(), /MCP server "s" asks: How many\?/);
      match(sent(api.bodies[1]).texts.join(), /"action": "accept", "content": \{"n": 7\}/);
    },
  });
});

Deno.test("the steps that a server tells are shown while a call runs", async () => {
  const steps = { calls: [{ name: "mcp__s__steps", arguments: {} }] };
  await withServer({ tools: [{ name: "steps" }] }, [steps, done], {
    run: { auto: true, set: PATIENT },
    isInteractive: false,
    body: async ({ app, events }) => {
      await app.say("go");
      const shown = events.flatMap((event) => event.type === "tool_output" ? [event.chunk] : []);
      equal(shown, ["step: 1 of 2\n", "step: 2 of 2\n"]);
    },
  });
});

Deno.test("a server that does not come up keeps nobody waiting: not the first turn, not the end", async () => {
  await withServer({ slow: 3_600, tools: [{ name: "late" }] }, [done], {
    body: async ({ app, api }) => {
      await app.say("hello");
      const { tools } = sent(api.bodies[0]);
      ok(tools.includes("read_file") && !tools.some((name) => name.startsWith("mcp__")));
    },
  });
});
