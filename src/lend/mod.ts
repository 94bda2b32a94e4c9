/**
 * What slash commands are lent of the conversation itself; features lend the rest. Whatever a command works with is loaded
 * when it is given: a start needs none of it.
 */
import type { Loop } from "@/compose/loop.ts";
import type { AppParts } from "@/compose/parts.ts";
import { COMMANDS } from "@/terminal/commands/mod.ts";
import type { CommandHost } from "@/terminal/commands/spec.ts";
import { importPart } from "./import.ts";
import { modelPart } from "./model.ts";
import { policyPart } from "./policy.ts";
import { sandboxPart } from "./sandbox.ts";
import { sessionsPart } from "./sessions.ts";
import { settingsPart } from "./settings.ts";
import { statusPart } from "./status.ts";
import { switchOf } from "./switch.ts";
import { transcriptPart } from "./transcript.ts";
import { trustPart } from "./trust.ts";

/** Build it. */
export function commandHost<Lent extends Partial<CommandHost>>(
  parts: AppParts,
  { harness, work, screen }: Loop,
  lent: Lent,
) {
  const checkParts = async () => {
    const { dispatch } = await work();
    return { ...dispatch, tools: dispatch.tools() };
  };
  return {
    isInteractive: parts.isInteractive,
    commands: () => COMMANDS,
    settings: settingsPart(parts, screen),
    policy: policyPart(parts, checkParts),
    trust: trustPart(parts),
    sandbox: sandboxPart(parts),
    imports: importPart(parts),
    sessions: sessionsPart(parts, { harness, screen }),
    model: modelPart(parts, { harness, screen }),
    transcript: transcriptPart(parts, { harness, screen }),
    status: statusPart(parts, { harness, work }, lent.usage),
    automode: switchOf(parts.automode),
    ...lent,
  };
}
