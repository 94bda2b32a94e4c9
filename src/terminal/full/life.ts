/** What happens to the program from outside while it has the terminal: resizing, stopping, ending in any way. */
import { EXIT } from "../exit_code.ts";
import type { FullScreen } from "./full_screen.ts";
import type { Tty } from "./tty.ts";

/** An end that nothing else listens to. */
const QUIT_CODE = 131;
/** Ends of the program that are in order, but take their time: the terminal is given back at once. */
const ENDS = { SIGTERM: EXIT.terminated, SIGHUP: EXIT.hangup } as const;

type Watched = Pick<FullScreen, "close" | "isOwned" | "resize" | "resume" | "settled">;

/** Watch over a screen until the returned thing is disposed of. */
export function watchOver(screen: Watched, tty: Pick<Tty, "restore">): Disposable {
  const restore = () => tty.restore();
  const close = () => screen.close();
  const signals = new Map<Deno.Signal, () => void>();
  if (Deno.build.os !== "windows") {
    signals.set("SIGWINCH", () => screen.resize());
    signals.set("SIGCONT", () => screen.resume());
    const end = async (code: number) => {
      // What the terminal still answers would be typed into the shell.
      await screen.settled();
      close();
      if (code === QUIT_CODE || !screen.isOwned) Deno.exit(code);
    };
    signals.set("SIGTERM", () => void end(ENDS.SIGTERM));
    signals.set("SIGHUP", () => void end(ENDS.SIGHUP));
    signals.set("SIGQUIT", () => void end(QUIT_CODE));
  }
  for (const [name, listener] of signals) Deno.addSignalListener(name, listener);
  // A fault of ours is printed by Deno: onto a terminal that is as it was.
  globalThis.addEventListener("error", close);
  globalThis.addEventListener("unhandledrejection", close);
  globalThis.addEventListener("unload", restore);
  return {
    [Symbol.dispose]: () => {
      for (const [name, listener] of signals) Deno.removeSignalListener(name, listener);
      globalThis.removeEventListener("error", close);
      globalThis.removeEventListener("unhandledrejection", close);
      globalThis.removeEventListener("unload", restore);
    },
  };
}

/** Stopping this program and those it was started with, as a terminal does on Ctrl+Z. */
export type Stopping = {
  /** Whether there is a shell that gets the terminal then, and can bring us back. */
  canStop(): Promise<boolean>;
  /** Resolves when the program goes on. */
  stop(): Promise<void>;
};
