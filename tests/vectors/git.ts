/** The `git` vectors against real repositories. */
import { z } from "zod";
import type { Adapter, Adapters } from "./adapter.ts";
import { withProcesses } from "../support/processes.ts";
import { withTree } from "../workspace/journal_tree.ts";
import { refusal, RepoTree, withRepo } from "../workspace/commit/repo_tree.ts";

const gitInput = z.object({
  tool: z.string().optional(),
  path: z.string().optional(),
  staged: z.array(z.string()).optional(),
  unstaged: z.array(z.string()).default([]),
  change: z.literal(false).optional(),
  top: z.literal("user").optional(),
  dirty: z.array(z.string()).optional(),
  commits: z.array(z.string()).optional(),
  repo: z.literal(false).optional(),
  before: z.string().optional(),
  committed: z.string().default(""),
  ai_adds: z.string().default(""),
  ignored: z.literal(true).optional(),
});
type Input = z.infer<typeof gitInput>;

const git: Adapter = async (raw) => {
  const input = gitInput.parse(raw);
  if (input.repo === false) return await outside();
  const files = Object.fromEntries(filesOf(input).map((rel) => [rel, "one\ntwo\nthree\n"]));
  if (input.before !== undefined) files["seed.txt"] = input.committed;
  let outcome: unknown;
  await withRepo(async (repo) => {
    outcome = await inRepository(repo, input);
  }, { files });
  return outcome;
};

/** Files that are committed at first. */
function filesOf({ staged = [], unstaged, dirty = [] }: Input): string[] {
  return ["seed.txt", ...staged, ...unstaged, ...dirty];
}

function inRepository(repo: RepoTree, input: Input): Promise<unknown> | undefined {
  if (input.tool === "delete_file") return deleted(repo);
  if (input.tool !== undefined) return subject(repo, input.tool, input.path ?? "");
  if (input.staged !== undefined) return besides(repo, input);
  if (input.change === false) return unchanged(repo);
  if (input.top === "user") return underTheirs(repo);
  if (input.dirty !== undefined) return dirtied(repo, input.dirty);
  if (input.commits !== undefined) return undoneOneByOne(repo, input.commits);
  if (input.before !== undefined) return overOwnLines(repo, input.before, input.ai_adds);
  if (input.ignored === true) return ignored(repo);
  return undefined;
}

async function subject(repo: RepoTree, tool: string, path: string) {
  await repo.ai({ [path]: "ai\n" }, { tool });
  return { subject: (await repo.git("log", "-1", "--format=%s")).trim() };
}

async function besides(repo: RepoTree, { staged = [], unstaged }: Input) {
  for (const rel of [...staged, ...unstaged]) repo.put(rel, "mine\n");
  await repo.git("add", ...staged);
  const commit = await repo.ai({ "ai.txt": "ai\n" }) ?? "";
  const names = async (...args: string[]) =>
    (await repo.git(...args, "--name-only")).trim().split("\n");
  return {
    commit_files: await names("show", "--format=", commit),
    staged: await names("diff", "--cached"),
    unstaged: await names("diff"),
  };
}

async function unchanged(repo: RepoTree) {
  const commit = await repo.ai({ "seed.txt": repo.read("seed.txt") });
  return { commit: commit !== undefined || repo.edits.length > 0 };
}

async function underTheirs(repo: RepoTree) {
  await repo.ai({ "seed.txt": "ai\n" });
  repo.put("mine.txt", "mine\n");
  await repo.git("add", "mine.txt");
  await repo.git("commit", "-q", "-m", "mine");
  return { undo: (await repo.undo()).ok ? "done" : "refused" };
}

async function dirtied(repo: RepoTree, rels: readonly string[]) {
  await repo.ai(Object.fromEntries(rels.map((rel) => [rel, "ai\n"])));
  for (const rel of rels) repo.put(rel, "mine\n");
  const result = await repo.undo();
  return {
    undo: result.ok ? "done" : "refused",
    names: rels.filter((rel) => refusal(result).includes(rel)),
  };
}

/** Commits as words: "write new.py", "edit seed.txt". */
async function undoneOneByOne(repo: RepoTree, commits: readonly string[]) {
  const rels = commits.map((words) => words.split(" ").at(-1) ?? "");
  const before = new Map(rels.map((rel) => [rel, readOrNot(repo, rel)]));
  for (const rel of rels) await repo.ai({ [rel]: `ai ${rel}\n` });
  const undone: string[] = [];
  for (const rel of rels.toReversed()) {
    await repo.undo();
    const now = readOrNot(repo, rel);
    if (now === before.get(rel)) {
      undone.push(`${rel} ${now === undefined ? "removed" : "restored"}`);
    }
  }
  return { undo_twice: undone };
}

async function overOwnLines(repo: RepoTree, before: string, adds: string) {
  repo.put("seed.txt", before);
  await repo.ai({ "seed.txt": `${before}${adds}\n` });
  await repo.undo();
  return { after_undo: repo.read("seed.txt") };
}

async function ignored(repo: RepoTree) {
  repo.put(".gitignore", "*.log\n");
  repo.put("x.log", "mine\n");
  await repo.ai({ "x.log": "ai\n" });
  const result = await repo.undo();
  return { undo: result.ok && repo.read("x.log") === "mine\n" ? "works" : refusal(result) };
}

async function deleted(repo: RepoTree) {
  const before = repo.read("seed.txt");
  await repo.ai({ "seed.txt": null }, { tool: "delete_file" });
  await repo.undo();
  return { restored: readOrNot(repo, "seed.txt") === before };
}

async function outside() {
  let outcome: unknown;
  await withTree((tree) =>
    withProcesses(async (processes) => {
      const repo = await RepoTree.open(tree, processes);
      repo.put("a", "mine\n");
      const commit = await repo.ai({ "a": "ai\n" });
      const result = await repo.undo();
      outcome = {
        commit: commit !== undefined,
        undo: result.ok && repo.read("a") === "mine\n" ? "restored" : "refused",
      };
      await repo.commits.close();
    })
  );
  return outcome;
}

function readOrNot(repo: RepoTree, rel: string): string | undefined {
  return rel in repo.tree.shot() ? repo.read(rel) : undefined;
}

export const adapters: Adapters = { git };
