/** The `settings.parse` and `terms` vectors against src/settings. */
import { join } from "node:path";
import { z } from "zod";
import { PersonError } from "@/protocol/error.ts";
import { parseSetting } from "@/settings/parse.ts";
import { limitOf } from "@/settings/settings.ts";
import { loadSettings } from "@/settings/store.ts";
import { requireTerms } from "@/settings/terms.ts";
import { withWorkspace } from "../support/workspace.ts";
import type { Adapter } from "./adapter.ts";

const typedInput = z.strictObject({
  name: z.string(),
  current: z.unknown().optional(),
  raw: z.string().default("1"),
});
const stepsInput = z.strictObject({ steps: z.array(z.string()) });
const fileInput = z.strictObject({ file: z.unknown() });
const limitInput = z.strictObject({ MAX_TOOL_CALLS: z.number() });

/** More calls than anybody makes in a turn. */
const MANY_CALLS = 1_000_000;

const settingsParse: Adapter = async (input) => {
  const steps = stepsInput.safeParse(input);
  if (steps.success) return await inTemp((file) => afterSteps(file, steps.data.steps));
  const stored = fileInput.safeParse(input);
  if (stored.success) return await inTemp((file) => applied(file, stored.data.file));
  const limit = limitInput.safeParse(input);
  if (limit.success) return { asks: MANY_CALLS >= limitOf(limit.data.MAX_TOOL_CALLS) };
  const typed = typedInput.safeParse(input);
  if (!typed.success) return undefined;
  const parsed = parseSetting(typed.data.name, typed.data.raw);
  return parsed.kind === "refused" ? { refused: true } : parsed;
};

async function afterSteps(file: string, steps: readonly string[]): Promise<unknown> {
  const { store } = await loadSettings({ file });
  for (const step of steps) {
    const [name = "", ...text] = step.split(" ");
    await store.set(name, text.join(" "));
  }
  return { file: JSON.parse(await Deno.readTextFile(file)) };
}

async function applied(file: string, content: unknown): Promise<unknown> {
  await Deno.writeTextFile(file, typeof content === "string" ? content : JSON.stringify(content));
  const { store } = await loadSettings({ file });
  const changed = store.rows().filter(({ isChanged }) => isChanged)
    .map(({ name }) => [name, store.current[name]] as const);
  return { applied: Object.fromEntries(changed) };
}

const termsInput = z.strictObject({
  env: z.string().optional(),
  tty: z.boolean().default(false),
  record: z.unknown().optional(),
  answer: z.string().default(""),
});

const terms: Adapter = async (input) => {
  const { env, tty, record, answer } = termsInput.parse(input);
  return await inTemp(async (file) => {
    if (record !== undefined) {
      await Deno.writeTextFile(file, typeof record === "string" ? record : JSON.stringify(record));
    }
    try {
      await requireTerms({
        file,
        env: env === undefined ? {} : { HARNESS_ACCEPT_TERMS: env },
        ...(tty ? { ask: () => Promise.resolve(answer) } : {}),
      });
      return { starts: true };
    } catch (error) {
      if (error instanceof PersonError && error.kind === "terms") return { starts: false };
      throw error;
    }
  });
};

async function inTemp(body: (file: string) => Promise<unknown>): Promise<unknown> {
  let outcome: unknown;
  await withWorkspace(async (dir) => {
    outcome = await body(join(dir, "file.json"));
  });
  return outcome;
}

export const adapters: Record<string, Adapter> = { "settings.parse": settingsParse, terms };
