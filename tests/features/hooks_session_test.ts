/** Programs at both ends of a session, and while the person is waited for. */
import { deepStrictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import type { FeatureParts } from "@/compose/feature.ts";
import { HookWork } from "@/features/hooks/work.ts";
import type { HookInput } from "@/hooks/event.ts";
import type { Event } from "@/protocol/event.ts";
import { shell } from "../support/hooked_turn.ts";
import { until } from "../support/until.ts";
import { withApp } from "../support/whole_app.ts";

/** Writes down what it is told, one line an event. */
const NOTES = shell("tr -d '\\n' >> told; echo >> told");
const ENDS = { SessionStart: [{ hooks: [NOTES] }], SessionEnd: [{ hooks: [NOTES] }] };

async function told(dir: string): Promise<string[]> {
  const lines = (await Deno.readTextFile(join(dir, "told"))).trimEnd().split("\n");
  return lines.map((line) => {
    const { hook_event_name: event, source, reason } = JSON.parse(line);
    return `${event} ${source ?? reason}`;
  });
}

Deno.test("programs are told what a session begins with, and what it ends with", async () => {
  await withApp(Array(4).fill({ text: "Hello." }), async ({ app, dir, home }) => {
    await Deno.writeTextFile(join(home, "hooks.json"), JSON.stringify({ hooks: ENDS }));
    await app.say("go");
    const { id } = app.facts();
    const fresh = await app.next({ kind: "new" });
    await fresh.say("go");
    const again = await fresh.next({ kind: "saved", id });
    await again.say("go");
    await again.close("left");
    equal(await told(dir), [
      "SessionStart startup",
      "SessionEnd clear",
      "SessionStart clear",
      "SessionEnd resume",
      "SessionStart resume",
      "SessionEnd prompt_input_exit",
    ]);
    return again;
  });
});

/** The work by itself, begun, with the programs that it would tell. */
async function working(isInteractive: boolean) {
  const inputs: HookInput[] = [];
  const hooks = new HookWork(
    {
      found: () => Promise.resolve({ programs: [], waiting: [], problems: [] }),
      run: (input) => Promise.resolve(inputs.push(input)).then(() => []),
      isIdle: false,
      expire: () => {},
    },
    {
      conversation: { isResumed: false } as FeatureParts["conversation"],
      isInteractive,
      live: NONE,
    },
    { idleMs: 20 },
  );
  const { said, sink } = hooks.work();
  await said?.([{ type: "text", text: "go" }], new AbortController().signal);
  const idle = () => inputs.filter((input) => "notification_type" in input);
  return { hooks, idle, take: (event: Event) => sink?.(event) };
}
const NONE = {
  emit: () => {},
  get harness(): never {
    throw new Error("Nobody asks for it here");
  },
};
const begun = { type: "turn_start", turn: 1 } as const;
const ended = { type: "turn_end", turn: 1, stop: "end" } as const;
const later = () => new Promise((resolve) => setTimeout(resolve, 60));

Deno.test("while nothing is said after a turn, programs are told once that the person is waited for", async () => {
  const { hooks, idle, take } = await working(true);
  take(ended);
  await until(() => idle().length > 0);
  await later();
  equal(idle(), [{
    hook_event_name: "Notification",
    message: "harness waits for what you say next",
    notification_type: "idle_prompt",
  }]);
  take(ended);
  take(begun);
  await later();
  take(ended);
  await hooks.end("left");
  take(ended); // Of the turn that was left behind.
  await later();
  equal(idle().length, 1);
});

Deno.test("nobody is waited for without a terminal", async () => {
  const { hooks, idle, take } = await working(false);
  take(ended);
  await later();
  await hooks.end("other");
  equal(idle(), []);
});
