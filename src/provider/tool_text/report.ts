/** What the model is told about a call that cannot be run: what is wrong, that nothing was done, and what would work. */
import { unknownTool } from "@/lib/unknown_tool.ts";
import type { Problem } from "./grammar.ts";
import { bareName, type KnownTools } from "./known_tools.ts";
import { printCall } from "./print_call.ts";

/** A piece of a reply that was meant as a call and is none. `text` is for the model, without a marker or "Not run". */
export type CallReport = {
  kind: "cut" | "unreadable" | "unknown_tool" | "in_reasoning" | "after_result";
  /** The tool, or what was written as its name when there is no such tool; undefined when no name could be read. */
  name?: string;
  /** What could be read of the arguments. */
  input: Record<string, unknown>;
  text: string;
};

export type ReportContext = {
  tools: KnownTools;
  reply: string;
  isLength: boolean;
  /** Whether calls are sent through an interface of the API and not as text. */
  isNative: boolean;
};

const AROUND_CHARS_MAX = 80;

/** The report on a problem that was found at a place of the reply. */
export function reportOf(
  problem: Problem,
  { start }: { start: number },
  context: ReportContext,
): CallReport {
  const { tools } = context;
  const tool = problem.name === undefined ? undefined : tools.resolve(problem.name);
  const name = tool ??
    (problem.kind === "cut" || problem.name === undefined ? undefined : bareName(problem.name));
  const base = { input: problem.input ?? {}, ...(name === undefined ? {} : { name }) };
  switch (problem.kind) {
    case "cut":
      return { ...base, kind: "cut", text: cutText(tool, problem.at - start, context) };
    case "unknown_tool":
      return {
        ...base,
        kind: "unknown_tool",
        text: unknownTool(bareName(problem.name ?? ""), tools.names),
      };
    case "data":
      return {
        ...base,
        kind: "unreadable",
        text: `what was sent is no call: it is a definition, a result or other data. ${
          example(tool, context)
        }`,
      };
    case "in_reasoning":
      return inReasoning(name);
    case "unreadable":
      return { ...base, kind: "unreadable", text: unreadableText(problem, tool, context) };
  }
}

/** The only call of a reply was a part of its reasoning. */
export function inReasoning(name: string | undefined): CallReport {
  return {
    kind: "in_reasoning",
    ...(name === undefined ? {} : { name }),
    input: {},
    text: "a call inside reasoning does not count. Send it again after the end of the reasoning",
  };
}

/** The only calls of a reply came after a result that the model made up. */
export function afterResult(name: string | undefined): CallReport {
  return {
    kind: "after_result",
    ...(name === undefined ? {} : { name }),
    input: {},
    text:
      "the reply contains a tool result that no tool gave, and what follows from it was not used. Send one call and wait for its real result",
  };
}

/** A call that was complete only after repairs, in a reply that reached the output limit. */
export function notSure(tool: string, context: ReportContext): string {
  return cutText(tool, undefined, context);
}

function cutText(
  tool: string | undefined,
  arrived: number | undefined,
  { isLength, isNative, tools }: ReportContext,
): string {
  const why = isLength ? "the reply reached the output limit" : "the reply ended";
  const count = arrived === undefined || arrived <= 0 ? "" : ` after ${arrived} characters of it`;
  const long = tool === undefined ? undefined : tools.rawParameters(tool)[0];
  const block = long === undefined || isNative ? "" : ` Put its text in a <${long}> block.`;
  return `${why} inside this call${count}, so that it is incomplete. Send less at once: a shorter text, an edit by anchors instead of a whole file, or the work in several calls.${block}`;
}

function unreadableText(
  problem: Problem,
  tool: string | undefined,
  context: ReportContext,
): string {
  const { reply } = context;
  const from = Math.max(0, problem.at - AROUND_CHARS_MAX / 2);
  const around = reply.slice(from, problem.at + AROUND_CHARS_MAX / 2).replace(/\s+/g, " ").trim();
  const place = around === "" ? "" : ` near ${JSON.stringify(around)}`;
  const expected = problem.expected === undefined ? "" : `: expected ${problem.expected}`;
  return `the call could not be read${place}${expected}. ${example(tool, context)}`;
}

/** The same call in the form that is taught, with its tool and its parameters. */
function example(tool: string | undefined, { tools, isNative }: ReportContext): string {
  if (isNative) return "Send it through the tool interface, with arguments that are valid JSON";
  const name = tool ?? tools.names[0];
  if (name === undefined) return "No tools are available";
  const required = tools.required(name);
  const names = required.length > 0 ? required : tools.parameters(name).slice(0, 1);
  const input = Object.fromEntries(names.map((parameter) => [parameter, "…"]));
  const printed = printCall({ name, input }, tools.rawParameters(name));
  return `${
    tool === undefined ? "A call looks like this" : "Send it again like this"
  }:\n${printed}`;
}
