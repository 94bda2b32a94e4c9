/** Steps that a person and a model take in a repository, for the property test of undo with commits. */
import { dirname, join } from "node:path";
import { fc } from "../../support/property.ts";
import type { Wanted } from "./repo_tree.ts";

const LINES = Array.from({ length: 12 }, (_, line) => `line ${line}`);

/** Files that are committed at first. */
export const INITIAL: Readonly<Record<string, string>> = {
  "a.txt": text(LINES),
  "d/b.txt": text(LINES),
  "w.crlf": LINES.map((line) => `${line}\r\n`).join(""),
  "bin": "one\0two\n",
  "run.sh": text(LINES),
  "f.lfs": text(LINES),
  ".gitattributes": "*.crlf text eol=crlf\n*.lfs filter=evil\n",
  ".gitignore": "*.log\n",
};
const FILES = [
  "a.txt",
  "d/b.txt",
  "w.crlf",
  "bin",
  "run.sh",
  "f.lfs",
  "x.log",
  "new.txt",
  "n/m.txt",
];

type Act =
  | { act: "line"; rel: string; line: number }
  | { act: "write" | "remove" | "add" | "unstage" | "rm-cached" | "touch"; rel: string }
  | { act: "stage-other"; rel: string; line: number }
  | { act: "chmod"; rel: string; mode: number }
  | { act: "move"; rel: string; to: string }
  | { act: "add-all" | "commit" | "commit-all" };
export type PersonStep = { by: "person" } & Act;
export type ModelStep = {
  by: "model";
  edits: readonly { rel: string; how: "line" | "insert" | "write" | "remove"; line: number }[];
};
export type Step = PersonStep | ModelStep;

const rel = fc.constantFrom(...FILES);
const line = fc.nat({ max: LINES.length - 1 });
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ act: fc.constant("line" as const), rel, line }) },
  {
    weight: 4,
    arbitrary: fc.record({
      act: fc.constantFrom("write", "remove", "add", "unstage", "rm-cached", "touch"),
      rel,
    }),
  },
  { weight: 2, arbitrary: fc.record({ act: fc.constant("add" as const), rel }) },
  fc.record({ act: fc.constant("stage-other" as const), rel, line }),
  fc.record({ act: fc.constant("chmod" as const), rel, mode: fc.constantFrom(0o644, 0o755) }),
  fc.record({ act: fc.constant("move" as const), rel, to: rel }),
  fc.record({ act: fc.constantFrom("add-all" as const, "commit" as const, "commit-all" as const) }),
);
const edit = fc.record({
  rel,
  how: fc.constantFrom(
    "line" as const,
    "line" as const,
    "insert" as const,
    "write" as const,
    "remove" as const,
  ),
  line,
});
const model = fc.uniqueArray(edit, { minLength: 1, maxLength: 2, selector: (one) => one.rel })
  .map((edits): ModelStep => ({ by: "model", edits }));

export const STEPS: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(act.map((one): PersonStep => ({ by: "person", ...one })), model),
  { minLength: 3, maxLength: 12 },
);

function text(lines: readonly string[]): string {
  return lines.map((one) => `${one}\n`).join("");
}

/** What an edit of the model's makes of a file; undefined where it cannot be made. */
export function wanted(
  now: string | undefined,
  { how, line }: ModelStep["edits"][number],
  number: number,
): Wanted | undefined {
  if (how === "remove") return now === undefined ? undefined : null;
  if (how === "write" || now === undefined) return `written in step ${number}\n`;
  const lines = now.split("\n");
  const at = Math.min(line, lines.length - 1);
  const ending = now.includes("\r\n") ? "\r" : "";
  lines.splice(at, how === "line" ? 1 : 0, `ai ${number}${ending}`);
  return lines.join("\n");
}

/** The person's own git; it throws where git refuses. */
export type PersonGit = (...args: string[]) => Promise<string>;

/** A person's step with what it came to, so that it can be repeated without the model's edits. */
export type Taken = { step: PersonStep; number: number };

/** Does a step of the person's. False where it could not be done, or did nothing. */
export async function doPerson(
  root: string,
  git: PersonGit,
  { step, number }: Taken,
): Promise<boolean> {
  try {
    return await tryPerson(root, git, { step, number });
  } catch (error) {
    if (
      error instanceof Error &&
      /^git |No such file|Not a directory|Is a directory|not empty/i.test(error.message)
    ) {
      return false;
    }
    throw error;
  }
}

async function tryPerson(root: string, git: PersonGit, { step, number }: Taken): Promise<boolean> {
  switch (step.act) {
    case "add-all":
      await git("add", "-A");
      return true;
    case "commit":
    case "commit-all":
      await git("commit", "-q", ...(step.act === "commit" ? [] : ["-a"]), "-m", `mine ${number}`);
      return true;
    default:
      return await onFile(root, git, { step, number });
  }
}

async function onFile(
  root: string,
  git: PersonGit,
  { step, number }: {
    step: Exclude<PersonStep, { act: "add-all" | "commit" | "commit-all" }>;
    number: number;
  },
): Promise<boolean> {
  const path = join(root, step.rel);
  switch (step.act) {
    case "line": {
      const lines = Deno.readTextFileSync(path).split("\n");
      if (step.line >= lines.length - 1) return false;
      lines[step.line] = `mine ${number}${lines[step.line]?.endsWith("\r") ? "\r" : ""}`;
      Deno.writeTextFileSync(path, lines.join("\n"));
      return true;
    }
    case "write":
      Deno.mkdirSync(dirname(path), { recursive: true });
      Deno.writeTextFileSync(path, `the person's ${number}\n`);
      return true;
    case "remove":
      Deno.removeSync(path);
      return true;
    case "touch":
      Deno.utimeSync(path, number + 1, number + 1);
      return true;
    case "chmod":
      Deno.chmodSync(path, step.mode);
      return true;
    case "move": {
      const to = join(root, step.to);
      if (exists(to) || !exists(path)) return false;
      Deno.mkdirSync(dirname(to), { recursive: true });
      Deno.renameSync(path, to);
      return true;
    }
    case "add":
      await git("add", "--", step.rel);
      return true;
    case "unstage":
      await git("reset", "-q", "--", step.rel);
      return true;
    case "rm-cached":
      await git("rm", "-q", "--cached", "--", step.rel);
      return true;
    case "stage-other": {
      const [mode = ""] = (await git("ls-files", "-s", "--", step.rel)).split(" ");
      if (mode === "") return false;
      const temp = join(root, ".git", "other");
      const lines = (await git("cat-file", "blob", `:${step.rel}`)).split("\n");
      lines[step.line % lines.length] = `staged ${number}`;
      Deno.writeTextFileSync(temp, lines.join("\n"));
      const id = (await git("hash-object", "-w", "--no-filters", temp)).trim();
      await git("update-index", "--cacheinfo", `${mode},${id},${step.rel}`);
      return true;
    }
    default:
      step satisfies never;
      return false;
  }
}

function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) {
      return false;
    }
    throw error;
  }
}
