/** The `sessions.*` vectors against src/session, and the command line's part of them against the program. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { createFree } from "@/session/create.ts";
import { findSession, newestSession, NotOneSession } from "@/session/find.ts";
import { encodeRecord } from "@/session/record.ts";
import { cleanTitle, slugOf } from "@/session/title.ts";
import type { DurableEvent } from "@/protocol/event.ts";
import { withWorkspace } from "../support/workspace.ts";
import type { Adapter } from "./adapter.ts";

const titleInput = z.strictObject({ raw: z.string() });
const slugInput = z.strictObject({
  title: z.string(),
  existing: z.array(z.string()).optional(),
});
const queryInput = z.strictObject({
  sessions: z.array(z.tuple([z.string(), z.string()])),
  query: z.string(),
});
const placeInput = z.strictObject({
  sessions: z.array(
    z.strictObject({ id: z.string(), cwd: z.string().nullable(), updated: z.string() }),
  ),
  cwd: z.string(),
});
const argvInput = z.strictObject({ argv: z.array(z.string()) });

const title: Adapter = (input) => ({ title: cleanTitle(titleInput.parse(input).raw) });

const slug: Adapter = async (input) => {
  const { title, existing } = slugInput.parse(input);
  const made = slugOf(title);
  if (existing === undefined) return { slug: made };
  return await inTemp(async (dir) => {
    for (const id of existing) await Deno.writeTextFile(join(dir, `${id}.jsonl`), "");
    const { id, file } = await createFree(dir, made);
    file.close();
    return { id };
  });
};

const find: Adapter = async (input) => {
  const query = queryInput.safeParse(input);
  if (query.success) return await inTemp((dir) => byQuery(dir, query.data));
  const place = placeInput.safeParse(input);
  if (place.success) return await inTemp((dir) => byPlace(dir, place.data));
  const line = argvInput.safeParse(input);
  return line.success ? await inTemp((dir) => byCommandLine(dir, line.data.argv)) : undefined;
};

async function byQuery(
  dir: string,
  { sessions, query }: z.infer<typeof queryInput>,
): Promise<unknown> {
  for (const [index, [id, title]] of sessions.entries()) {
    // Listed newest first, so in the order given.
    await writeSession(dir, { id, title, cwd: "/p", at: `2026-01-01T00:00:${59 - index}.000Z` });
  }
  try {
    return { matches: [(await findSession(dir, query)).id], cli: "resume" };
  } catch (error) {
    if (!(error instanceof NotOneSession)) throw error;
    return { matches: error.candidates.map(({ id }) => id), cli: `exit ${exitCode(error)}` };
  }
}

async function byPlace(
  dir: string,
  { sessions, cwd }: z.infer<typeof placeInput>,
): Promise<unknown> {
  for (const { id, cwd, updated } of sessions) {
    await writeSession(dir, { id, title: "", cwd, at: updated });
  }
  try {
    return { id: (await newestSession(dir, cwd)).id };
  } catch (error) {
    if (!(error instanceof NotOneSession)) throw error;
    return { exit: exitCode(error) };
  }
}

/** As the program does: wrong usage is 2, every other failure 1. */
function exitCode(error: NotOneSession): number {
  return error.kind === "usage" ? 2 : 1;
}

async function writeSession(
  dir: string,
  { id, title, cwd, at }: { id: string; title: string; cwd: string | null; at: string },
): Promise<void> {
  const events: DurableEvent[] = [{ type: "title", title }];
  if (cwd !== null) events.unshift({ type: "session", uid: `uid-of-${id}`, cwd, profile: "" });
  const lines = events.map((event) => encodeRecord({ v: 1, at, event }));
  await Deno.writeTextFile(join(dir, `${id}.jsonl`), lines.join(""));
}

const MAIN = fileURLToPath(new URL("../../main.ts", import.meta.url));

/**
 * Runs the program where there is no session. A spelling is accepted when the program gets as far as saying so; wrong
 * usage counts when it is about these two options and not about anything else.
 */
async function byCommandLine(home: string, argv: readonly string[]): Promise<unknown> {
  if (!await exists(MAIN)) return undefined;
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-q",
      "--no-prompt",
      "-R",
      "-W",
      "-E",
      "-S",
      "--allow-run",
      MAIN,
      ...argv,
      "-p",
      "hello",
    ],
    cwd: home,
    env: { HARNESS_HOME: home, HARNESS_ACCEPT_TERMS: "1", NO_COLOR: "1" },
    stdin: "null",
  }).output();
  const said = new TextDecoder().decode(stderr);
  if (code === 2 && said.includes("-c and -r")) return { exit: 2 };
  if (code === 1 && said.includes("No session ")) return { accepted: true };
  throw new Error(`the program ended with ${code} and said: ${said}`);
}

async function exists(path: string): Promise<boolean> {
  try {
    await Deno.lstat(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

async function inTemp(body: (dir: string) => Promise<unknown>): Promise<unknown> {
  let outcome: unknown;
  await withWorkspace(async (dir) => {
    outcome = await body(dir);
  });
  return outcome;
}

export const adapters: Record<string, Adapter> = {
  "sessions.title": title,
  "sessions.slug": slug,
  "sessions.find": find,
};
