/** Steps that a person and a model take in a workspace, for the property test of undo. */
import { dirname, join } from "node:path";
import { fc } from "../support/property.ts";
import type { EditJournal, EntryState, PathChange } from "@/workspace/journal.ts";

/** Files that exist at first, with their mode. */
export const INITIAL: Readonly<Record<string, number>> = {
  "a": 0o644,
  "run.sh": 0o755,
  "d/x": 0o600,
  "d/y": 0o644,
  "e/deep/z": 0o644,
};
const FILES = [...Object.keys(INITIAL), "new", "n/m/o", "n/p", "e/q"];
const DIRS = ["n", "n/m", "fresh", "e/made"];

export type PersonStep =
  | { by: "person"; act: "write" | "remove" | "touch"; rel: string }
  | { by: "person"; act: "chmod"; rel: string; mode: number }
  | { by: "person"; act: "mkdir"; rel: string }
  | { by: "person"; act: "move"; rel: string; to: string };
export type ModelStep = {
  by: "model";
  writes: readonly string[];
  removes: readonly string[];
  dirs: readonly string[];
};
export type Step = PersonStep | ModelStep;

const rel = fc.constantFrom(...FILES);
const dir = fc.constantFrom(...DIRS);
const person = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      by: fc.constant("person" as const),
      act: fc.constant("write" as const),
      rel,
    }),
  },
  fc.record({
    by: fc.constant("person" as const),
    act: fc.constantFrom("remove" as const, "touch" as const),
    rel,
  }),
  {
    weight: 2,
    arbitrary: fc.record({
      by: fc.constant("person" as const),
      act: fc.constant("chmod" as const),
      rel,
      mode: fc.constantFrom(0o600, 0o644, 0o750, 0o755),
    }),
  },
  fc.record({ by: fc.constant("person" as const), act: fc.constant("mkdir" as const), rel: dir }),
  fc.record({
    by: fc.constant("person" as const),
    act: fc.constant("move" as const),
    rel,
    to: rel,
  }),
);
const model = fc.oneof(
  { weight: 4, arbitrary: rel.map((one) => ({ writes: [one], removes: [], dirs: [] })) },
  { weight: 2, arbitrary: rel.map((one) => ({ writes: [], removes: [one], dirs: [] })) },
  dir.map((one) => ({ writes: [], removes: [], dirs: [one] })),
  fc.uniqueArray(rel, { minLength: 2, maxLength: 3 }).map(([first = "a", ...rest]) => ({
    writes: rest,
    removes: [first],
    dirs: [],
  })),
).map((step): ModelStep => ({ by: "model", ...step }));

export const STEPS: fc.Arbitrary<Step[]> = fc.array(fc.oneof(person, model), {
  minLength: 4,
  maxLength: 15,
});

/** Every text is written once only, so that equal bytes mean the same write. */
export function textOf(number: number, name: string): string {
  return `step ${number} of ${name}\n`;
}

/** Does a person's step by plain file calls. False if it could not be done, or was done already. */
export function doPerson(root: string, step: PersonStep, number: number): boolean {
  const path = join(root, step.rel);
  return can(() => {
    switch (step.act) {
      case "write":
        Deno.mkdirSync(dirname(path), { recursive: true });
        return Deno.writeTextFileSync(path, textOf(number, step.rel));
      case "remove":
        if (!Deno.lstatSync(path).isFile) throw new Deno.errors.IsADirectory(path);
        return Deno.removeSync(path);
      case "touch":
        return Deno.utimeSync(path, number + 1, number + 1);
      case "chmod":
        if (!Deno.lstatSync(path).isFile) throw new Deno.errors.IsADirectory(path);
        return Deno.chmodSync(path, step.mode);
      case "mkdir":
        if (can(() => Deno.lstatSync(path))) throw new Deno.errors.AlreadyExists(path);
        return Deno.mkdirSync(path, { recursive: true });
      case "move": {
        const to = join(root, step.to);
        if (!Deno.lstatSync(path).isFile || can(() => Deno.lstatSync(to))) {
          throw new Deno.errors.AlreadyExists(to);
        }
        Deno.mkdirSync(dirname(to), { recursive: true });
        return Deno.renameSync(path, to);
      }
      default:
        step satisfies never;
    }
  });
}

/** Does a model's step by plain file calls, as the journal should have done it. */
export function doModel(root: string, step: ModelStep, number: number): void {
  for (const name of step.removes) can(() => Deno.removeSync(join(root, name)));
  for (const name of step.dirs) Deno.mkdirSync(join(root, name), { recursive: true });
  for (const name of step.writes) {
    Deno.mkdirSync(dirname(join(root, name)), { recursive: true });
    Deno.writeTextFileSync(join(root, name), textOf(number, name));
  }
}

/** Does a model's step through the journal. The id of its edit; empty if it was refused or changed nothing. */
export async function doEdit(
  journal: EditJournal,
  step: ModelStep,
  number: number,
): Promise<string> {
  const change = (name: string, after: EntryState): PathChange => ({
    path: join(journal.workspace, name),
    expected: "unchecked",
    after,
  });
  const changes = [
    ...step.removes.map((name) => change(name, { kind: "absent" })),
    ...step.dirs.map((name) => change(name, { kind: "dir" })),
    ...step.writes.map((name) =>
      change(name, { kind: "file", bytes: new TextEncoder().encode(textOf(number, name)), mode: 0 })
    ),
  ];
  try {
    return (await journal.edit({ tool: "write_file", callId: "c", turn: number, changes })).id;
  } catch (error) {
    if (error instanceof Error) return "";
    throw error;
  }
}

function can(act: () => unknown): boolean {
  try {
    act();
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error || error instanceof Deno.errors.IsADirectory) {
      return false;
    }
    if (error instanceof Deno.errors.AlreadyExists) return false;
    throw error;
  }
}
