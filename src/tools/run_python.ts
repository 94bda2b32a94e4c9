/** Run Python in a process that remembers. */
import * as z from "zod";
import { clipEnd } from "@/lib/clip.ts";
import { systemNote } from "@/lib/tool_result.ts";
import type { ToolResult, ToolSpec } from "@/protocol/tool.ts";
import { vmResult } from "@/python/outcome_text.ts";
import type { PythonVm } from "@/python/vm.ts";
import { stripPrefixes } from "@/workspace/hashline.ts";
import { defineTool, failed } from "./spec.ts";

const CODE_CHARS_SHOWN = 60;

/** What the tool works with. */
export type PythonParts = {
  vm: PythonVm;
  /** What of a snippet's output is shown: VM_OUTPUT_CHARS. */
  outputCharsMax: () => number;
  /** Connections that were refused since this was last asked, a line each. */
  takeRefusals?: () => readonly string[];
};

const YES = /^(?:true|yes|on|1)$/i;
const NO = /^(?:false|no|off|0|)$/i;

/** Models write flags as words as well. */
const FLAG = z.preprocess((value) => {
  const word = String(value).trim();
  return YES.test(word) ? true : NO.test(word) ? false : value;
}, z.boolean());

export const runPython = (python: PythonParts): ToolSpec =>
  defineTool({
    name: "run_python",
    description:
      "Run Python in a process that keeps what it defines between calls; returns what is printed and the value of the last " +
      "expression. The project can be imported.",
    input: z.object({
      content: z.string().optional(),
      stdin: z.string().optional().describe("Answers for input(), one a line"),
      reset: FLAG.optional().describe("Forget all definitions first").meta({
        type: "boolean",
      }),
    }),
    raw: ["content", "stdin"],
    aliases: { content: ["code", "source", "script"], stdin: ["input"] },
    otherNames: ["python", "execute_python", "python_repl", "code_interpreter"],
    process: () => "inside",
    effect: () => "changes",
    subject: () => ({ kind: "none" }),
    summary: ({ content = "", reset }, result) => summary(codeOf(content), reset === true, result),
    async preview({ content = "", stdin = "", reset }) {
      const found = await python.vm.interpreter();
      const own = found?.isOfProject === true ? ", this project's own Python" : "";
      // Never the code alone: it could look like a diff, which is drawn in another way.
      const who = found === undefined ? "# no Python is found here\n" : `# ${found.path}${own}\n`;
      const first = reset === true ? "# first, everything that was defined is forgotten\n" : "";
      const answers = stdin === ""
        ? ""
        : `\n# answers for input():\n${stdin.replace(/^/gm, "#   ")}`;
      return `${who}${first}${codeOf(content)}${answers}`;
    },
    async run({ content = "", stdin = "", reset = false }, host) {
      const code = codeOf(content);
      if (code.trim() === "" && !reset) {
        return failed("There is no code to run: content is empty");
      }
      const watch = { signal: host.signal, onOutput: (text: string) => host.output(text) };
      const outcome = await python.vm.run({ code, stdin, reset }, watch);
      const result = vmResult(outcome, python.outputCharsMax());
      const refused = python.takeRefusals?.() ?? [];
      if (refused.length === 0) return result;
      return { ...result, text: [result.text, ...refused.map(systemNote)].join("\n") };
    },
  });

/** Rows of a listing lose their numbers; they were copied out of read_file. */
function codeOf(content: string): string {
  return stripPrefixes(content);
}

function summary(code: string, isReset: boolean, result: ToolResult | undefined): string {
  const lines = code.trim().split("\n");
  const shown = lines.length === 1
    ? `Python: ${clipEnd(lines[0] ?? "", CODE_CHARS_SHOWN)}`
    : `${lines.length} lines of Python`;
  const what = code.trim() === "" && isReset ? "Python from a clean start" : shown;
  if (result === undefined) return `run ${what}`;
  const { raised, lost } = result.meta ?? {};
  if (lost !== undefined) return `ran ${what}; Python was lost with all variables`;
  if (raised !== undefined) return `ran ${what}, which raised ${raised}`;
  if (result.status === "ok") return `ran ${what}`;
  return result.status === "interrupted" ? `did not finish ${what}` : `did not run ${what}`;
}
