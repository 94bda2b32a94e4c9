/** What every command is made of: its outcome, how its work is run, the words that it takes. */
import { buildCommand, type CommandContext } from "@stricli/core";
import type { RunOptions } from "@/compose/options.ts";

/** Carries what became of a command out of it: stricli would print an error of its own. */
export type Context = CommandContext & { outcome: { code: number; error?: unknown } };

/** Runs a command's work; its exit code or its error is the outcome. */
export async function settle({ outcome }: Context, work: () => Promise<number>): Promise<void> {
  try {
    outcome.code = await work();
  } catch (error) {
    outcome.error = error;
  }
}

/** A slash command without a conversation, loaded when it is asked for. */
export async function slash(line: string, run?: RunOptions): Promise<number> {
  return await (await import("@/entry/once.ts")).slash(line, run);
}

/** The options that were given: stricli names the others as undefined. */
export function given<F extends RunOptions>(flags: F): F {
  const set = Object.entries(flags).filter(([, value]) => value !== undefined);
  return Object.fromEntries(set) as F;
}

export function manyWords(brief: string, placeholder: string, minimum = 0) {
  return { kind: "array", minimum, parameter: { brief, parse: String, placeholder } } as const;
}

export function oneWord(brief: string, placeholder: string) {
  return { kind: "tuple", parameters: [{ brief, parse: String, placeholder }] } as const;
}

/** A subcommand that takes nothing. */
export function bare(brief: string, work: () => Promise<number>) {
  return buildCommand<Record<never, never>, [], Context>({
    docs: { brief },
    parameters: {},
    func() {
      return settle(this, work);
    },
  });
}
