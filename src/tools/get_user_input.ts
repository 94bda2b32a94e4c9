/** Ask the person one or more questions. */
import * as z from "zod";
import { clipEnd } from "@/lib/clip.ts";
import { counted } from "@/lib/counted.ts";
import { parsedJson } from "@/lib/json.ts";
import type { ToolHost, ToolSpec } from "@/protocol/tool.ts";
import { defineTool, denied, failed, ok } from "./spec.ts";

/** More at once is an interrogation. */
const QUESTIONS_MAX = 10;
/** Of a question, and of each answer, in the card. */
const QUESTION_CHARS_SHOWN = 80;
const ANSWER_CHARS_SHOWN = 60;

const one = z.object({
  question: z.string().trim().min(1),
  options: z.array(z.string().trim().min(1)).optional(),
});

/** As models write them: with options, or as a text alone. */
const each = z.union([one, z.string().trim().min(1)]);

type Asked = { text: string; options: readonly string[] };
type Given = string | z.infer<typeof one>;

export const getUserInput: ToolSpec = defineTool({
  name: "get_user_input",
  asksPerson: true,
  description:
    "Ask the user what only they can answer. They may choose an option or answer in their own words.",
  input: z.object({
    questions: z.union([z.array(each).max(QUESTIONS_MAX), each]).optional(),
    // How models ask one question out of habit.
    prompt: z.string().optional(),
    options: z.array(z.string().trim().min(1)).optional(),
  }),
  shownAs: { questions: z.array(one).optional() },
  hidden: ["prompt", "options"],
  aliases: { questions: ["query"], prompt: ["question", "what_do", "message"] },
  otherNames: ["ask_user", "ask_user_question"],
  effect: () => "reads",
  subject: () => ({ kind: "none" }),
  summary: (input, result) => {
    const [first, ...more] = asked(input);
    const what = first === undefined || more.length > 0
      ? counted(first === undefined ? 0 : more.length + 1, "question")
      : JSON.stringify(clipEnd(first.text.replace(/\s+/g, " "), QUESTION_CHARS_SHOWN));
    if (result === undefined) return `ask ${what}`;
    const { answers } = result.meta ?? {};
    return answers === undefined ? `asked ${what}` : `asked ${what}: ${answers}`;
  },
  async run(input, host) {
    const questions = asked(input);
    if (questions.length === 0) return failed("Nothing was asked: questions is empty");
    const answers = await answered(questions, host);
    const listed = questions.length === 1
      ? answers[0] ?? ""
      : answers.map((answer, at) => `${at + 1}. ${questions[at]?.text}: ${answer}`).join("\n");
    if (answers.length === questions.length) {
      return ok(listed, { meta: { answers: shown(answers) } });
    }
    const rest = questions.slice(answers.length).map(({ text }) => `"${text}"`).join(", ");
    return denied(
      `The user did not answer ${rest}. Go on with what you know, and say what you assumed.` +
        (answers.length === 0 ? "" : ` What they did answer:\n${listed}`),
    );
  },
});

/** Answers as the card shows them. */
function shown(answers: readonly string[]): string {
  return answers.map((answer) => clipEnd(answer.replace(/\s+/g, " "), ANSWER_CHARS_SHOWN)).join(
    "; ",
  );
}

function asked(
  { questions = [], prompt = "", options = [] }: {
    questions?: readonly Given[] | Given | undefined;
    prompt?: string | undefined;
    options?: readonly string[] | undefined;
  },
): readonly Asked[] {
  const given = listOf(questions).map((each) =>
    typeof each === "string"
      ? { text: each, options: [] }
      : { text: each.question, options: each.options ?? [] }
  );
  if (given.length > 0) return given;
  return prompt.trim() === "" ? [] : [{ text: prompt.trim(), options }];
}

/** A list in the form of its JSON text is that list. */
function listOf(questions: readonly Given[] | Given): readonly Given[] {
  if (typeof questions === "string") {
    const read = z.union([z.array(each), one]).safeParse(parsedJson(questions));
    return read.success ? [read.data].flat() : [questions];
  }
  return "question" in questions ? [questions] : questions;
}

/** One at a time: what was answered before somebody stopped still counts. */
async function answered(questions: readonly Asked[], host: ToolHost): Promise<readonly string[]> {
  const answers: string[] = [];
  for (const [at, { text, options }] of questions.entries()) {
    const place = questions.length === 1 ? "" : `(${at + 1} of ${questions.length}) `;
    const [answer = ""] = await host.ask([{ text: place + text, options, freeText: true }]) ?? [];
    if (answer.trim() === "") break;
    answers.push(answer.trim());
  }
  return answers;
}
