/** A full screen on a terminal in memory, with a program behind it that a test plays. */
import { FullScreen } from "@/terminal/full/full_screen.ts";
import { History } from "@/terminal/full/history.ts";
import { inks, NO_INKS } from "./ink.ts";
import type { Driver } from "@/terminal/full/driver.ts";
import type { Stopping } from "@/terminal/full/life.ts";
import { Tty } from "@/terminal/full/tty.ts";
import { SmallView } from "./small_view.ts";
import { TestTerminal, type TestTerminalOptions } from "./test_terminal.ts";

export type TestScreen = AsyncDisposable & {
  terminal: TestTerminal;
  screen: FullScreen;
  view: SmallView;
  history: History;
  /** What the program was told, in order. */
  told: string[];
  /** Whether a turn runs, as far as the screen is told. */
  running: { is: boolean };
};

export type TestScreenOptions = TestTerminalOptions & {
  driver?: Partial<Driver>;
  colored?: boolean;
  stopping?: Stopping;
};

/** Open it; the prompt stands. */
export function testScreen(options: TestScreenOptions = {}): TestScreen {
  const terminal = new TestTerminal(options);
  const told: string[] = [];
  const running = { is: false };
  const driver: Driver = {
    isRunning: () => running.is,
    interrupt: () => {
      told.push("interrupt");
      running.is = false;
    },
    nextMode: () => void told.push("mode"),
    status: () => ({}),
    shorten: (path) => path.replace(/^\/ws\//, ""),
    takeNow: () => false,
    commands: () => [],
    paths: () => Promise.resolve([]),
    alive: () => [],
    notify: () => "bell",
    editText: (text) => Promise.resolve(text),
    ...options.driver,
  };
  const history = new History();
  const screen = new FullScreen({
    tty: new Tty(terminal.device),
    ink: options.colored === true ? inks({ colored: true }) : NO_INKS,
    history,
    exit: (code) => void told.push(`exit ${code}`),
    stopping: options.stopping ??
      { canStop: () => Promise.resolve(true), stop: () => Promise.resolve() },
  });
  const view = new SmallView();
  screen.open();
  screen.show(view);
  screen.attach(driver);
  screen.onLeave((code) => void told.push(`leave ${code}`));
  return {
    terminal,
    screen,
    view,
    history,
    told,
    running,
    [Symbol.asyncDispose]: async () => {
      screen.close();
      await terminal.drawn();
    },
  };
}
