/** The terms of use: shown and asked once, before anything else starts. */
import { PersonError } from "@/protocol/error.ts";
import { ensureDir, writeFileAtomic } from "@/lib/atomic_write.ts";
import { fileErrorReason } from "@/lib/file_error.ts";
import { isObject } from "@/lib/json.ts";
import { readJsonFile } from "@/lib/json_file.ts";
import type { Env } from "@/settings/paths.ts";
import { dirname } from "@/lib/path.ts";

/** Rises when the terms change in what they mean; an older acceptance then counts no more. */
const TERMS_VERSION = 1;

/** What is shown before the question. */
export const TERMS_TEXT = `Before the first start

harness lets a language model work on this computer: it runs commands and changes
files at the model's suggestion, with your rights. Models make mistakes. Read what
you approve, and keep backups of what you cannot lose.

harness is free software under the Apache License 2.0 (see LICENSE). It comes as it
is, without warranty of any kind; its authors are not liable for damage or lost data
that comes of using it. Accepting adds nothing to that licence, and declining takes
nothing away from it.`;

/** What is asked after it. */
export const TERMS_QUESTION = "Do you accept this? [y/N] ";

/** Where the answer comes from. */
export type TermsOptions = {
  /** The record of an earlier answer. */
  file: string;
  env: Env;
  /** Shows the text and asks; absent when there is no terminal. */
  ask?(text: string, question: string): Promise<string>;
  now?(): Date;
};

const YES: ReadonlySet<string> = new Set(["y", "yes"]);
const ENV_YES: ReadonlySet<string> = new Set(["1", "true", "yes"]);

/**
 * Returns when the terms are accepted, with a notice when the answer could not be kept. Throws PersonError of kind
 * "terms" when they are declined, or when there is nobody to ask.
 */
export async function requireTerms(options: TermsOptions): Promise<readonly string[]> {
  const { file, env, ask } = options;
  if (isAcceptedByEnv(env) || await isAcceptedInFile(file)) return [];
  if (ask === undefined) {
    throw new PersonError(
      "terms",
      "Not started: the terms of use were never accepted here, and there is no terminal to ask in",
      "Start harness once in a terminal, or set HARNESS_ACCEPT_TERMS=1 to accept them: it runs " +
        "commands and changes files at a model's suggestion, without warranty (Apache License 2.0)",
    );
  }
  if (!isYes(await ask(TERMS_TEXT, TERMS_QUESTION))) {
    throw new PersonError("terms", "Not started: the terms of use were not accepted");
  }
  return await keepAcceptance(file, options.now?.() ?? new Date());
}

/** Only "y" and "yes" are an agreement. */
export function isYes(answer: string): boolean {
  return YES.has(answer.trim().toLowerCase());
}

/** Whether an answer is a plain no, and not something that was typed for another purpose. */
export function isNo(answer: string): boolean {
  return /^(no?)?$/i.test(answer.trim());
}

/** Whether HARNESS_ACCEPT_TERMS answers for the person. */
function isAcceptedByEnv(env: Env): boolean {
  return ENV_YES.has((env["HARNESS_ACCEPT_TERMS"] ?? "").trim().toLowerCase());
}

/** Whether a record says so. One that is damaged or cannot be read is no acceptance. */
async function isAcceptedInFile(file: string): Promise<boolean> {
  return (await readJsonFile(file, { read: saysYes, empty: () => false })).value;
}

/** By hand: it is one number, and every start looks at it. */
function saysYes(record: unknown): boolean {
  return isObject(record) && typeof record.version === "number" && record.version >= TERMS_VERSION;
}

async function keepAcceptance(file: string, now: Date): Promise<readonly string[]> {
  try {
    await ensureDir(dirname(file));
    const record = { version: TERMS_VERSION, accepted: now.toISOString() };
    await writeFileAtomic(file, `${JSON.stringify(record, null, 2)}\n`);
    return [];
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return [
      `The acceptance of the terms cannot be kept (${
        fileErrorReason(error)
      }); it will be asked again`,
    ];
  }
}
