/** The stages of deepthink, in their order; a setting names them too. */
export const STAGES = ["plan", "check", "build", "review", "revise", "verify"] as const;
export type Stage = (typeof STAGES)[number];

/** Reads `STAGE=MODEL`; undefined for anything else. */
export function stageModel(entry: string): { stage: Stage; model: string } | undefined {
  const [name = "", ...rest] = entry.split("=");
  const stage = STAGES.find((each) => each === name.trim().toLowerCase());
  const model = rest.join("=").trim();
  return stage === undefined || model === "" ? undefined : { stage, model };
}
