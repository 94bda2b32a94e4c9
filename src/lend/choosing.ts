/** A choice put to the person: in a picker where there is one, else as a question with options. */
import type { ScreenParts } from "@/compose/parts.ts";
import type { Question } from "@/protocol/policy.ts";

/** A question whose options have more to say. */
export type Choice = Question & {
  /** Of each option, in their order. */
  details?: readonly string[];
  /** The option that holds now. */
  current?: string | undefined;
};

const OWN_WORDS = "another …";

/** The chosen option, or the person's own words where they may use them; undefined when they choose nothing. */
export async function chooseOn(
  { pick, asker }: Pick<ScreenParts, "pick" | "asker">,
  choice: Choice,
): Promise<string | undefined> {
  const never = new AbortController().signal;
  const ask = async (question: Question) => (await asker([question], never))?.[0];
  const { text, options, freeText, details, current } = choice;
  if (pick === undefined || options.length === 0) {
    return await ask({ text, options, ...(freeText === undefined ? {} : { freeText }) });
  }
  const takesWords = freeText !== false;
  const picked = await pick({
    title: text,
    rows: [
      ...options.map((label, at) => ({
        label,
        isCurrent: label === current,
        ...(details?.[at] === undefined ? {} : { detail: details[at] }),
      })),
      ...(takesWords ? [{ label: OWN_WORDS }] : []),
    ],
    current: Math.max(0, options.indexOf(current ?? "")),
  });
  if (picked.isCancelled) return undefined;
  return options[picked.row] ?? await ask({ text, options: [] });
}
