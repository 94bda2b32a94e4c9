/**
 * The view of edits in git: one commit each, made one after the other behind the edits, which do not wait for it.
 * Whoever looks at the repository, or changes something in it, waits until it is done (`idle`). What makes them is loaded
 * with the first.
 */
import { describe } from "@/lib/describe.ts";
import { withFileLock } from "@/lib/file_lock.ts";
import { join } from "@/lib/path.ts";
import { settlesWithin } from "@/lib/within.ts";
import { lstat } from "@/workspace/entry.ts";
import type { Git } from "@/workspace/git.ts";
import type { EditJournal } from "@/workspace/journal.ts";
import type { Edit } from "@/workspace/journal_fold.ts";
import type { UndoInGit } from "@/workspace/undo.ts";
import type { CommitStep } from "./commit_edit.ts";
import { finishOthers } from "./finish_others.ts";
import { finishFlight, readFlight } from "./flight.ts";
import { Skipped } from "./skip.ts";
import type { StepTask, UndoStep } from "./undo_step.ts";

/** An edit as it was made. */
export type MadeEdit = { journalId: string; tool: string; paths: readonly string[] };

/** What the commits of a session are made with. */
export type CommitsOptions = {
  git: Git;
  journal: EditJournal;
  /** Whether edits are committed. */
  isOn(): boolean;
  /** Told of each edit once it is known whether it has a commit. */
  onEdit(edit: MadeEdit & { commit?: string }): void;
  /** Told once of each kind of reason why an edit has no commit. */
  onNotice(line: string): void;
  onStep?(step: CommitStep): void;
};

/** What an end of the program waits for. */
const CLOSE_WAIT_MS = 2_000;

const STUCK = "Another git process holds the index, in which something of ours is unfinished. " +
  "If no git is running, remove its index.lock; then try again.";

/** The commits of one session. */
export class Commits implements UndoInGit {
  readonly #options: CommitsOptions;
  readonly #told = new Set<string>();
  #queue: Promise<void> = Promise.resolve();
  #isStuck = false;

  /** What a process that died left unfinished is finished first, behind the start. */
  constructor(options: CommitsOptions) {
    this.#options = options;
    const { git, journal } = options;
    this.#then(async () => {
      await finishOthers(git, journal.dir);
      if (readFlight(journal.dir) !== undefined) await this.#locked(() => Promise.resolve());
    });
  }

  /** Commit an edit when its turn comes. */
  add(edit: MadeEdit): void {
    this.#then(async () => await this.#commit(edit));
  }

  /** Resolves when nothing is left to be committed. Never rejects. */
  async idle(): Promise<void> {
    for (let seen; seen !== this.#queue;) await (seen = this.#queue);
  }

  async held<T>(body: () => Promise<T>): Promise<T> {
    await this.idle();
    return await this.#locked(body);
  }

  async begin(task: StepTask): Promise<UndoStep | string> {
    if (this.#isStuck) return STUCK;
    const { beginStep } = await import("./undo_step.ts");
    const step = await beginStep(this.#options.git, this.#options.journal, task);
    if (typeof step !== "string") this.#expectAnew(step, task);
    return step;
  }

  async hasStill(edits: readonly Edit[]): Promise<boolean | string> {
    const { hasStillOrWhy } = await import("./undo_step.ts");
    return await hasStillOrWhy(this.#options.git, edits);
  }

  /** Wait for what is left, but not for long. */
  async close(): Promise<void> {
    await settlesWithin(this.idle(), CLOSE_WAIT_MS);
  }

  #then(job: () => Promise<void>): void {
    this.#queue = this.#queue.then(job).catch((error) => {
      this.#options.onNotice(`Something was not done in git: ${describe(error)}`);
    });
  }

  async #locked<T>(body: () => Promise<T>): Promise<T> {
    const { git, journal } = this.#options;
    // Makes the place, or says why it cannot be made.
    if (lstat(journal.dir) === undefined) await journal.locked(() => Promise.resolve());
    return await withFileLock(join(journal.dir, "git"), async () => {
      this.#isStuck = !await finishFlight(git, journal);
      return await body();
    }, { what: "the commits of edits in this workspace" });
  }

  /** Commits that git has thrown away are made again, the oldest first, once their edits are back. */
  #expectAnew({ moves }: UndoStep, { edits }: StepTask): void {
    const anew = moves.filter((move) => move.anew).map(({ repository }) => repository.gitDir);
    for (const { record, git } of edits.toReversed()) {
      if (git?.op !== "committed" || !anew.includes(git.git.repository.gitDir)) continue;
      this.#then(async () => await this.#locked(() => this.#commitAnew(record.id)));
    }
  }

  async #commitAnew(journalId: string): Promise<void> {
    const { journal } = this.#options;
    const edit = await journal.locked((store) => Promise.resolve(store.fold.edit(journalId)));
    if (edit?.status === "live") await this.#tryCommit({ journalId });
  }

  async #commit(made: MadeEdit): Promise<void> {
    let commit: string | undefined;
    try {
      commit = await this.#locked(async () => await this.#tryCommit(made));
    } finally {
      this.#options.onEdit({ ...made, ...(commit === undefined ? {} : { commit }) });
    }
  }

  async #tryCommit({ journalId }: Pick<MadeEdit, "journalId">): Promise<string | undefined> {
    const { journal } = this.#options;
    const edit = await journal.locked((store) => Promise.resolve(store.fold.edit(journalId)));
    if (edit === undefined) return undefined;
    if (this.#isStuck) {
      return this.#tell(edit, new Skipped("another git process holds the index", "locked"));
    }
    const { commitEdit } = await import("./commit_edit.ts");
    const outcome = await commitEdit(edit, { ...this.#options, isOn: this.#options.isOn() });
    if ("commit" in outcome) return outcome.commit;
    return this.#tell(edit, outcome.skipped);
  }

  #tell({ record }: Edit, { why, kind }: Skipped): undefined {
    if (kind === undefined || this.#told.has(kind)) return;
    this.#told.add(kind);
    const names = record.paths.map(({ rel }) => rel).join(", ");
    const about = why.includes(names) ? why : `${names}: ${why}`;
    this.#options.onNotice(`not committed: ${about}. /undo still takes it back.`);
  }
}
