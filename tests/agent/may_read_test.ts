import { deepStrictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { deniedReads } from "@/agent/guards/denied_reads.ts";
import { deniedReading, mayReadBy, showsUnasked } from "@/agent/may_read.ts";
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

Deno.test("deniedReads() keeps a file that may not be read out of edits and copies, and lets writing be", async () => {
  const denied = denying({ read_file: "/ws/secret/*", search_in_file: "/ws/log/*" });
  const guard = deniedReads(deniedReading({ denied, tools: () => TOOLS }));
  const verdict = async (name: string, paths: readonly string[], reads?: readonly string[]) => {
    const tool = TOOLS.find((one) => one.name === name);
    if (tool === undefined) throw new Error(`No tool is named "${name}"`);
    const only = reads === undefined ? {} : { reads };
    const subject = { kind: "path", paths, ...only } as const;
    const call = { id: "c", tool, input: {}, effect: "changes", subject, outside: false } as const;
    return (await guard(call))?.verdict;
  };
  equal(await verdict("edit_file", ["/ws/secret/a"]), "deny");
  equal(await verdict("copy_file", ["/ws/secret/a", "/ws/b"], ["/ws/secret/a"]), "deny");
  equal(await verdict("copy_file", ["/ws/b", "/ws/secret/a"], ["/ws/b"]), undefined);
  equal(await verdict("write_file", ["/ws/secret/a"]), undefined);
  equal(await verdict("edit_file", ["/ws/log/a"]), undefined);
  equal(await verdict("edit_file", ["/ws/a"]), undefined);
});

Deno.test("showsUnasked() is true of files inside that no rule denies reading or asks about", () => {
  const denied = denying({ read_file: "/ws/secret/*" });
  const asked = denying({ read_file: "/ws/asked/*", search_in_file: "/ws/log/*" });
  const shows = showsUnasked({ denied, asked, tools: () => TOOLS });
  const [tool] = TOOLS;
  if (tool === undefined) throw new Error("There are no tools");
  const of = (paths: readonly string[], outside = false) =>
    shows({
      ...{ id: "c", tool, input: {}, effect: "changes", outside },
      subject: { kind: "path", paths },
    });
  equal(of(["/ws/a"]), true);
  equal(of(["/ws/log/a"]), true);
  equal(of(["/ws/secret/a"]), false);
  equal(of(["/ws/a", "/ws/asked/a"]), false);
  equal(of(["/etc/a"], true), false);
  equal(
    shows({
      id: "c",
      tool,
      input: {},
      effect: "changes",
      outside: false,
      subject: { kind: "none" },
    }),
    false,
  );
});
