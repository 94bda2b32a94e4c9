/**
 * Random steps of a person and a model in a repository; then some of the model's edits are taken back. Files, index and
 * branch must then be what the same steps without those edits make; and brought back, what they were.
 * `deno test … -- --runs=500 --seed=12` tries more.
 */
import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { fc } from "../../support/property.ts";
import { doPerson, INITIAL, type ModelStep, type Step, STEPS, wanted } from "./commit_steps.ts";
import { type RepoTree, type Wanted, withRepo } from "./repo_tree.ts";

const RUNS = Number(Deno.args.find((arg) => arg.startsWith("--runs="))?.slice(7) ?? "6");

/** Kinds of repositories in which the steps are taken. */
const PLACES = ["plain", "detached", "unborn", "hostile", "off"] as const;
type Place = typeof PLACES[number];

async function prepare(repo: RepoTree, place: Place): Promise<void> {
  await Deno.chmod(repo.path("run.sh"), 0o755);
  await repo.git("-c", "filter.evil.clean=cat", "commit", "-q", "-am", "mode");
  repo.put("new.txt", "the person's, never committed\n");
  repo.put("x.log", "ignored\n");
  if (place === "unborn") {
    await repo.git("update-ref", "-d", "HEAD");
    await repo.git("reset", "-q");
  }
  if (place === "detached") await repo.git("checkout", "-q", "--detach");
  if (place === "off") repo.isOn = false;
  if (place !== "hostile") return;
  const path = `${await repo.gitDir()}/hooks/reference-transaction`;
  Deno.mkdirSync(`${await repo.gitDir()}/hooks`, { recursive: true });
  Deno.writeTextFileSync(path, `#!/bin/sh\n[ -z "$HARNESS_TEST" ] || exit 0\nexit 1\n`);
  Deno.chmodSync(path, 0o755);
  await repo.git("config", "user.useConfigOnly", "true");
  await repo.git("config", "commit.gpgsign", "true");
  await repo.git("config", "gpg.program", "/bin/false");
}

/** The person is not hindered by what they planted against us. */
function personIn(repo: RepoTree): (...args: string[]) => Promise<string> {
  return (...args) =>
    repo.git(
      ...["-c", "commit.gpgsign=false", "-c", "core.hooksPath=/dev/null"],
      ...["-c", "filter.evil.clean=cat", ...args],
    );
}

/** Takes a step; what came of it, as far as it can differ. */
async function take(repo: RepoTree, step: Step, number: number): Promise<boolean> {
  if (step.by === "person") {
    return await doPerson(repo.tree.ws, personIn(repo), { step, number });
  }
  return await edit(repo, step, number);
}

async function edit(repo: RepoTree, step: ModelStep, number: number): Promise<boolean> {
  const changes: Record<string, Wanted> = {};
  for (const one of step.edits) {
    const text = wanted(readOrNot(repo, one.rel), one, number);
    if (text !== undefined) changes[one.rel] = text;
  }
  const made = repo.edits.length;
  try {
    await repo.ai(changes, { turn: number });
  } catch (error) {
    // A directory stands where the file should be, or the other way round.
    if (error instanceof Error) return false;
    throw error;
  }
  return repo.edits.length > made;
}

function readOrNot(repo: RepoTree, rel: string): string | undefined {
  try {
    return repo.read(rel);
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}

/** What can be compared between two repositories whose commits were made at different moments. */
async function comparable(repo: RepoTree): Promise<Record<string, unknown>> {
  const { log: _, ...view } = await repo.view();
  return {
    ...view,
    log: await repo.tryGit("log", "--format=%s %T"),
    cached: await repo.tryGit("diff", "--cached", "--no-ext-diff"),
  };
}

/** A mode of the person's that `add -A` did not see, because an edit had taken the file away by then. */
function isUnclear(steps: readonly Step[], left: ReadonlySet<number>): boolean {
  return steps.some((step, at) =>
    step.by === "person" && step.act === "chmod" &&
    steps.some((later, number) =>
      number > at && later.by === "model" && left.has(number) &&
      later.edits.some(({ rel, how }) => rel === step.rel && how === "remove")
    )
  );
}

type Count = { compared: number; undone: number; committed: number };

async function check(steps: readonly Step[], place: Place, undos: number, count: Count) {
  await withRepo(async (repo) => {
    await prepare(repo, place);
    const outcomes: boolean[] = [];
    for (const [number, step] of steps.entries()) outcomes.push(await take(repo, step, number));
    const edits = steps.flatMap((step, number) =>
      step.by === "model" && outcomes[number] ? [number] : []
    );
    count.committed += repo.edits.filter(({ commit }) => commit !== undefined).length;
    const atEnd = await repo.view();
    let undone = 0;
    while (undone < undos) {
      const before = await repo.view();
      const result = await repo.undo();
      if (!result.ok) {
        equal(await repo.view(), before, `a refusal changed something: ${result.reason}`);
        break;
      }
      undone++;
    }
    if (undone === 0) return;
    count.undone += undone;
    const left = new Set(edits.slice(edits.length - undone));
    if (isUnclear(steps, left)) return;
    await withRepo(async (other) => {
      await prepare(other, place);
      for (const [number, step] of steps.entries()) {
        if (left.has(number)) continue;
        const outcome = await take(other, step, number);
        // Git refused the person something, or not, because the edit was there: another story.
        if (outcome !== outcomes[number]) return;
      }
      equal(await comparable(repo), await comparable(other));
      count.compared++;
    }, { files: INITIAL });
    for (let i = 0; i < undone; i++) {
      const result = await repo.redo();
      ok(result.ok, result.ok ? "" : result.reason);
    }
    equal(await repo.view(), atEnd);
  }, { files: INITIAL });
}

Deno.test({
  name:
    "undo leaves files, index and branch as the other steps alone would have, and redo as they were",
  ignore: Deno.build.os === "windows",
  async fn() {
    const count: Count = { compared: 0, undone: 0, committed: 0 };
    const property = fc.asyncProperty(
      STEPS,
      fc.constantFrom(...PLACES),
      fc.integer({ min: 1, max: 4 }),
      async (steps, place, undos) => await check(steps, place, undos, count),
    );
    await fc.assert(property, { numRuns: RUNS, endOnFailure: true });
    ok(count.compared > 0 && count.committed > 0, JSON.stringify(count));
  },
});
