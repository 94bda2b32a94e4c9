/** The transcript of the full screen with clocks of its own, and events to feed it with. */
import type { Event } from "@/protocol/event.ts";
import type { ToolResult } from "@/protocol/tool.ts";
import { registers } from "@/terminal/full/view/registers.ts";
import { Transcript, type TranscriptOptions } from "@/terminal/full/view/transcript.ts";

export type TestView = {
  view: Transcript;
  /** Milliseconds of the clock that only goes forward. */
  time: { ms: number };
  /** How often it asked to be drawn. */
  drawn: { times: number };
};

export type TestViewOptions = {
  colored?: boolean;
  showsThinking?: boolean;
  load?: TranscriptOptions["load"];
};

/** Three minutes past two, on a day in March. */
export const CLOCK = new Date(2026, 2, 4, 14, 3);

/** A view that has everything loaded. */
export async function testView(options: TestViewOptions = {}): Promise<TestView> {
  const made = unloadedView(options);
  await made.view.preload();
  return made;
}

/** A view as it is at the start of the program. */
export function unloadedView(
  { colored = true, showsThinking = false, load }: TestViewOptions = {},
): TestView {
  const time = { ms: 0 };
  const drawn = { times: 0 };
  const view = new Transcript({
    look: registers({ colored }),
    showsThinking: () => showsThinking,
    changed: () => void drawn.times++,
    now: () => time.ms,
    clock: () => CLOCK,
    ...(load === undefined ? {} : { load }),
  });
  return { view, time, drawn };
}

/** What the person said. */
export function said(text: string, turn = 1): Event[] {
  return [{ type: "turn_start", turn }, message("user", text)];
}

/** What the model said, as it arrives. */
export function replied(text: string, charsEach = 7): Event[] {
  const deltas: Event[] = [];
  for (let at = 0; at < text.length; at += charsEach) {
    deltas.push({ type: "delta", channel: "text", text: text.slice(at, at + charsEach) });
  }
  return [...deltas, {
    type: "message",
    message: { role: "assistant", content: [{ type: "text", text }], stop: "end" },
  }];
}

export type CallFacts = {
  id?: string;
  name: string;
  input?: unknown;
  before: string;
  after: string;
  ms?: number;
  output?: readonly string[];
  says?: readonly string[];
  result?: Partial<ToolResult>;
  denied?: string;
};

/** A call from the model's message to its end. */
export function called(facts: CallFacts): Event[] {
  const { id = "c1", name, input = {}, before, after, ms = 4, output = [], says = [] } = facts;
  const { denied } = facts;
  const result: ToolResult = { status: "ok", text: "done", ...facts.result };
  const shown = output.join("");
  return [
    {
      type: "message",
      message: {
        role: "assistant",
        content: [{ type: "tool_call", id, name, input }],
        stop: "tool_calls",
      },
    },
    {
      type: "decision",
      callId: id,
      asked: false,
      decision: denied === undefined
        ? { verdict: "allow", by: "rule", reason: `rule "${name}" allows it` }
        : { verdict: "deny", by: "rule", reason: denied },
    },
    ...(denied === undefined
      ? [
        { type: "tool_start" as const, callId: id, name, summary: before },
        ...says.map((line) => ({ type: "tool_say" as const, callId: id, line })),
        ...output.map((chunk) => ({ type: "tool_output" as const, callId: id, chunk })),
      ]
      : []),
    { type: "message", message: { role: "tool", callId: id, name, result } },
    { type: "tool_end", callId: id, summary: after, ms, ...(shown === "" ? {} : { shown }) },
  ];
}

export function noticed(text: string, level: "info" | "warn" | "error" = "info"): Event {
  return { type: "notice", level, text };
}

/** A message of the person. */
export function message(
  role: "user",
  text: string,
  origin: "person" | "hook" | "agent" | "shell" = "person",
): Event {
  return { type: "message", message: { role, content: [{ type: "text", text }], origin } };
}

/** Everything that the view gives out for these events, taken in one piece. */
export function finished(view: Transcript, events: readonly Event[], columns = 80): string {
  for (const event of events) view.sink(event);
  return view.takeFinished(columns);
}
