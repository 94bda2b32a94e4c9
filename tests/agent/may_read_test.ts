import { deepStrictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { mayReadBy } from "@/agent/may_read.ts";
import { compileGlob, matchGlob } from "@/policy/glob.ts";
import type { GuardedCall } from "@/protocol/policy.ts";
import { allTools, type ToolParts } from "@/tools/mod.ts";

/** Tools are only asked for their declarations. */
const TOOLS = allTools({} as ToolParts);

const denying = (rules: Record<string, string>) => ({ tool, subject }: GuardedCall) => {
  const pattern = rules[tool.name];
  const [path = ""] = subject.kind === "path" ? subject.paths : [];
  if (pattern === undefined || !matchGlob(compileGlob(pattern), path)) return undefined;
  return { verdict: "deny", by: "rule", reason: "a rule" } as const;
};

Deno.test("mayReadBy() counts forbidden places and deny rules of the tools that show lines, and no others", () => {
  const names = ["a.txt", "secret/b.txt", "log/c.txt", "git/d.txt", "state/keys", "stateless"];
  const paths = names.map((path) => join("/ws", path));
  const rules = { read_file: "/ws/secret/*", search_in_file: "/ws/log/*", git_diff: "/ws/git/*" };
  const parts = { denied: denying(rules), tools: () => TOOLS, forbidden: [join("/ws/state")] };
  equal(paths.map(mayReadBy(parts)), [true, false, false, true, false, true]);
});
