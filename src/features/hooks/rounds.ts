/** Runs, for one moment, all programs that it is for, side by side. */
import type { FeatureParts } from "@/compose/feature.ts";
import type { Answer } from "@/hooks/answer.ts";
import type { RunHookParts } from "@/hooks/run.ts";
import type { HookProgram } from "@/hooks/declared.ts";
import { type CommonInput, type HookInput, subjectsOf } from "@/hooks/event.ts";
import { HookMatchers } from "@/hooks/matcher.ts";
import { mayHaveHooks } from "@/policy/project_files.ts";
import type { FoundHooks } from "./found.ts";

export type RoundParts =
  & Pick<
    FeatureParts,
    | "place"
    | "trust"
    | "processes"
    | "sandbox"
    | "programs"
    | "conversation"
    | "automode"
  >
  & { isPlanning(): boolean };

/** What one program answered. */
export type Heard = { program: HookProgram; name: string; answer: Answer };

export type RoundOptions = {
  signal?: AbortSignal | undefined;
  /** Those that are not asked. */
  except?: ReadonlySet<HookProgram>;
  /** In the place of what each program may take, where that is more. */
  timeoutMsMax?: number;
};

/** Programs as whoever tells them of a moment sees them. */
export type Rounds = Pick<HookRounds, "found" | "run" | "expire" | "isIdle">;

const NONE: FoundHooks = { programs: [], waiting: [], problems: [] };

/** One for a conversation. The files are read when they are first needed, and again after `expire`. */
export class HookRounds {
  readonly #parts: RoundParts;
  readonly #matchers = new HookMatchers();
  #found: Promise<FoundHooks> | undefined;
  #isIdle = false;

  constructor(parts: RoundParts) {
    this.#parts = parts;
  }

  /** What there is, as it was when it was last read. */
  found(): Promise<FoundHooks> {
    return this.#found ?? this.read();
  }

  /** What there is now. */
  read(): Promise<FoundHooks> {
    const reading = this.#read();
    this.expire();
    reading.then(({ programs }) => {
      this.#isIdle = programs.length === 0 && this.#found === reading;
    }, () => undefined); // Whoever waits for it is told.
    return this.#found = reading;
  }

  /** Whether it is known that there are none, so that nothing has to be put together for them. */
  get isIdle(): boolean {
    return this.#isIdle;
  }

  /** The files may have changed. */
  expire(): void {
    this.#found = undefined;
    this.#isIdle = false;
  }

  /** Run all that are for this moment, in their order. Never throws for what they do. */
  async run(input: HookInput, options: RoundOptions = {}): Promise<readonly Heard[]> {
    const { programs } = await this.found();
    if (programs.length === 0) return [];
    const about = { event: input.hook_event_name, subjects: subjectsOf(input) };
    const asked = programs.filter((one) => options.except?.has(one) !== true);
    const own = await this.#matchers.choose(asked, about);
    if (own.length === 0) return [];
    const told = { ...this.#common(), ...input };
    // Loaded where there is something to run, like the files that declare it.
    const { programName, runHook } = await import("@/hooks/run.ts");
    return await Promise.all(own.map(async (program) => ({
      program,
      name: programName(program),
      answer: await runHook(program, told, {
        signal: options.signal,
        timeoutMs: Math.min(program.timeoutS * 1_000, options.timeoutMsMax ?? Infinity),
        parts: this.#running(),
      }),
    })));
  }

  #running(): RunHookParts {
    const { programs, processes, place, sandbox } = this.#parts;
    return {
      person: programs.person,
      processes,
      workspace: place.workspace,
      inside: async () => {
        const opened = await sandbox.ready();
        return opened.isProven ? opened.wrap() : undefined;
      },
    };
  }

  #common(): CommonInput {
    const { conversation: { log }, place, automode, isPlanning } = this.#parts;
    return {
      session_id: log.uid,
      transcript_path: log.path ?? "",
      cwd: place.workspace,
      permission_mode: isPlanning() ? "plan" : automode.isOn ? "bypassPermissions" : "default",
    };
  }

  async #read(): Promise<FoundHooks> {
    const { place: { workspace, paths }, trust } = this.#parts;
    if (!await mayHaveHooks(workspace, paths.hooks)) return NONE;
    const { findHooks } = await import("./found.ts");
    return await findHooks({ workspace, personal: paths.hooks, trust });
  }
}
