/**
 * Telling "waiting for input" from "busy". Going quiet proves nothing, so the best signal that there is decides: the
 * shape of the last line, what the kernel says, idle CPU, and at last silence alone.
 */
import type { InputState } from "@/sandbox/stdin_probe.ts";

/** What is known about a command that has gone quiet. */
export type Signals = {
  /** What it printed since it was last listened to. */
  tail: string;
  input: InputState;
  /** CPU time that its processes used since they went quiet, in seconds; absent where nobody says. */
  cpuS?: number;
  quietS: number;
  elapsedS: number;
};

/** How long to listen, in seconds; from the settings. */
export type Patience = {
  /** Silence before a command is looked at: CMD_IDLE_TIMEOUT. */
  idleS: number;
  /** Silence of an idle command where nothing better can be asked: CMD_IDLE_GRACE. */
  graceS: number;
  /** Silence that is taken for waiting: CMD_WAIT_TIMEOUT. */
  waitS: number;
  /** The end: CMD_TIMEOUT. */
  deadlineS: number;
};

/** Why a command is taken to be waiting. */
export type WaitingWhy = "prompt" | "reads" | "idle" | "silent";

/** What to do now; `late` ends the command. */
export type Judgement =
  | { kind: "waiting"; why: WaitingWhy }
  | { kind: "listen" }
  | { kind: "late" };

/** Less CPU time than this is none, in seconds. */
const IDLE_CPU_S = 0.02;

/** Judges by the strongest signal that there is. */
export function judge(signals: Signals, patience: Patience): Judgement {
  const { tail, input, cpuS, quietS, elapsedS } = signals;
  if (elapsedS >= patience.deadlineS) return { kind: "late" };
  if (quietS < patience.idleS) return { kind: "listen" };
  if (tail !== "" && !tail.endsWith("\n")) return { kind: "waiting", why: "prompt" };
  if (input === "reads") return { kind: "waiting", why: "reads" };
  const isIdle = input === "unknown" && cpuS !== undefined && cpuS < IDLE_CPU_S;
  if (isIdle && quietS >= patience.graceS) return { kind: "waiting", why: "idle" };
  if (quietS >= patience.waitS) return { kind: "waiting", why: "silent" };
  return { kind: "listen" };
}
