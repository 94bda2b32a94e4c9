/** A real terminal: the program in tmux, driven by keys and read as a screen. */
import { command, environment } from "./program.ts";
import { PATIENCE_MS } from "./until.ts";

export type Terminal = AsyncDisposable & {
  /** Send keys as tmux names them ("Enter", "C-c"), or a text to type. */
  keys(...keys: readonly string[]): Promise<void>;
  type(text: string): Promise<void>;
  screen(): Promise<string>;
  /** The rows in sight as they stand: a wrapped line is several. */
  rows(): Promise<string[]>;
  /** Everything, with what was scrolled out of sight. */
  all(): Promise<string>;
  /** Wait until the screen matches; throws with the screen when it does not in time. */
  until(pattern: RegExp): Promise<string>;
  /** Where the cursor stands, from 0, and whether the alternate screen is shown. */
  cursor(): Promise<{ column: number; row: number; isAlternate: boolean }>;
  resize(columns: number, rows: number): Promise<void>;
  /** Paste a text, in brackets where the program asked for them. */
  paste(text: string): Promise<void>;
  /** Send the program a signal. */
  signal(name: string): Promise<void>;
};

export type TerminalOptions = {
  cwd: string;
  home: string;
  /** As in ProgramOptions. */
  program?: string;
  /** What starts it, instead of `program`; arguments follow. */
  start?: readonly string[];
  /** Start it as a job of an interactive shell, so that it can be stopped and brought back. */
  inShell?: boolean;
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
  await withoutTitles(options.home);
  const start = options.start ?? command(options);
  const line = [...start, ...options.args ?? []].map(quoted).join(" ");
  const env = Object.entries(environment(options)).map(([name, value]) =>
    quoted(`${name}=${value}`)
  );
  const run = `env -i TERM="$TERM" ${env.join(" ")} ${line}; echo "EXIT:$?"`;
  const cd = `cd ${quoted(options.cwd)}`;
  const size = ["-x", `${options.columns ?? 100}`, "-y", `${options.rows ?? 40}`];
  if (options.inShell === true) {
    await Deno.writeTextFile(`${options.home}/run.sh`, run);
    await tmux("new-session", "-d", "-s", "t", ...size, `${cd}; PS1='$ ' exec bash --norc`);
    await tmux("send-keys", "-t", "t", "-l", "--", `. ${quoted(`${options.home}/run.sh`)}`);
    await tmux("send-keys", "-t", "t", "Enter");
  } else {
    await tmux("new-session", "-d", "-s", "t", ...size, `${cd}; ${run}; exec sleep 600`);
  }
  const screen = async () =>
    (await tmux("capture-pane", "-p", "-J", "-t", "t")).replaceAll(/[ \t]+$/gm, "").trimEnd();
  return {
    screen,
    keys: async (...keys) => void await tmux("send-keys", "-t", "t", ...keys),
    type: async (text) => void await tmux("send-keys", "-t", "t", "-l", "--", text),
    rows: async () =>
      (await tmux("capture-pane", "-p", "-t", "t")).replaceAll(/[ \t]+$/gm, "").split("\n"),
    all: async () =>
      (await tmux("capture-pane", "-p", "-J", "-S", "-", "-t", "t"))
        .replaceAll(/[ \t]+$/gm, "").trimEnd(),
    cursor: async () => {
      const format = "#{cursor_x} #{cursor_y} #{alternate_on}";
      const shown = await tmux("display-message", "-p", "-t", "t", format);
      const [column = 0, row = 0, alternate = 0] = shown.trim().split(" ").map(Number);
      return { column, row, isAlternate: alternate === 1 };
    },
    resize: async (columns, rows) =>
      void await tmux("resize-window", "-t", "t", "-x", `${columns}`, "-y", `${rows}`),
    paste: async (text) => {
      const file = `${options.home}/pasted.txt`;
      await Deno.writeTextFile(file, text);
      await tmux("load-buffer", file);
      await tmux("paste-buffer", "-p", "-r", "-t", "t");
    },
    signal: async (name) => {
      const shell = (await tmux("display-message", "-p", "-t", "t", "#{pane_pid}")).trim();
      await new Deno.Command("pkill", { args: [`-${name}`, "-P", shell] }).output();
    },
    until: async (pattern) => {
      const end = performance.now() + PATIENCE_MS;
      for (;;) {
        const seen = await screen();
        if (pattern.test(seen)) return seen;
        if (performance.now() > end) {
          throw new Error(`${pattern} did not appear within ${PATIENCE_MS} ms:\n${seen}`);
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

/** A script has a reply for each request of the conversation, and none for a title. */
async function withoutTitles(home: string): Promise<void> {
  try {
    await Deno.mkdir(home, { recursive: true, mode: 0o700 });
    const options = { createNew: true, mode: 0o600 };
    await Deno.writeTextFile(`${home}/settings.json`, '{"AUTO_TITLE": false}\n', options);
  } catch (error) {
    // A test that has settings of its own says itself what it wants.
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  }
}
