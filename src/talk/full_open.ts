/**
 * The full screen, opened before anything heavy is loaded: the prompt stands at once, and what is typed meanwhile is kept.
 */
import { stopping } from "./stopping.ts";
import { isColored } from "@/terminal/color.ts";
import { FullScreen } from "@/terminal/full/full_screen.ts";
import { History } from "@/terminal/full/history.ts";
import { KeyMap } from "@/terminal/full/key_map.ts";
import { watchOver } from "@/terminal/full/life.ts";
import { processDevice, Tty } from "@/terminal/full/tty.ts";
import { clipboardSequence } from "@/terminal/full/view/clipboard.ts";
import { type Registers, registers } from "@/terminal/full/view/registers.ts";
import { stdout } from "@/terminal/process.ts";

/** An open screen. Disposing of it gives the terminal back. */
export type OpenedFull = Disposable & {
  screen: FullScreen;
  history: History;
  look: Registers;
  /** Where the colours and keys that the person chose are asked for, once their settings are read. */
  follow(chosen: Chosen): void;
  /** Put a text on the person's clipboard; false where it is too long for one. */
  copy(text: string): boolean;
};

/** PALETTE and KEYS as they are now. */
export type Chosen = { palette(): readonly string[]; keys(): readonly string[] };

/** One and the same, so that nothing is made anew while there are no settings. */
const NOTHING: readonly string[] = [];

/** Take the terminal and show the prompt. */
export function openFull(env: (name: string) => string | undefined): OpenedFull {
  const tty = new Tty(processDevice({ write: stdout, env }));
  const history = new History();
  let chosen: Chosen = { palette: () => NOTHING, keys: () => NOTHING };
  const look = registers({
    colored: isColored({ isTerminal: true, env }),
    palette: () => chosen.palette(),
    ground: () => tty.ground,
  });
  const screen = new FullScreen({
    tty,
    history,
    ink: look,
    keys: new KeyMap(() => chosen.keys()),
    exit: async (code) => {
      await screen.settled();
      screen.close();
      Deno.exit(code);
    },
    stopping: stopping(env),
  });
  const watch = watchOver(screen, tty);
  screen.open();
  return {
    screen,
    history,
    look,
    follow: (source) => {
      chosen = source;
    },
    copy: (text) => {
      const sequence = clipboardSequence(text, env);
      if (sequence !== undefined) tty.write(sequence);
      return sequence !== undefined;
    },
    [Symbol.dispose]: () => {
      screen.close();
      watch[Symbol.dispose]();
    },
  };
}
