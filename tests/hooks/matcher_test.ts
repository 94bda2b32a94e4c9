import { deepStrictEqual as equal } from "node:assert/strict";
import { type HookProgram, readHooks } from "@/hooks/declared.ts";
import { HookMatchers } from "@/hooks/matcher.ts";

const PRE = { event: "PreToolUse", subjects: ["edit_file", "Edit"] } as const;

function programs(matchers: readonly string[]): readonly HookProgram[] {
  const groups = matchers.map((matcher) => ({ matcher, hooks: [{ command: "true" }] }));
  const text = JSON.stringify({ hooks: { PreToolUse: groups, Stop: groups } });
  return readHooks({ label: "hooks.json", origin: "project", text }).programs;
}

async function chosen(matchers: readonly string[], about = PRE): Promise<readonly string[]> {
  const found = await new HookMatchers().choose(programs(matchers), about);
  return found.map(({ matcher }) => matcher);
}

Deno.test("choose() takes names whole, other matchers as regular expressions, and what it cannot read as all", async () => {
  const yes = ["", "*", "Edit", "Write|Edit", "edit_file", "Ed.t", ".*", "^edit_", "("];
  const no = ["Ed", "NotebookEdit|Write", "file", "^Edit_", "Bash"];
  equal(await chosen([...yes, ...no]), yes);
});

Deno.test("choose() takes all programs of an event that is about nothing in particular", async () => {
  const found = await new HookMatchers().choose(programs(["Bash", "^a$"]), {
    event: "Stop",
    subjects: [],
  });
  equal(found.map(({ event, matcher }) => [event, matcher]), [["Stop", "Bash"], ["Stop", "^a$"]]);
});

Deno.test("choose() ends a matcher that takes for ever, and the program is one that cannot be run", async () => {
  const matchers = new HookMatchers();
  const forEver = "^((\\w+)+)+!$";
  const about = { event: "PreToolUse", subjects: ["a".repeat(60), "Edit"] } as const;
  const [first] = await matchers.choose(programs([forEver, "Write"]), about);
  equal(first?.problem, `its matcher "${forEver}" takes too long to be tried`);
  const startedMs = performance.now();
  equal(await matchers.choose(programs([forEver]), about), [first]);
  // What is known of it is not found out again.
  equal(performance.now() - startedMs < 1_900, true);
});
