/**
 * The plain screen, opened before anything heavy is loaded: the prompt stands at once, and what is typed meanwhile is kept.
 */
import type { Settings } from "@/settings/settings.ts";
import { isColored, palette } from "@/terminal/color.ts";
import { PlainScreen } from "@/terminal/plain.ts";
import { stdout } from "@/terminal/process.ts";

/** An open screen. Disposing of it ends its last line. */
export type OpenedPlain = Disposable & {
  screen: PlainScreen;
  /** Where the settings are asked for, once they are read. */
  follow(settings: () => Settings | undefined): void;
};

/** Take the lines that are typed; with `isPrompting` the prompt is shown to whoever sees it. */
export function openPlain(
  env: (name: string) => string | undefined,
  { isPrompting }: { isPrompting: boolean },
): OpenedPlain {
  const isTerminal = Deno.stdout.isTerminal();
  let settings: () => Settings | undefined = () => undefined;
  const screen = new PlainScreen({
    input: Deno.stdin.readable,
    write: stdout,
    setRaw: (on) => Deno.stdin.setRaw(on),
    paint: palette(isColored({ isTerminal, env })),
    showsThinking: () => settings()?.SHOW_THINKING ?? false,
  });
  if (isPrompting && isTerminal) screen.open();
  return {
    screen,
    follow: (source) => {
      settings = source;
    },
    [Symbol.dispose]: () => screen.close(),
  };
}
