/** A check that a project declares: what is run after a turn that changed a file of it. */
import { seenFrom } from "@/lib/path_within.ts";

/** A check. Two with the same name and root are the same check. */
export type Check = {
  /** What it is called: "pytest", "npm test". */
  name: string;
  /** Where it runs; a real path. */
  root: string;
  /** A name on `PATH`, or an absolute path in the project. */
  program: string;
  args: readonly string[];
  /** What it has to be told besides, by variables. */
  env?: Readonly<Record<string, string>>;
  /** Exit codes besides 0 that are no failure. */
  okCodes?: readonly number[];
  /** What it prints when there is not one test yet, which is no failure. */
  noTests?: RegExp;
  /** What it prints when it could not run at all, which says nothing about the change; a group `why` is what is told of it. */
  unable?: RegExp;
};

/** What tells checks apart. */
export function checkKey({ name, root }: Check): string {
  return `${name}\0${root}`;
}

/** The command line, as it is shown and as rules see it. */
export function commandLine({ root, program, args }: Check): string {
  return [seenFrom(root, program), ...args].map(quoted).join(" ");
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
