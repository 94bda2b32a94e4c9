/** A whole harness over a scripted provider and small tools, in memory. */
import { z } from "zod";
import type { DurableEvent, Event } from "@/protocol/event.ts";
import type { Approver, Guard, PathResolver } from "@/protocol/policy.ts";
import type { Hook } from "@/protocol/hook.ts";
import type { Provider } from "@/protocol/provider.ts";
import type { ToolSpec } from "@/protocol/tool.ts";
import { Harness, type TurnWork } from "@/agent/harness.ts";
import { Slots } from "@/lib/slots.ts";
import { defineTool, failed, ok } from "@/tools/spec.ts";

const NONE = z.object({});

/** Tools that do what the loop has to cope with. */
export const TOOLS: readonly ToolSpec[] = [
  defineTool({
    name: "echo",
    description: "Say it again.",
    input: z.object({ text: z.string() }),
    effect: () => "reads",
    subject: () => ({ kind: "none" }),
    summary: ({ text }) => `echo ${text}`,
    run: ({ text }) => Promise.resolve(ok(text)),
  }),
  defineTool({
    name: "boom",
    description: "Throws.",
    input: NONE,
    effect: () => "reads",
    subject: () => ({ kind: "none" }),
    summary: () => "boom",
    run: () => Promise.reject(new Error("division by zero")),
  }),
  defineTool({
    name: "fails",
    description: "Fails.",
    input: NONE,
    effect: () => "reads",
    subject: () => ({ kind: "none" }),
    summary: () => "fails",
    run: () => Promise.resolve(failed("it did not work")),
  }),
  defineTool({
    name: "hang",
    description: "Prints, then waits for the interrupt.",
    input: NONE,
    effect: () => "reads",
    subject: () => ({ kind: "none" }),
    summary: () => "hang",
    run: (_input, host) => {
      host.output("half of it");
      return new Promise((_resolve, reject) => {
        host.signal.addEventListener("abort", () => reject(host.signal.reason), { once: true });
      });
    },
  }),
  defineTool({
    name: "deaf",
    description: "Ignores the interrupt.",
    input: NONE,
    effect: () => "reads",
    subject: () => ({ kind: "none" }),
    summary: () => "deaf",
    run: () => new Promise(() => {}),
  }),
  defineTool({
    name: "change",
    description: "Changes a file.",
    input: z.object({ filepath: z.string() }),
    effect: () => "changes",
    subject: ({ filepath }) => ({ kind: "path", paths: [filepath] }),
    summary: ({ filepath }) => `change ${filepath}`,
    run: ({ filepath }, host) =>
      Promise.resolve(ok("changed", { changed: [host.resolved(filepath)] })),
  }),
];

export type LoopOptions = {
  provider: Provider;
  past?: readonly DurableEvent[];
  guards?: readonly Guard[];
  hooks?: readonly Hook[];
  approver?: Approver;
  callsMax?: number;
  remember?: () => Promise<void>;
  tools?: readonly ToolSpec[];
  resolvePath?: PathResolver;
  prepare?: (signal: AbortSignal) => Promise<void>;
  mayGoOn?: (count: number, signal: AbortSignal) => Promise<boolean>;
  mayRun?: (count: number) => boolean;
  sink?: (event: Event) => void;
  said?: TurnWork["said"];
};

const ALLOW: Guard = () => ({ verdict: "allow", by: "rule", reason: "test" });

/** Build it; `log` is what a session file would hold. */
export function loop(
  options: LoopOptions,
): { harness: Harness; log: DurableEvent[]; seen: Event[] } {
  const { callsMax = Infinity } = options;
  const log: DurableEvent[] = [...options.past ?? []];
  const seen: Event[] = [];
  const harness = new Harness({
    log: { append: (event) => log.push(event), flush: () => Promise.resolve() },
    past: options.past ?? [],
    sinks: [(event) => seen.push(event), ...(options.sink === undefined ? [] : [options.sink])],
    work: () =>
      Promise.resolve({
        dispatch: {
          tools: () => options.tools ?? TOOLS,
          guards: options.guards ?? [ALLOW],
          approver: options.approver ?? (() => Promise.resolve({ answer: "nobody" })),
          asker: () => Promise.resolve(undefined),
          workspace: "/ws",
          resolvePath: options.resolvePath ?? ((path) =>
            Promise.resolve(
              path === "dangling"
                ? { real: path, outside: true, refusal: `"${path}" is a dangling link` }
                : { real: `/ws/${path}`, outside: false },
            )),
          questions: new Slots(() => 1),
          reachesOf: () => [],
          goesUnasked: ({ outside }) => !outside,
          remember: options.remember ?? (() => Promise.resolve()),
          changeOf: () => Promise.resolve(undefined),
          hire: () => Promise.reject(new Error("Nobody can be hired in a test")),
          value: () => undefined,
          now: () => 0,
        },
        hooks: options.hooks ?? [],
        ...(options.said === undefined ? {} : { said: options.said }),
        fit: (messages) => ({
          model: "m",
          system: "s",
          messages,
          tools: [],
          outputTokensMax: 100,
          hints: {},
        }),
      }),
    prepare: options.prepare ?? (() => Promise.resolve()),
    provider: () => options.provider,
    mayGoOn: options.mayGoOn ?? ((count) => Promise.resolve(count < callsMax)),
    mayRun: options.mayRun ?? ((count) => count < callsMax),
    keepsThinking: () => false,
  });
  return { harness, log, seen };
}

/** Say a text. */
export function say(harness: Harness, text = "do it") {
  return harness.say([{ type: "text", text }]);
}
