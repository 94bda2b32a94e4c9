/** What the program lends to slash commands, a part a file; the composition root and the features bring them. */
import type { Command } from "../spec.ts";
import type { BudgetPart } from "./budget.ts";
import type { CompactPart } from "./compact.ts";
import type { HooksPart } from "./hooks.ts";
import type { ImportPart } from "./import.ts";
import type { McpPart } from "./mcp.ts";
import type { ChannelPart } from "./channel.ts";
import type { ModelPart } from "./model.ts";
import type { NetworkPart } from "./network.ts";
import type { PersonaPart } from "./persona.ts";
import type { PolicyPart } from "./policy.ts";
import type { ProfilePart } from "./profile.ts";
import type { PsPart } from "./ps.ts";
import type { RewindPart } from "./rewind.ts";
import type { SandboxPart } from "./sandbox.ts";
import type { SessionsPart } from "./sessions.ts";
import type { SettingsPart } from "./settings.ts";
import type { SkillsPart } from "./skills.ts";
import type { StatusPart } from "./status.ts";
import type { Switch } from "./switch.ts";
import type { TranscriptPart } from "./transcript.ts";
import type { TrustPart } from "./trust.ts";
import type { UndoPart } from "./undo.ts";
import type { TddPart, VerifyPart } from "./verify.ts";
import type { UsagePart } from "./usage.ts";
import type { VmPart } from "./vm.ts";

/** All parts. */
export interface CommandHost {
  readonly isInteractive: boolean;
  commands(): readonly Command[];
  readonly settings: SettingsPart;
  readonly policy: PolicyPart;
  readonly trust: TrustPart;
  readonly sandbox: SandboxPart;
  readonly network: NetworkPart;
  readonly sessions: SessionsPart;
  readonly model: ModelPart;
  readonly transcript: TranscriptPart;
  readonly compact: CompactPart;
  readonly budget: BudgetPart;
  readonly undo: UndoPart;
  readonly rewind: RewindPart;
  /** Whether what would ask is allowed instead. */
  readonly automode: Switch;
  /** Whether nothing may be changed. */
  readonly planmode: Switch;
  readonly verify: VerifyPart;
  readonly tdd: TddPart;
  /** Whether a request goes through the six stages. */
  readonly deepthink: Switch;
  readonly channel: ChannelPart;
  readonly ps: PsPart;
  readonly vm: VmPart;
  readonly mcp: McpPart;
  readonly hooks: HooksPart;
  readonly imports: ImportPart;
  readonly skills: SkillsPart;
  readonly persona: PersonaPart;
  readonly profile: ProfilePart;
  readonly usage: UsagePart;
  readonly status: StatusPart;
}
