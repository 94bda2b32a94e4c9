/**
 * `harness demo`: a scripted model at work in a scratch folder, which is removed afterwards. What was said stays, apart from
 * the person's own sessions, and can be reopened.
 */
import { join } from "@/lib/path.ts";
import { buildApp } from "@/app.ts";
import { enterAt } from "@/entry/enter.ts";
import type { RunOptions } from "@/compose/options.ts";
import { NOBODY } from "@/talk/nobody.ts";
import { acceptTerms, findPlace, type Place } from "@/compose/place.ts";
import { PersonError } from "@/protocol/error.ts";
import type { Approver } from "@/protocol/policy.ts";
import { statePaths } from "@/settings/paths.ts";
import { palette } from "@/terminal/color.ts";
import { LineWriter } from "@/terminal/line_writer.ts";
import { stdout, tell } from "@/terminal/process.ts";
import { EXIT } from "@/terminal/exit_code.ts";
import { exitCodeOf } from "@/terminal/result.ts";
import { transcript } from "@/terminal/transcript.ts";
import { type Act, ACTS, type DemoName, plant } from "./demo/acts.ts";

/** Run one: in a terminal as a conversation, else as a printed transcript. Resolves to the exit code. */
export async function demo(
  name: DemoName,
  { continue: isNewest, ...run }: RunOptions,
): Promise<number> {
  const real = await findPlace({});
  const act: Act = ACTS[name];
  const sessions = join(real.paths.demo, name);
  const resume = isNewest === true ? await newest(sessions, name) : run.resume;
  const scratch = await Deno.realPath(await Deno.makeTempDir({ prefix: "harness-demo-" }));
  try {
    const place = await scratchPlace(real, { scratch, sessions, act });
    const options = { ...act.run, ...run, ...(resume !== undefined && { resume }) };
    if (Deno.stdin.isTerminal() && Deno.stdout.isTerminal()) {
      const paths = { ...place.paths, acceptedTerms: real.paths.acceptedTerms };
      const first = resume === undefined ? act.request : undefined;
      return await enterAt({ ...place, paths }, options, first);
    }
    await acceptTerms(real, { warn: tell });
    return await printed(act, options, place);
  } finally {
    await Deno.remove(scratch, { recursive: true });
  }
}

async function newest(sessions: string, name: DemoName): Promise<string> {
  const { listSessions } = await import("@/session/find.ts");
  const [first] = (await listSessions(sessions)).sessions;
  if (first !== undefined) return first.id;
  const hint = `harness demo ${name} begins one`;
  throw new PersonError("state", `No session of this demo is saved`, hint);
}

/** A project, a home and a state directory of the demo's own; only its sessions stay. */
async function scratchPlace(
  real: Place,
  { scratch, sessions, act }: { scratch: string; sessions: string; act: Act },
): Promise<Place> {
  const [workspace, home, state] = ["project", "home", "state"].map((name) => join(scratch, name));
  if (workspace === undefined || home === undefined || state === undefined) throw new Error("few");
  for (const dir of [workspace, home]) await Deno.mkdir(dir);
  await Deno.mkdir(state, { mode: 0o700 });
  await plant(act, { project: workspace, home });
  const env = { ...real.env, HOME: home, HARNESS_HOME: state };
  const paths = { ...statePaths(env, workspace), sessions };
  return { env, workspace, stoodIn: workspace, paths };
}

async function printed(act: Act, run: RunOptions, place: Place): Promise<number> {
  const out = new LineWriter(stdout);
  const sink = transcript({
    out,
    paint: palette(false),
    showsText: true,
    showsThinking: () => false,
  });
  const app = await buildApp({
    run: { ...act.printed, ...run },
    place,
    isInteractive: false,
    needsModel: true,
    makeScreen: () => ({ ...NOBODY, approver: answering(out), sinks: [sink] }),
    warn: tell,
  });
  try {
    out.write(`you: ${act.request}\n`);
    const outcome = await app.say(act.request);
    for (const line of act.after) {
      const { ok, text } = await app.slash(line);
      out.break();
      out.write(`you: ${line}\n${text}\n`);
      if (!ok) return EXIT.failed;
    }
    return exitCodeOf(outcome);
  } finally {
    await app.close();
  }
}

/** Where nobody types, the supervisor is told no, and whom it hires is told yes. */
function answering(out: LineWriter): Approver {
  return (call, reason) => {
    const isYes = /^sub-agent \d/.test(reason);
    const input = call.tool.input.safeParse(call.input);
    const what = input.success ? call.tool.summary(input.data) : call.tool.name;
    out.break();
    out.write(`question: ${what}? (${reason}): ${isYes ? "yes" : "no"}\n`);
    return Promise.resolve(
      isYes ? { answer: "yes" } : { answer: "no", reason: "this demo says no" },
    );
  };
}
