/** `harness completions bash|zsh|fish`: a script for the person's shell, made of the command line's own declarations. */
import type { CommandContext, RouteMap } from "@stricli/core";
import { bash } from "./completions/bash.ts";
import { fish } from "./completions/fish.ts";
import { grammarOf } from "./completions/grammar.ts";
import { zsh } from "./completions/zsh.ts";
import { stdout } from "@/terminal/process.ts";
import { EXIT } from "@/terminal/exit_code.ts";

const SCRIPTS = { bash, zsh, fish } as const;

export type CompletedShell = keyof typeof SCRIPTS;

/** Print the script that completes what `root` declares. Resolves to the exit code. */
export function completions<C extends CommandContext>(
  shell: CompletedShell,
  root: RouteMap<C>,
): number {
  stdout(SCRIPTS[shell](grammarOf(root)));
  return EXIT.done;
}
