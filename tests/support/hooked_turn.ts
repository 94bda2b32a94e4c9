/** A turn of a scripted model with the person's programs around it, and what came of its calls. */
import { join } from "node:path";
import type { Approver } from "@/protocol/policy.ts";
import type { RunOptions } from "@/compose/options.ts";
import type { Script } from "./fake_api.ts";
import { sent, type WholeApp, withApp } from "./whole_app.ts";

export type Entry = Record<string, unknown>;
export type Hooks = Record<string, readonly { matcher?: string; hooks: readonly Entry[] }[]>;

type World = {
  hooks?: Hooks | string;
  calls?: readonly { name: string; arguments: Record<string, unknown> }[];
  yes?: boolean;
  run?: RunOptions;
  plant?(dir: string): Promise<void>;
  more?: number;
  /** In the place of what `calls` and `more` make. */
  script?: Script;
};

/** A declaration of a line for the shell. */
export const shell = (command: string, more: Entry = {}): Entry => ({
  type: "command",
  command,
  ...more,
});
/** Before every call. */
export const before = (command: string, more: Entry = {}): Hooks => ({
  PreToolUse: [{ hooks: [shell(command, more)] }],
});
/** A call that runs a command. */
export const echo = (command: string) => ({ name: "run_cmd", arguments: { command } });

/** Let the model make the calls, one a request, and say what came of them. */
export async function turn(
  {
    hooks,
    calls = [echo("echo hi > out")],
    yes = false,
    run = {},
    plant,
    more = 0,
    script,
  }: World,
  look: (whole: WholeApp) => Promise<void> = () => Promise.resolve(),
) {
  const asked: string[] = [];
  const approver: Approver = (_call, reason) => {
    asked.push(reason);
    return Promise.resolve({ answer: yes ? "yes" : "no" });
  };
  const replies = [
    ...calls.map((call) => ({ text: "", calls: [call] })),
    ...Array.from({ length: more + 1 }, () => ({ text: "Done." })),
  ];
  const result = {
    asked,
    decided: [] as string[],
    reasons: [] as string[],
    notices: [] as string[],
  };
  let texts: readonly string[] = [];
  await withApp(script ?? replies, async (whole) => {
    const { app, events, api, home } = whole;
    if (hooks !== undefined) {
      const text = typeof hooks === "string" ? hooks : JSON.stringify({ hooks });
      await Deno.writeTextFile(join(home, "hooks.json"), text);
    }
    await app.say("go");
    for (const event of events) {
      if (event.type === "notice") result.notices.push(event.text);
      if (event.type !== "decision") continue;
      result.decided.push(`${event.decision.verdict} by ${event.decision.by}`);
      result.reasons.push(event.decision.reason);
    }
    texts = api.bodies.flatMap((body) => sent(body).texts);
    await look(whole);
  }, { screen: { approver }, run, ...(plant !== undefined && { plant }) });
  return { ...result, texts };
}
