/** What turns work with for instructions. */
import { NearInstructions } from "@/agent/hooks/near_instructions.ts";
import type { FeatureParts, FeatureWork, Shared } from "@/compose/feature.ts";
import { fromTop } from "@/lib/from_top.ts";
import { once } from "@/lib/once.ts";
import { join } from "@/lib/path.ts";
import {
  findInstructions,
  instructionSection,
  personInstruction,
  withinBytes,
} from "@/workspace/instructions.ts";

/** What it needs of the conversation. */
export type InstructionParts = Pick<FeatureParts, "place" | "live">;

/** Read them. */
export async function instructionWork(
  { place: { workspace, paths }, live }: InstructionParts,
  { mayRead }: Pick<Shared, "mayRead">,
): Promise<FeatureWork> {
  const directories = await fromTop(workspace);
  const places = { workspace, top: directories[0] ?? workspace };
  const [own, project] = await Promise.all([
    personInstruction(join(paths.home, "AGENTS.md")),
    findInstructions(directories, places),
  ]);
  const notice = (text: string) => live.emit({ type: "notice", level: "warn", text });
  // Rules are there when the first request is made; the bytes then stay for the whole run.
  const chosen = once(() => {
    const readable = project.files.filter(({ path }) => mayRead(path));
    const all = typeof own === "object" ? [own, ...readable] : readable;
    const { files: kept, notices } = withinBytes(all);
    const troubles = typeof own === "string" ? [own] : [];
    return {
      section: instructionSection(kept),
      notices: [...troubles, ...project.notices, ...notices],
    };
  });
  const near = new NearInstructions({
    workspace,
    find: async (directory) => {
      const { files: found, notices } = await findInstructions([directory], places);
      return { files: found.filter(({ path }) => mayRead(path)), notices };
    },
    messages: () => live.harness.messages(),
    notice,
  });
  return {
    prompt: () => chosen().section,
    begin: () => chosen().notices.forEach(notice),
    hooks: [near],
  };
}
