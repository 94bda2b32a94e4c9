/** The `subagent` vectors against the whole program. */
import { join } from "node:path";
import { z } from "zod";
import { resultText } from "@/lib/tool_result.ts";
import type { TurnOutcome } from "@/protocol/outcome.ts";
import type { ScriptedReply } from "../support/scripted_reply.ts";
import { sent, type WholeAppOptions, withApp } from "../support/whole_app.ts";
import type { Adapters } from "./adapter.ts";
import { firstOf, when } from "./first_of.ts";

const subagent = firstOf(
  when(z.strictObject({ tool: z.string(), depth: z.literal(1) }), ({ tool }) => withheld(tool)),
  when(z.strictObject({ turns: z.number() }), ({ turns }) => beyond(turns)),
  when(z.strictObject({ replies: z.array(z.string()) }), ({ replies }) => reportOf(replies)),
  when(z.strictObject({ task: z.string() }), ({ task }) => startOfResult(task)),
  when(z.strictObject({ deny: z.array(z.string()) }), ({ deny }) => denied(deny)),
  when(
    z.strictObject({ tool_results_chars: z.number() }),
    (given) => overflows(given.tool_results_chars),
  ),
);

export const adapters: Adapters = { subagent };

type Seen = { outcome: TurnOutcome; bodies: readonly unknown[] };

/** A conversation that hires one agent, whose replies are given by their number. */
async function hired(
  agent: (index: number) => ScriptedReply,
  { task = "Do the job.", ...options }: WholeAppOptions & { task?: string } = {},
): Promise<Seen> {
  let seen: Seen | undefined;
  let asked = 0;
  let index = 0;
  const script = (body: unknown): ScriptedReply => {
    if (sent(body).system.startsWith("You were hired")) return agent(index++);
    asked += 1;
    return asked > 1 ? { text: "Done." } : call("spawn_agent", { task });
  };
  await withApp(script, async ({ app, api }) => {
    const outcome = await app.say("Hire somebody.");
    const bodies = api.bodies.filter((body) => sent(body).system.startsWith("You were hired"));
    seen = { outcome, bodies };
  }, { run: { auto: true }, ...options });
  if (seen === undefined) throw new Error("Nothing was said");
  return seen;
}

const call = (name: string, given: Record<string, unknown>): ScriptedReply => ({
  calls: [{ name, arguments: given }],
});
const report = ({ outcome }: Seen) => outcome.calls[0]?.result;

const GIVEN: Readonly<Record<string, Record<string, unknown>>> = {
  get_user_input: { questions: ["Which?"] },
  spawn_agent: { task: "You do it." },
};

async function withheld(tool: string): Promise<unknown> {
  const { bodies } = await hired((index) =>
    index === 0 ? call(tool, GIVEN[tool] ?? {}) : { text: "Report." }
  );
  const { tools } = sent(bodies[0]);
  const result = sent(bodies[1]).texts.at(-1) ?? "";
  return { offered: tools.includes(tool), result_starts: /^\[\w+\]/.exec(result)?.[0] };
}

/** Of an agent that would go on for ever: requests beyond its turns, and whether they offer tools. */
async function beyond(turns: number): Promise<unknown> {
  const { bodies } = await hired((index) => call("list_dir", { dirpath: `d${index}` }), {
    run: { auto: true, set: [`SUBAGENT_MAX_TURNS=${turns}`] },
  });
  const more = bodies.slice(turns);
  return { extra_request: more.length, tools: more.some((body) => sent(body).tools.length > 0) };
}

async function reportOf(replies: readonly string[]): Promise<unknown> {
  const seen = await hired((index) => ({ text: replies[index] ?? "Too many." }));
  const isNone = /wrote no report/.test(report(seen)?.text ?? "");
  return { nudges: seen.bodies.length - 1, report: isNone ? "says none" : report(seen)?.text };
}

async function startOfResult(task: string): Promise<unknown> {
  const { outcome } = await hired(() => ({ text: "Report." }), { task });
  const [first] = outcome.calls;
  return { starts_with: first && /^\[\w+\]/.exec(resultText(first.result, first.call))?.[0] };
}

async function denied(deny: readonly string[]): Promise<unknown> {
  let isThere = false;
  const { bodies } = await hired(
    (index) => index === 0 ? call("delete_file", { filepath: "a.txt" }) : { text: "Report." },
    {
      run: { auto: true, deny: [...deny] },
      plant: async (dir) => {
        await Deno.writeTextFile(join(dir, "a.txt"), "a\n");
        isThere = true;
      },
    },
  );
  const said = sent(bodies[1]).texts.at(-1) ?? "";
  const isRefused = isThere && said.startsWith("[System] Nothing was done");
  return { sub_agent_delete: isRefused ? "refused" : said };
}

/** An agent that reads files of together that many characters. */
async function overflows(chars: number): Promise<unknown> {
  const files = 40;
  const line = `${"word ".repeat(20)}\n`;
  const text = line.repeat(Math.ceil(chars / files / line.length));
  const seen = await hired(
    (index) => index < files ? call("read_file", { filepath: `f${index}.txt` }) : { text: "Read." },
    {
      run: { auto: true, set: [`SUBAGENT_MAX_TURNS=${files + 1}`] },
      plant: async (dir) => {
        for (let at = 0; at < files; at += 1) {
          await Deno.writeTextFile(join(dir, `f${at}.txt`), text);
        }
      },
    },
  );
  const isWhole = report(seen)?.status === "ok" && report(seen)?.text === "Read.";
  return { overflow: !isWhole };
}
