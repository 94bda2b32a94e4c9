/**
 * The full screen, opened before anything heavy is loaded: the prompt stands at once, and what is typed meanwhile is kept.
 */
import { isColored } from "./terminal/color.ts";
import { FullScreen } from "./terminal/full/full_screen.ts";
import { History } from "./terminal/full/history.ts";
import { inks } from "./terminal/full/ink.ts";
import { stopLikeTheShell, watchOver } from "./terminal/full/life.ts";
import { processDevice, Tty } from "./terminal/full/tty.ts";
import { stdout } from "./terminal/process.ts";

/** An open screen. Disposing of it gives the terminal back. */
export type OpenedFull = Disposable & { screen: FullScreen; history: History };

/** Take the terminal and show the prompt. */
export function openFull(env: (name: string) => string | undefined): OpenedFull {
  const tty = new Tty(processDevice({ write: stdout, env }));
  const history = new History();
  const screen = new FullScreen({
    tty,
    history,
    ink: inks({ colored: isColored({ isTerminal: true, env }) }),
    exit: (code) => {
      screen.close();
      Deno.exit(code);
    },
    stop: stopLikeTheShell,
  });
  const watch = watchOver(screen, tty);
  screen.open();
  return {
    screen,
    history,
    [Symbol.dispose]: () => {
      screen.close();
      watch[Symbol.dispose]();
    },
  };
}
