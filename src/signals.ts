/** The signals that ask a program to end, each told once. */
import { EXIT } from "./terminal/result.ts";

/** The signals, and the exit code of a program that ends because of one. */
export const SIGNAL_CODES = {
  SIGINT: EXIT.interrupted,
  SIGTERM: EXIT.terminated,
  SIGHUP: EXIT.hangup,
} as const;

export type EndSignal = keyof typeof SIGNAL_CODES;

/** `deno task` passes on a signal that the terminal has sent to us as well: two or three arrive within milliseconds. */
const SAME_MS = 100;

/** Tell `take` of each signal until the returned thing is disposed of. */
export function onSignals(take: (signal: EndSignal) => void): Disposable {
  const last = new Map<EndSignal, number>();
  const listeners = signalNames().map((name) => {
    const listener = () => {
      const now = performance.now();
      const isSame = now - (last.get(name) ?? -Infinity) < SAME_MS;
      last.set(name, now);
      if (!isSame) take(name);
    };
    Deno.addSignalListener(name, listener);
    return { name, listener };
  });
  return {
    [Symbol.dispose]: () => {
      for (const { name, listener } of listeners) Deno.removeSignalListener(name, listener);
    },
  };
}

/** Windows has no SIGTERM, and listening to it throws. */
function signalNames(): readonly EndSignal[] {
  return Deno.build.os === "windows" ? ["SIGINT", "SIGHUP"] : ["SIGINT", "SIGTERM", "SIGHUP"];
}
