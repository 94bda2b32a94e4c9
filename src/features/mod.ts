/**
 * The features, each a file. The order is by hand, and it is the order of what several of them bring: guards (before every
 * rule), tools and sections of the system prompt (the start of every request, which servers cache), and hooks.
 */
import type { FeatureParts } from "@/compose/feature.ts";
import { autotitle } from "./autotitle.ts";
import { budget } from "./budget.ts";
import { channel } from "./channel.ts";
import { commits } from "./commits.ts";
import { deepthink } from "./deepthink.ts";
import { compaction } from "./compaction.ts";
import { files } from "./files.ts";
import { git } from "./git.ts";
import { hooks } from "./hooks.ts";
import { network } from "./network.ts";
import { mcp } from "./mcp.ts";
import { persona } from "./persona.ts";
import { instructions } from "./instructions.ts";
import { memory } from "./memory.ts";
import { planmode } from "./planmode.ts";
import { profile } from "./profile.ts";
import { python } from "./python.ts";
import { questions } from "./questions.ts";
import { rewind } from "./rewind.ts";
import { ruleNames } from "./rule_names.ts";
import { shell } from "./shell.ts";
import { skills } from "./skills.ts";
import { subagents } from "./subagents.ts";
import { system } from "./system.ts";
import { undo } from "./undo.ts";
import { verify } from "./verify.ts";
import { usage } from "./usage.ts";
import { web } from "./web.ts";

/** Make them all, for one conversation. */
export function featuresOf(parts: FeatureParts) {
  const thinking = deepthink(parts);
  const accounts = usage(parts);
  const board = channel(parts);
  const planning = planmode(parts, { isSuperseded: () => thinking.lend.deepthink.isOn() });
  return [
    // What was said goes to a person's programs as it was said.
    hooks(parts, { isPlanning: () => planning.lend.planmode.isOn() }),
    thinking,
    files(parts),
    commits(parts),
    shell(parts),
    network(parts),
    python(parts),
    git(parts),
    system(parts),
    undo(parts, board),
    rewind(parts, board),
    verify(parts),
    board,
    questions(parts),
    ruleNames(parts),
    planning,
    web(parts),
    subagents(parts),
    mcp(parts),
    accounts,
    budget(parts, { spent: () => accounts.lend.usage.spent() }),
    compaction(parts),
    profile(parts),
    persona(parts),
    instructions(parts),
    memory(parts),
    skills(parts),
    autotitle(parts),
  ] as const;
}
