import { deepStrictEqual as equal, match } from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { toHistory } from "@/agent/history.ts";
import type { FeatureParts } from "@/compose/feature.ts";
import { skills } from "@/features/skills.ts";
import { isSkillLoaded, untrustedSkills } from "@/features/skills/loaded.ts";
import { openLibrary } from "@/features/skills/open.ts";
import { copyShipped, listed } from "@/features/skills/person.ts";
import { SHIPPED } from "@/features/skills/shipped.ts";
import { pending } from "@/policy/pending.ts";
import { Trust } from "@/policy/trust.ts";
import type { DurableEvent } from "@/protocol/event.ts";
import { complaintAbout, readSkill, skillText } from "@/skills/skill.ts";
import type { SkillParts } from "@/tools/use_skill.ts";
import { skillTools } from "@/tools/mod.ts";
import { shared } from "../support/features.ts";
import { guardedCall } from "../support/guarded_call.ts";
import { type Tree, withTree } from "../verify/tree.ts";

const TOOLS = skillTools({} as SkillParts);

function withPlace(
  tree: Tree,
  body: (
    parts: { place: Parameters<typeof openLibrary>[0]["place"]; trust: Trust; dir: string },
  ) => Promise<void>,
): Promise<void> {
  return withTree({ "ws/": "", "home/": "", "state/": "", ...tree }, async (dir) => {
    const place = {
      workspace: join(dir, "ws"),
      env: { HOME: join(dir, "home") },
      paths: { skills: join(dir, "state/skills") },
    } as unknown as Parameters<typeof openLibrary>[0]["place"];
    await body({ place, trust: await Trust.load(join(dir, "state/trust.json")), dir });
  });
}

Deno.test("use_skill is offered as soon as there is a skill", () =>
  withPlace({}, async ({ place, trust }) => {
    const feature = skills({ place, trust, live: {} as FeatureParts["live"], isInteractive: true });
    const work = await feature.work?.(shared());
    equal(work?.tools?.map(({ name }) => name), []);
    await copyShipped("git-commit", place.paths.skills);
    await feature.lend?.skills.reload();
    equal(work?.tools?.map(({ name }) => name), ["use_skill"]);
  }));

const skill = (name: string) => `---\nname: ${name}\ndescription: for ${name}\n---\ntext\n`;

Deno.test("the skills that come with harness are without fault, are copied once, and never over what is there", () =>
  withPlace({}, async ({ place, trust }) => {
    for (const [name, text] of Object.entries(SHIPPED)) {
      const read = readSkill(text, name);
      equal([read.name, complaintAbout(read, name)], [name, undefined]);
      equal(read.allowedTools.length > 0 && read.body.length > 500, true);
      const copied = await copyShipped(name, place.paths.skills);
      equal([copied.ok, (await copyShipped(name, place.paths.skills)).ok], [true, true]);
    }
    const library = await openLibrary({ place, trust });
    equal(library.skills.map(({ name }) => name), ["code-review", "git-commit"]);
    match(
      listed(library),
      /git-commit: Use when .*\n {2}.*git-commit\/SKILL\.md\n {2}written for git_status, git_diff, run_cmd \(gives/,
    );
    await Deno.writeTextFile(join(place.paths.skills, "git-commit/SKILL.md"), "mine");
    const again = await copyShipped("git-commit", place.paths.skills);
    match(`${again.ok} ${again.text}`, /^false .* was left alone/);
    match(
      (await copyShipped("__proto__", place.paths.skills)).text,
      /those that do are code-review, git-commit/,
    );
  }));

Deno.test("the format's reference names the fields and folders that are read, and what is shipped stands beside it", async () => {
  const folder = fileURLToPath(new URL("../../skills", import.meta.url));
  const text = await Deno.readTextFile(join(folder, "README.md"));
  for (
    const word of [
      "`name`",
      "`description`",
      "`allowed-tools`",
      "`disable-model-invocation`",
      "$ARGUMENTS",
      ".agents/skills/",
      ".claude/skills/",
    ]
  ) {
    equal(text.includes(word), true, word);
  }
  const [, example = ""] = /```\n(---\n[^]*?)```/.exec(text) ?? [];
  equal(readSkill(example, "x").allowedTools, ["git_status", "git_diff", "run_cmd"]);
  const folders = (await Array.fromAsync(Deno.readDir(folder))).filter(({ isDirectory }) =>
    isDirectory
  );
  equal(folders.map(({ name }) => name).sort(), Object.keys(SHIPPED));
});

Deno.test("skills are looked for from the project up to its top, then in the person's folders; the project's wait for trust", () =>
  withPlace({
    "ws/.git/": "",
    "ws/sub/skills/near/SKILL.md": skill("near"),
    "ws/.claude/skills/far/SKILL.md": skill("far"),
    "home/.agents/skills/mine/SKILL.md": skill("mine"),
  }, async ({ place: { workspace, ...rest }, trust, dir }) => {
    const place = { ...rest, workspace: join(workspace, "sub") };
    const names = async () => {
      const { skills, waiting } = await openLibrary({ place, trust });
      return [skills, waiting].map((list) => list.map(({ name }) => name));
    };
    equal(await names(), [["mine"], ["near", "far"]]);
    const items = await pending(trust, place.workspace);
    equal(items.map(({ name }) => name), ["skills", "../.claude/skills"]);
    await trust.grant(place.workspace, items);
    equal(await names(), [["near", "far", "mine"], []]);
    await Deno.writeTextFile(join(dir, "ws/.claude/skills/far/x.sh"), "changed");
    equal(await names(), [["near", "mine"], ["far"]]);
  }));

Deno.test("untrustedSkills() refuses what waits, and nothing else", () => {
  const guard = untrustedSkills(
    { whyNot: (name) => name === "evil" ? "it waits" : undefined },
    TOOLS,
  );
  const verdict = (text: string, tool = "use_skill") =>
    guard(guardedCall({ kind: "text", text }, { tool }));
  equal(verdict("evil"), { verdict: "deny", by: "guard", reason: "it waits" });
  equal([verdict("good"), verdict("evil", "write_memory")], [undefined, undefined]);
});

Deno.test("a skill is loaded as long as its text stands in the history", () => {
  const text = skillText(readSkill(skill("a"), "a"), { source: "/s", files: [], hasMore: false });
  const call = { type: "tool_call", id: "1", name: "use_skill", input: {} } as const;
  const message = (
    message: Extract<DurableEvent, { type: "message" }>["message"],
  ): DurableEvent => ({
    ...{ type: "message", message },
  });
  const load: DurableEvent[] = [
    message({ role: "assistant", content: [call], stop: "tool_calls" }),
    message({ role: "tool", callId: "1", name: "use_skill", result: { status: "ok", text } }),
  ];
  const isLoaded = (events: readonly DurableEvent[]) =>
    isSkillLoaded(toHistory(events), "a", TOOLS);
  equal(isLoaded(load), true);
  equal(isLoaded([...load, { type: "compaction", summary: "s", keepFrom: 2 }]), false);
  equal(isLoaded([{ type: "turn_start", turn: 1 }, ...load, { type: "rewind", toTurn: 0 }]), false);
  // By the person's word, and by somebody who only says so.
  const told = (origin: "hook" | "person") =>
    message({ role: "user", origin, content: [{ type: "text", text }] });
  equal([isLoaded([told("hook")]), isLoaded([told("person")])], [true, false]);
});
