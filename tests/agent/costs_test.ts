import { deepStrictEqual as equal } from "node:assert/strict";
import { costsSentence } from "@/agent/costs.ts";

Deno.test("costsSentence() names the three largest, and one token as one", () => {
  const person = (text: string) => ({
    role: "user" as const,
    origin: "person" as const,
    content: [{ type: "text" as const, text }],
  });
  const tools = [{ name: "mcp__web__get", description: "x".repeat(8_000), schema: {} }];
  equal(
    costsSentence({ system: "a", tools }, [person("Hi"), person("word ".repeat(50))], 0.01)
      .replace(/\d[\d,]*/g, (digits) => digits === "1" ? "1" : "N"),
    'What takes most and stays: 1 tool of the MCP server web (about N tokens), your message "' +
      'word word word word word word word word …" (about 1 token), your message "Hi" (about N tokens)',
  );
});
