/** AGENTS.md and its kin: what the person and the project say of how to work here. */
import type { Feature } from "@/compose/feature.ts";
import type { InstructionParts } from "./instructions/work.ts";

/** Make it. */
export function instructions(parts: InstructionParts): Feature {
  return {
    name: "instructions",
    work: async (shared) =>
      await (await import("./instructions/work.ts")).instructionWork(parts, shared),
  };
}
