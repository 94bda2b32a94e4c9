/** The `deepthink` vectors against the chain, its guard, its diff, and the whole program. */
import { join } from "node:path";
import { z } from "zod";
import { askBriefly } from "@/agent/ask_briefly.ts";
import {
  Chain,
  type Ended,
  MORE_WORK_NEEDED,
  proof,
  READ_ONLY,
  type Step,
} from "@/agent/deepthink.ts";
import { readOnly } from "@/agent/guards/read_only.ts";
import { withoutMarkers } from "@/agent/marker_filter.ts";
import { STAGES } from "@/lib/stages.ts";
import type { ToolSpec } from "@/protocol/tool.ts";
import { allTools, type ToolParts } from "@/tools/mod.ts";
import { Since } from "@/workspace/changes_since.ts";
import { Git } from "@/workspace/git.ts";
import { requestOf, user } from "../support/conversation.ts";
import { personGit } from "../support/git.ts";
import { withProcesses } from "../support/processes.ts";
import { says, scriptedProvider } from "../support/scripted_provider.ts";
import { sent, withApp } from "../support/whole_app.ts";
import { withWorkspace } from "../support/workspace.ts";
import type { Adapters } from "./adapter.ts";
import { firstOf, when } from "./first_of.ts";

const calm = new AbortController().signal;

const REPORT = z.strictObject({ report: z.string(), pass: z.number(), max: z.number() });

const deepthink = firstOf(
  when(z.strictObject({}), () => ({
    stages: STAGES,
    read_only: STAGES.filter((stage) => READ_ONLY.has(stage)),
  })),
  when(z.strictObject({ plan: z.string() }), ({ plan }) => chainOf(() => plan, true)),
  when(
    z.strictObject({ verdict: z.string() }),
    ({ verdict }, { expected }) => afterAnswer(verdict, Object.keys(expected)),
  ),
  when(REPORT, afterReport),
  when(
    z.strictObject({ git: z.boolean(), diff_since_build: z.literal("").optional() }),
    ({ git }) => chainOf((stage) => `${stage}.`, git),
  ),
  when(z.strictObject({ patch_chars: z.number() }), (given) => keptOf(given.patch_chars)),
  when(z.strictObject({ tool: z.string() }), ({ tool }) => runsInStage(tool)),
  when(
    z.strictObject({ run_cmd_results: z.array(z.string()) }),
    (given) => noteOf(given.run_cmd_results),
  ),
);

export const adapters: Adapters = { deepthink };

/** How many stages the whole program goes through, and what it answers in the end. */
async function chainOf(say: (stage: string) => string, isGit: boolean): Promise<unknown> {
  let stages = 0;
  let answer = "";
  const script = (body: unknown) => {
    const { system, texts } = sent(body);
    if (system.startsWith("You answer")) {
      return { text: (texts[0] ?? "").includes("report") ? "NO" : "YES" };
    }
    const number = [...texts.join("\n").matchAll(/^\[Deepthink (\d)\/6 - /gm)].at(-1)?.[1];
    return { text: say(STAGES[Number(number) - 1] ?? "") };
  };
  await withApp(script, async ({ app, events }) => {
    ({ answer } = await app.say("Do it."));
    stages = events.filter((event) =>
      event.type === "notice" && /^Deepthink \d\/6:/.test(event.text)
    ).length;
  }, {
    run: { auto: true, set: ["DEEPTHINK=true"] },
    plant: (dir) => isGit ? repository(dir) : Promise.resolve(),
  });
  return { stages_run: stages, answer };
}

function repository(dir: string): Promise<void> {
  return withProcesses(async (processes) => {
    await personGit(processes, dir, "init");
    await personGit(processes, dir, "commit", "--allow-empty", "-m", "first");
  });
}

async function afterAnswer(verdict: string, asked: readonly string[]): Promise<unknown> {
  const reply = verdict === "exception"
    ? { events: [], fault: new Error("no answer") }
    : says(verdict);
  const answer = await askBriefly(scriptedProvider([reply]), {
    ...{ model: "m", system: "s", text: "t", signal: calm },
    onUsage: () => {},
  });
  if (asked.includes("build")) {
    const step = new Chain(3).next({ stage: "plan", isMarked: false, answer });
    return { build: step.kind === "stage" };
  }
  const step = atVerify(3, 1).next({ stage: "verify", isMarked: false, answer });
  return { another_pass: step.kind === "stage" };
}

/** A chain that is at its last stage. */
function atVerify(passesMax: number, pass: number): Chain {
  const chain = new Chain(passesMax);
  const whole: Ended[] = [
    { stage: "plan", isMarked: false, answer: "" },
    { stage: "check" },
    { stage: "build", isUnchanged: false },
    { stage: "review" },
    { stage: "revise" },
  ];
  for (let at = 1; at <= pass; at += 1) {
    for (const ended of whole) chain.next(ended);
    if (at < pass) chain.next({ stage: "verify", isMarked: true, answer: "" });
  }
  return chain;
}

async function afterReport(
  { report, pass, max }: z.infer<typeof REPORT>,
): Promise<unknown> {
  let isMarked = false;
  const provider = withoutMarkers(scriptedProvider([says(report)]), () => ({
    marker: MORE_WORK_NEEDED,
    instead: "",
    heard: () => {
      isMarked = true;
    },
  }));
  let text = "";
  for await (const event of provider.stream(requestOf("m", [user("hi")], {}), calm)) {
    if (event.type === "delta") text += event.text;
  }
  const step: Step = atVerify(max, pass).next({ stage: "verify", isMarked, answer: "" });
  const next = step.kind === "over"
    ? "stop"
    : `stage ${STAGES.indexOf(step.stage) + 1} of pass ${step.pass}`;
  return { next, answer: text.trim() };
}

/** How much of a diff is left beside the note, of a file whose one line is that long. */
async function keptOf(chars: number): Promise<unknown> {
  let kept = 0;
  await withWorkspace((dir) =>
    withProcesses(async (processes) => {
      const file = join(dir, "long.txt");
      await Deno.writeTextFile(file, "short");
      await personGit(processes, dir, "init");
      await personGit(processes, dir, "add", ".");
      await personGit(processes, dir, "commit", "-m", "first");
      const since = await Since.now(new Git(processes, { workspace: dir }), calm);
      await Deno.writeTextFile(file, "x".repeat(chars));
      const pieces = (await since.diff(calm)).split(/\n\[\d+ lines \(\d+ characters\) .*\]\n/);
      if (pieces.length === 2) kept = pieces.join("").length;
    })
  );
  return { kept };
}

function runsInStage(name: string): unknown {
  const tool: ToolSpec | undefined = allTools({} as ToolParts).find((tool) => tool.name === name);
  if (tool === undefined) return undefined;
  const effect = tool.effect({});
  const guard = readOnly(() => true, "this stage");
  const subject = { kind: "none" } as const;
  return {
    runs: guard({ id: "c", tool, input: {}, effect, subject, outside: false }) === undefined,
  };
}

function noteOf(results: readonly string[]): unknown {
  const ran = results.map((text) => ({ command: "c", isOk: !text.startsWith("[Error]") }));
  return { note: /ran no command|\d+\/\d+ failed/.exec(proof(ran).text)?.[0] };
}
