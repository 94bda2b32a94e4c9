/** A real terminal: the program in tmux, driven by keys and read as a screen. */
import { command, environment } from "./program.ts";

export type Terminal = AsyncDisposable & {
  /** Send keys as tmux names them ("Enter", "C-c"), or a text to type. */
  keys(...keys: readonly string[]): Promise<void>;
  type(text: string): Promise<void>;
  screen(): Promise<string>;
  /** Wait until the screen matches; throws with the screen when it does not in time. */
  until(pattern: RegExp, withinMs?: number): Promise<string>;
};

export type TerminalOptions = {
  cwd: string;
  home: string;
  /** As in ProgramOptions. */
  program?: string;
  args?: readonly string[];
  env?: Record<string, string>;
  columns?: number;
  rows?: number;
};

/** Start the program in a terminal of its own; "EXIT:n" stands on the screen once it has ended. */
export async function terminal(options: TerminalOptions): Promise<Terminal> {
  const socket = `harness-test-${crypto.randomUUID()}`;
  const tmux = async (...args: string[]) => {
    const ran = await new Deno.Command("tmux", {
      args: ["-L", socket, "-f", "/dev/null", ...args],
      stdin: "null",
    }).output();
    return new TextDecoder().decode(ran.stdout);
  };
  const line = [...command(options), ...options.args ?? []].map(quoted).join(" ");
  const env = Object.entries(environment(options)).map(([name, value]) =>
    quoted(`${name}=${value}`)
  );
  const script = `cd ${quoted(options.cwd)}; env -i TERM="$TERM" ${env.join(" ")} ${line}` +
    `; echo "EXIT:$?"; exec sleep 600`;
  const size = ["-x", `${options.columns ?? 100}`, "-y", `${options.rows ?? 40}`];
  await tmux("new-session", "-d", "-s", "t", ...size, script);
  const screen = async () =>
    (await tmux("capture-pane", "-p", "-J", "-t", "t")).replaceAll(/[ \t]+$/gm, "").trimEnd();
  return {
    screen,
    keys: async (...keys) => void await tmux("send-keys", "-t", "t", ...keys),
    type: async (text) => void await tmux("send-keys", "-t", "t", "-l", "--", text),
    until: async (pattern, withinMs = 10_000) => {
      const end = performance.now() + withinMs;
      for (;;) {
        const seen = await screen();
        if (pattern.test(seen)) return seen;
        if (performance.now() > end) {
          throw new Error(`${pattern} did not appear within ${withinMs} ms:\n${seen}`);
        }
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
    },
    [Symbol.asyncDispose]: async () => void await tmux("kill-server"),
  };
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
