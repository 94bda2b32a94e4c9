/**
 * Random steps of a person and a model; then some of the model's edits are taken back. What is there then must be what the
 * same steps without those edits would have made. `deno test … -- --runs=1000 --seed=12` tries more.
 */
import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { join } from "node:path";
import { fc, runs } from "../support/property.ts";
import { redo, undo } from "@/workspace/undo.ts";
import { Tree, withTree } from "./journal_tree.ts";
import { doEdit, doModel, doPerson, INITIAL, type Step, STEPS } from "./undo_steps.ts";

const asked = Deno.args.find((arg) => arg.startsWith("--runs="))?.slice(7);
const RUNS = asked === undefined ? runs(50) : { numRuns: Number(asked) };

type Taken = { step: Step; number: number; id: string };
type Shot = Record<string, string>;

function plant(tree: Tree): void {
  for (const [rel, mode] of Object.entries(INITIAL)) tree.put(rel, `first of ${rel}\n`, mode);
}

/** Takes the steps for real. Gives those that did something, and the directories that the person made. */
async function take(
  tree: Tree,
  steps: readonly Step[],
): Promise<{ taken: Taken[]; own: Set<string> }> {
  const journal = await tree.journal();
  const taken: Taken[] = [];
  const own = new Set(dirsOf(tree.shot()));
  for (const [number, step] of steps.entries()) {
    const before = tree.shot();
    if (step.by === "person") {
      if (!doPerson(tree.ws, step, number)) continue;
      for (const dir of dirsOf(tree.shot())) if (!(dir in before)) own.add(dir);
      taken.push({ step, number, id: "" });
      continue;
    }
    const id = await doEdit(journal, step, number);
    if (id === "") equal(tree.shot(), before);
    else taken.push({ step, number, id });
  }
  return { taken, own };
}

function replay(tree: Tree, taken: readonly Taken[], undone: ReadonlySet<string>): Shot {
  for (const { step, number, id } of taken) {
    if (step.by === "person") doPerson(tree.ws, step, number);
    else if (!undone.has(id)) doModel(tree.ws, step, number);
  }
  return tree.shot();
}

function dirsOf(shot: Shot): string[] {
  return Object.keys(shot).filter((rel) => rel.endsWith("/"));
}

/** A directory that the person only used, and that is empty now, is there or not depending on who made it. */
function withoutEmpty(shot: Shot, own: ReadonlySet<string>): Shot {
  const kept = { ...shot };
  for (const dir of dirsOf(shot).sort((one, other) => other.length - one.length)) {
    const isEmpty = !Object.keys(kept).some((rel) => rel !== dir && rel.startsWith(dir));
    if (isEmpty && !own.has(dir)) delete kept[dir];
  }
  return kept;
}

Deno.test({
  name: "undo() gives what the other steps alone would have made, and redo() what was there before",
  ignore: Deno.build.os === "windows",
  async fn() {
    let compared = 0;
    const property = fc.asyncProperty(
      STEPS,
      fc.integer({ min: 1, max: 5 }),
      async (steps, undos) => {
        await withTree(async (tree) => {
          plant(tree);
          const { taken, own } = await take(tree, steps);
          const journal = await tree.journal();
          const atEnd = tree.shot();
          const undone = new Set<string>();
          for (let i = 0; i < undos; i++) {
            const before = tree.shot();
            const result = await undo(journal);
            if (!result.ok) {
              equal(tree.shot(), before);
              break;
            }
            for (const id of result.ids) undone.add(id);
          }
          compared += undone.size;
          const other = new Tree(join(tree.dir, "again"));
          plant(other);
          const doubt = unclear(taken, undone);
          const [real, wanted] = [tree.shot(), replay(other, taken, undone)]
            .map((shot) => withoutEmpty(without(shot, doubt), own));
          equal(real, wanted);
          const edits = taken.filter(({ id }) => id !== "").length;
          // With everything taken back, no directory of the model's is left, not even an empty one.
          if (undone.size === edits) {
            equal(dirsOf(tree.shot()).filter((dir) => !own.has(dir) && isEmptyDir(tree, dir)), []);
          }
          for (let i = 0; i < undone.size; i++) {
            ok((await redo(journal)).ok);
          }
          equal(tree.shot(), atEnd);
        });
      },
    );
    await fc.assert(property, RUNS);
    ok(compared > RUNS.numRuns / 2, `only ${compared} edits were taken back`);
  },
});

/**
 * Files that the person wrote or moved after an edit that was taken back all the same, because in the end they were as the
 * edit had left them. Whether the person would have done that without the edit, nobody knows.
 */
function unclear(taken: readonly Taken[], undone: ReadonlySet<string>): Set<string> {
  const edited = new Set<string>();
  const rels = new Set<string>();
  for (const { step, id } of taken) {
    if (step.by === "model") {
      if (undone.has(id)) { for (const rel of [...step.writes, ...step.removes]) edited.add(rel); }
      continue;
    }
    const touched = step.act === "move" ? [step.rel, step.to] : [step.rel];
    const isContent = step.act === "write" || step.act === "remove" || step.act === "move";
    if (isContent && touched.some((rel) => edited.has(rel))) {
      touched.forEach((rel) => rels.add(rel));
    }
    if (isContent) touched.filter((rel) => rels.has(rel)).forEach((rel) => edited.add(rel));
  }
  return rels;
}

function without(shot: Shot, rels: ReadonlySet<string>): Shot {
  return Object.fromEntries(Object.entries(shot).filter(([rel]) => !rels.has(rel)));
}

function isEmptyDir(tree: Tree, dir: string): boolean {
  return [...Deno.readDirSync(tree.path(dir))].length === 0;
}
