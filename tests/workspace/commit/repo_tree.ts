/** What the tests of commits share: a repository as workspace, edits by the journal, and the person's own git. */
import { join } from "node:path";
import type { Processes } from "@/sandbox/processes.ts";
import { Commits, type CommitsOptions } from "@/workspace/commit/commits.ts";
import { outsideSparse } from "@/workspace/commit/sparse.ts";
import { Git } from "@/workspace/git.ts";
import type { EditJournal } from "@/workspace/journal.ts";
import { redo, undo, type UndoResult, undoTurn } from "@/workspace/undo.ts";
import { personGit } from "../../support/git.ts";
import { withProcesses } from "../../support/processes.ts";
import { ABSENT, file, type Tree, withTree } from "../journal_tree.ts";

/** What is to be at a path: a text, or nothing. */
export type Wanted = string | null;

/** A journal with commits on it, in a workspace. */
export class RepoTree {
  readonly edits: { paths: readonly string[]; commit?: string }[] = [];
  readonly notices: string[] = [];
  isOn = true;

  private constructor(
    readonly tree: Tree,
    readonly processes: Processes,
    readonly journal: EditJournal,
    private readonly made: { commits?: Commits },
  ) {}

  static async open(
    tree: Tree,
    processes: Processes,
    options: Partial<CommitsOptions> & { session?: string; workspace?: string } = {},
  ): Promise<RepoTree> {
    const workspace = options.workspace ?? tree.ws;
    const commits: { at?: Commits } = {};
    const git = new Git(processes, { workspace });
    const journal = await tree.journal({
      workspace,
      ...(options.session === undefined ? {} : { session: options.session }),
      onEdit: (edit) => commits.at?.add(edit),
      outsideSparse: (paths) => outsideSparse(git, paths),
    });
    const repo = new RepoTree(tree, processes, journal, {});
    repo.made.commits = commits.at = new Commits({
      git,
      journal,
      isOn: () => repo.isOn,
      onEdit: (edit) => repo.edits.push(edit),
      onNotice: (line) => repo.notices.push(line),
      ...options,
    });
    return repo;
  }

  get commits(): Commits {
    if (this.made.commits === undefined) throw new Error("not open");
    return this.made.commits;
  }

  path(rel: string): string {
    return this.tree.path(rel);
  }

  read(rel: string): string {
    return Deno.readTextFileSync(this.path(rel));
  }

  /** The person's own git. */
  git(...args: string[]): Promise<string> {
    return personGit(this.processes, this.tree.ws, ...args);
  }

  gitIn(dir: string, ...args: string[]): Promise<string> {
    return personGit(this.processes, dir, ...args);
  }

  /** The person writes a file. */
  put(rel: string, text: string, mode = 0o644): void {
    this.tree.put(rel, text, mode);
  }

  /** An edit of the AI's; its commit, once that is decided. */
  async ai(
    changes: Readonly<Record<string, Wanted>>,
    { turn = 1, tool = "edit_file" } = {},
  ): Promise<string | undefined> {
    await this.journal.edit({
      tool,
      callId: "c",
      turn,
      changes: Object.entries(changes).map(([rel, text]) => ({
        path: this.path(rel),
        expected: "unchecked",
        after: text === null ? ABSENT : file(text),
      })),
    });
    await this.commits.idle();
    return this.edits.at(-1)?.commit;
  }

  undo(): Promise<UndoResult> {
    return undo(this.journal, { git: this.commits });
  }

  undoTurn(): Promise<UndoResult> {
    return undoTurn(this.journal, { git: this.commits });
  }

  redo(): Promise<UndoResult> {
    return redo(this.journal, { git: this.commits });
  }

  /** Everything that is the person's: files, index, branch, and what git says about them. */
  async view(): Promise<Record<string, unknown>> {
    const files = Object.fromEntries(
      Object.entries(this.tree.shot()).filter(([rel]) => !isGitDir(rel)),
    );
    const index = await this.git("ls-files", "-s", "-v");
    const status = await this.git("status", "--porcelain", "--ignored", "-uall");
    const ref = await this.tryGit("symbolic-ref", "-q", "HEAD");
    const log = await this.tryGit("log", "--format=%H %s");
    const locks = [...Deno.readDirSync(await this.gitDir())].map(({ name }) => name)
      .filter((name) => /lock|harness/.test(name));
    return { files, index, status, ref, log, locks };
  }

  async gitDir(): Promise<string> {
    return (await this.git("rev-parse", "--absolute-git-dir")).trim();
  }

  /** As `git`; empty when it fails. */
  async tryGit(...args: string[]): Promise<string> {
    try {
      return await this.git(...args);
    } catch (error) {
      if (error instanceof Error && error.message.startsWith("git ")) return "";
      throw error;
    }
  }

  /** Files that a commit changes, with its lines. */
  async shown(commit: string): Promise<string> {
    return await this.git("show", "--format=%s", "--unified=0", commit);
  }
}

function isGitDir(rel: string): boolean {
  return rel === ".git" || /(^|\/)\.git(\/|$)/.test(rel);
}

/** A repository with a first commit of these files; `plant` is where the person prepares more. */
export async function withRepo(
  body: (repo: RepoTree) => Promise<void>,
  { files = { "a.txt": "one\ntwo\nthree\n", "b.txt": "b\n" }, options = {}, init = [] as string[] }:
    {
      files?: Readonly<Record<string, string>>;
      options?: Parameters<typeof RepoTree.open>[2];
      init?: string[];
    } = {},
): Promise<void> {
  await withTree(async (tree) => {
    await withProcesses(async (processes) => {
      await personGit(processes, tree.ws, "init", "-q", ...init);
      for (const [rel, text] of Object.entries(files)) tree.put(rel, text);
      if (Object.keys(files).length > 0) {
        await personGit(processes, tree.ws, "add", "-A");
        await personGit(processes, tree.ws, "commit", "-q", "-m", "first");
      }
      const repo = await RepoTree.open(tree, processes, options);
      await body(repo);
      await repo.commits.close();
    }, { HOME: join(tree.dir, "home"), XDG_CONFIG_HOME: join(tree.dir, "home") });
  });
}

/** An undo that worked. */
export function assertOk(result: UndoResult): void {
  if (!result.ok) throw new Error(`refused: ${result.reason}`);
}

/** Why an undo was refused. */
export function refusal(result: UndoResult): string {
  return result.ok ? `not refused: ${result.text}` : result.reason;
}
