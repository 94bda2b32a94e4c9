import { deepStrictEqual as equal, strictEqual } from "node:assert/strict";
import * as z from "zod";
import { afterCommits } from "@/compose/after_commits.ts";

import type { Subject, ToolHost, ToolSpec } from "@/protocol/tool.ts";
import { defineTool, ok } from "@/tools/spec.ts";

Deno.test("afterCommits() makes every tool wait but those whose subject is a path", async () => {
  const seen: string[] = [];
  const tool = (name: string, subject: Subject): ToolSpec =>
    defineTool({
      name,
      description: name,
      input: z.object({}),
      effect: () => "reads",
      subject: () => subject,
      summary: () => name,
      run: () => {
        seen.push(name);
        return Promise.resolve(ok(name));
      },
    });
  const tools = [
    tool("command", { kind: "command", text: "git log" }),
    tool("none", { kind: "none" }),
    tool("path", { kind: "path", paths: ["a"] }),
  ];
  const committed = Promise.withResolvers<void>();
  const waiting = afterCommits(() => committed.promise);
  const all = waiting(tools);
  strictEqual(waiting(tools), all);
  const runs = all.map(async (one) => await one.run({}, {} as ToolHost));
  await runs[2];
  equal(seen, ["path"]);
  committed.resolve();
  await Promise.all(runs);
  equal(seen, ["path", "command", "none"]);
});
