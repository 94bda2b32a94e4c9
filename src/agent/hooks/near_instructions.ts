/**
 * Instructions of subdirectories: told when a call reaches one, as a message, so that the system prompt keeps its bytes.
 * What was told is read off the history, so what was compacted away or rewound is told again.
 */
import { isAbsolute, join, relative, sep } from "@/lib/path.ts";
import { isWithin } from "@/lib/path_within.ts";
import type { Hook } from "@/protocol/hook.ts";
import type { Message } from "@/protocol/message.ts";
import type { GuardedCall } from "@/protocol/policy.ts";
import {
  holdsInstruction,
  type Instruction,
  type Instructions,
  laterInstruction,
  withinBytes,
} from "@/workspace/instructions.ts";

export type NearInstructionsParts = {
  /** Real path; its own file and those above it stand in the system prompt. */
  workspace: string;
  /** The file of one directory, if it has one that may be shown. */
  find(directory: string): Promise<Instructions>;
  messages(): readonly Message[];
  notice(text: string): void;
};

export class NearInstructions implements Hook {
  readonly name = "instructions of directories";
  readonly #parts: NearInstructionsParts;
  readonly #looked = new Set<string>();
  readonly #met = new Map<string, Instruction>();

  constructor(parts: NearInstructionsParts) {
    this.#parts = parts;
  }

  afterTool({ subject }: GuardedCall): Promise<void> | undefined {
    if (subject.kind !== "path") return undefined;
    const directories = subject.paths.flatMap((path) => this.#directoriesTo(path));
    const isNew = directories.some((directory) => !this.#looked.has(directory));
    return isNew ? this.#look(directories) : undefined;
  }

  async #look(directories: readonly string[]): Promise<void> {
    for (const directory of directories) {
      if (this.#looked.has(directory)) continue;
      this.#looked.add(directory);
      const found = await this.#parts.find(directory);
      const { files, notices } = withinBytes(found.files);
      for (const text of [...found.notices, ...notices]) this.#parts.notice(text);
      for (const file of files) this.#met.set(file.path, file);
    }
  }

  beforeRequest(): Promise<string | undefined> | undefined {
    if (this.#met.size === 0) return undefined;
    const told = this.#parts.messages().flatMap(hookTexts);
    const news = [...this.#met.values()].filter((file) =>
      !told.some((text) => holdsInstruction(text, file))
    );
    return Promise.resolve(news.map(laterInstruction).join("\n\n") || undefined);
  }

  /** The directories below the workspace on the way to a path, and itself, which may be one. */
  #directoriesTo(path: string): string[] {
    const { workspace } = this.#parts;
    if (!isAbsolute(path) || path === workspace || !isWithin(path, workspace)) return [];
    const names = relative(workspace, path).split(sep);
    return names.map((_, at) => join(workspace, ...names.slice(0, at + 1)));
  }
}

function hookTexts(message: Message): string[] {
  if (message.role !== "user" || message.origin !== "hook") return [];
  return message.content.flatMap((part) => part.type === "text" ? [part.text] : []);
}
