/**
 * `deno task recording`: makes recording.svg of what README shows: the demo, in a real terminal of the program `script`. Wants
 * Linux with python3 and bubblewrap. What differs from run to run (times, the name of the scratch folder) is left out of it.
 */
import xterm from "@xterm/headless";
import { RUN_FLAGS } from "@/release/flags.ts";
import { ROOT } from "./bundle.ts";
import { type Frame, rowsOf, svgOf } from "./recording_svg.ts";

const SIZE = { cols: 92, rows: 38 };
const WAIT_MS = 60_000;

/** What is typed, what the screen has to show then, and how long that is looked at. */
const STEPS: readonly { keys: string; until: RegExp; seconds: number }[] = [
  { keys: "", until: /edit_file wants to change window\.py[^]*y once/, seconds: 6 },
  { keys: "y", until: /all windows are whole[^]*Try \/undo[^]*❯ *$/m, seconds: 5 },
  { keys: "/undo", until: /❯ \/undo/, seconds: 2 },
  { keys: "\r", until: /undid|took back|undone/i, seconds: 4 },
];

const ALT =
  "harness finds out why a check fails, asks before it changes one line, runs the check again, and takes the change back";

const home = await Deno.makeTempDir({ prefix: "harness-recording-" });
try {
  const frames = await record();
  await Deno.writeTextFile(`${ROOT}recording.svg`, svgOf(frames, { columns: SIZE.cols, alt: ALT }));
  console.log(`${ROOT}recording.svg: ${frames.length} screens`);
} finally {
  await Deno.remove(home, { recursive: true });
}

async function record(): Promise<Frame[]> {
  const term = new xterm.Terminal({ ...SIZE, allowProposedApi: true });
  const flags = RUN_FLAGS.filter((flag) => !/^--no-(config|lock|npm)$/.test(flag));
  const line = [Deno.execPath(), "run", ...flags, "--allow-write", `${ROOT}main.ts`, "demo"];
  const size = `stty cols ${SIZE.cols} rows ${SIZE.rows}`;
  const child = new Deno.Command("script", {
    args: ["-qefc", `${size}; exec ${line.map((word) => `'${word}'`).join(" ")}`, "/dev/null"],
    env: { HARNESS_HOME: home, HARNESS_ACCEPT_TERMS: "1", TERM: "xterm-256color", TMUX: "" },
    cwd: home,
    ...{ stdin: "piped", stdout: "piped", stderr: "null" },
  }).spawn();
  const writer = child.stdin.getWriter();
  const type = (keys: string) => void writer.write(new TextEncoder().encode(keys));
  term.onData(type);
  const drawn = (async () => {
    for await (const bytes of child.stdout) term.write(bytes);
  })();
  const frames: Frame[] = [];
  try {
    for (const { keys, until, seconds } of STEPS) {
      if (keys !== "") type(keys);
      await stable(term, until);
      frames.push({ rows: timeless(rowsOf(term)), seconds });
    }
  } finally {
    // The program that draws is told by what is typed: its terminal goes when it does.
    type("/exit\r");
    await drawn;
    await child.status;
  }
  return frames;
}

/** Waits until the screen shows it, and then shows the same for a while. */
async function stable(term: InstanceType<typeof xterm.Terminal>, until: RegExp): Promise<void> {
  const end = performance.now() + WAIT_MS;
  let [before, same] = ["", 0];
  while (same < 4) {
    await new Promise((resolve) => setTimeout(resolve, 150));
    const text = timeless(rowsOf(term)).map(textOf).join("\n");
    same = until.test(text) && text === before ? same + 1 : 0;
    before = text;
    if (performance.now() > end) throw new Error(`The demo did not come to ${until}:\n${text}`);
  }
}

function textOf(row: Frame["rows"][number]): string {
  return row.reduce((text, run) => text.padEnd(run.at) + run.text, "").trimEnd();
}

function timeless(rows: Frame["rows"]): Frame["rows"] {
  return rows.map((row) =>
    row.map((run) => ({
      ...run,
      text: run.text.replace(/harness-demo-[0-9a-f]+/, "harness-demo")
        .replace(/ · \d+(\.\d+)? ?m?s\b/, "").replace(/[⠁-⣿]/g, "◌").replace(/\b\d\d:\d\d\b/, ""),
    }))
  );
}
