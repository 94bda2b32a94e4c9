/**
 * Whether a command that waits for input is told from one that works, on this machine: the signals that there are, and four
 * programs to try them on. On Linux once more without asking the kernel, which is all that there is elsewhere.
 */
import type { Processes, Wrapper } from "@/sandbox/processes.ts";
import { StartError } from "@/sandbox/spawn.ts";
import type { Outcome } from "@/shell/outcome.ts";
import { Shell } from "@/shell/shell.ts";

/** What it is tried with. `wrap` is the boundary that commands run in, where there is one. */
export type WaitingParts = {
  processes: Processes;
  workspace: string;
  wrap: Wrapper | undefined;
};

/** Rows to print, and whether a program was taken for what it is not. */
export type WaitingFound = { lines: readonly string[]; isBroken: boolean };

type Trial = {
  name: string;
  command: string;
  timeoutS?: number;
  /** What is right, and how that is said. */
  right(outcome: Outcome): string | undefined;
};

const LIMITS = { idleS: 0.6, graceS: 2.5, waitS: 5, deadlineS: 15 };

const TRIALS: readonly Trial[] = [
  {
    name: "prompt",
    command: "printf 'Name: '; read name",
    right: (outcome) => waitingText(outcome, ["prompt"]),
  },
  {
    name: "question and line end",
    command: "echo 'Name?'; read name",
    right: (outcome) => waitingText(outcome, ["reads", "idle", "silent"]),
  },
  {
    name: "silent sleep",
    command: "sleep 2; echo done",
    right: (outcome) => outcome.kind === "ended" && outcome.code === 0 ? "waited out" : undefined,
  },
  {
    name: "busy loop",
    command: "end=$(($(date +%s) + 3)); while [ $(date +%s) -lt $end ]; do :; done; echo done",
    right: (outcome) => outcome.kind === "ended" && outcome.code === 0 ? "waited out" : undefined,
  },
  {
    name: "runaway",
    command: "while :; do :; done",
    timeoutS: 1,
    right: (outcome) => outcome.kind === "late" ? "ended when its time was up" : undefined,
  },
];

/** Try it. */
export async function tryWaiting(parts: WaitingParts): Promise<WaitingFound> {
  if (Deno.build.os === "windows") {
    return {
      lines: ["signals  the last line's end, idle CPU, silence; not tried here"],
      isBroken: false,
    };
  }
  const first = tryAll(parts, true);
  const second = Deno.build.os === "linux" ? tryAll(parts, false) : undefined;
  const [asked, unasked] = [await first, await second];
  const hasKernel = asked.some(({ why }) => why === "reads");
  const signals = [
    "the last line's end",
    ...(hasKernel ? ["the kernel (/proc)"] : []),
    "idle CPU",
    "silence",
  ];
  const lines = [`signals: ${signals.join(", ")}`, ...asked.map(({ line }) => line)];
  if (unasked !== undefined) {
    lines.push("without /proc, as on macOS:", ...unasked.map(({ line }) => line));
  }
  return { lines, isBroken: [...asked, ...unasked ?? []].some(({ isRight }) => !isRight) };
}

type Tried = { line: string; isRight: boolean; why?: string };

async function tryAll(
  { processes, workspace, wrap }: WaitingParts,
  asksKernel: boolean,
): Promise<Tried[]> {
  const shell = new Shell({
    ...{ processes, workspace, asksKernel },
    limits: () => ({ ...LIMITS, waitingMax: TRIALS.length, waitingMaxS: 60 }),
    wrap: () => wrap,
  });
  try {
    return await Promise.all(TRIALS.map((trial) => tryOne(shell, trial)));
  } finally {
    await shell.close();
  }
}

async function tryOne(shell: Shell, { name, command, timeoutS, right }: Trial): Promise<Tried> {
  const watch = { signal: new AbortController().signal, onOutput: () => {} };
  const request = { command, ...(timeoutS === undefined ? {} : { timeoutS }) };
  const from = performance.now();
  try {
    const outcome = await shell.run(request, watch);
    const seconds = ((performance.now() - from) / 1_000).toFixed(1);
    const said = right(outcome);
    return {
      line: `${name.padEnd(22)}  ${said ?? `WRONG: taken for ${outcome.kind}`}, ${seconds} s`,
      isRight: said !== undefined,
      ...(outcome.kind === "waiting" ? { why: outcome.why } : {}),
    };
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return { line: `${name.padEnd(22)}  ${error.message}`, isRight: false };
  }
}

const WHYS = {
  prompt: "by its last line",
  reads: "the kernel says that it reads",
  idle: "by idle CPU",
  silent: "by its silence",
} as const;

function waitingText(outcome: Outcome, right: readonly (keyof typeof WHYS)[]): string | undefined {
  if (outcome.kind !== "waiting" || !right.includes(outcome.why)) return undefined;
  return `seen to wait (${WHYS[outcome.why]})`;
}
