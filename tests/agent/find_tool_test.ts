import { deepStrictEqual as equal } from "node:assert/strict";
import { findTool } from "@/agent/find_tool.ts";

Deno.test("findTool() takes a tool's own name, and those that models use, before what may mean it", () => {
  const tools = [
    { name: "fs", spellings: ["db", "list"] },
    { name: "db", otherNames: ["query"], spellings: ["fs"] },
  ];
  const cases: [string, string | undefined][] = [
    ["fs", "fs"],
    ["db", "db"],
    ["query", "db"],
    ["list", "fs"],
    ["nope", undefined],
  ];
  for (const [name, expected] of cases) equal(findTool(name, tools)?.name, expected, name);
});
