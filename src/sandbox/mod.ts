/** The sandbox as the rest of the program sees it. */
import { fileErrorReason } from "@/lib/file_error.ts";
import { canAdopt } from "@/sandbox/adopter.ts";
import {
  type BoundaryKind,
  type BoundaryRow,
  boundaryRows,
  noBoundaryRows,
  noSandboxNotice,
} from "@/sandbox/boundary.ts";
import type { Boundary, Opened, SandboxOptions } from "@/sandbox/boundary_options.ts";
import type { SandboxPolicy } from "@/sandbox/policy.ts";
import type { Wrapper } from "@/sandbox/processes.ts";

/** What holds commands in this run, if anything does. Opened once; ended by `close`. */
export class Sandbox {
  readonly #boundary: Boundary | undefined;
  readonly #why: string;
  readonly #isOff: boolean;

  private constructor(opened: Opened, isOff: boolean) {
    this.#boundary = "boundary" in opened ? opened.boundary : undefined;
    this.#why = "problem" in opened ? opened.problem : "";
    this.#isOff = isOff;
  }

  /**
   * Find what this machine has and prove it by running it. What is missing or does not hold is no error: the sandbox is
   * then not proven, and says why.
   */
  static async open(options: SandboxOptions): Promise<Sandbox> {
    if (options.isOff === true) return new Sandbox({ problem: "--sandbox off" }, true);
    try {
      return new Sandbox(await openHere(options), false);
    } catch (error) {
      // A full disk, a directory that may not be written: whatever it is, nothing holds then.
      if (!(error instanceof Error)) throw error;
      return new Sandbox({ problem: `it cannot be set up (${fileErrorReason(error)})` }, false);
    }
  }

  /** What enforces it. */
  get kind(): BoundaryKind {
    return this.#boundary?.kind ?? "none";
  }

  /** Whether it was tried in this run, and held. */
  get isProven(): boolean {
    return this.#boundary !== undefined;
  }

  /** Why it is not proven, as the end of a sentence; undefined when it is. */
  get problem(): string | undefined {
    return this.isProven ? undefined : this.#why;
  }

  /** What the person is told at the start; undefined where there is nothing to tell. */
  get notice(): string | undefined {
    return this.isProven || this.#isOff ? undefined : noSandboxNotice(this.#why);
  }

  /** What is enforced by what, on this machine, now. */
  describe(): readonly BoundaryRow[] {
    const boundary = this.#boundary;
    return boundary === undefined
      ? noBoundaryRows(this.#why, { isOff: this.#isOff, adopts: canAdopt() })
      : boundaryRows(boundary.kind, boundary.facts());
  }

  /**
   * What puts a command inside. Throws when the sandbox is not proven: ask `isProven` first, and never run unasked what
   * cannot be wrapped. The wrapper throws StartError when the boundary cannot be drawn any more.
   */
  wrap(policy: SandboxPolicy = {}): Wrapper {
    if (this.#boundary === undefined) throw new Error(`There is no sandbox: ${this.#why}`);
    return this.#boundary.wrap(policy);
  }

  /** Remove the private home and tmp. Everything that ran inside has ended. */
  async close(): Promise<void> {
    await this.#boundary?.close();
  }
}

/** What a system has is loaded when the sandbox is opened: a start that runs no command needs none of it. */
async function openHere(options: SandboxOptions): Promise<Opened> {
  switch (Deno.build.os) {
    case "linux": {
      const { openLinux } = await import("@/sandbox/linux.ts");
      return await openLinux(options);
    }
    case "darwin": {
      const { openMacos } = await import("@/sandbox/macos.ts");
      return await openMacos(options);
    }
    default:
      return { problem: `there is none for this system (${Deno.build.os})` };
  }
}

/** A sandbox that is opened when it is first needed, once. */
export class SandboxOnDemand {
  readonly #open: () => Promise<Sandbox>;
  readonly #onOpened: (sandbox: Sandbox) => void;
  #opening: Promise<Sandbox> | undefined;
  #opened: Sandbox | undefined;

  /** `onOpened` is told before whoever asked for it. */
  constructor(open: () => Promise<Sandbox>, onOpened: (sandbox: Sandbox) => void = () => {}) {
    this.#open = open;
    this.#onOpened = onOpened;
  }

  /** The sandbox, opened now if it was not. */
  ready(): Promise<Sandbox> {
    this.#opening ??= this.#open().then((sandbox) => {
      this.#opened = sandbox;
      this.#onOpened(sandbox);
      return sandbox;
    });
    return this.#opening;
  }

  /** The sandbox, if it is open already. */
  get opened(): Sandbox | undefined {
    return this.#opened;
  }

  /** Whether it is open and holds. False before `ready` has resolved. */
  get isProven(): boolean {
    return this.#opened?.isProven ?? false;
  }

  /** Close it if it was opened. One that could not be opened has been told to whoever asked for it. */
  async close(): Promise<void> {
    await Promise.allSettled([this.#opening]);
    await this.#opened?.close();
  }
}
