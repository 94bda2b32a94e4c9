/** `harness demo`: the scripted model mends a small program in a scratch folder, which is removed afterwards. */
import { join } from "@/lib/path.ts";
import { buildApp } from "@/app.ts";
import { enterAt } from "@/entry/enter.ts";
import type { RunOptions } from "@/compose/options.ts";
import { NOBODY } from "@/talk/nobody.ts";
import { acceptTerms, findPlace, type Place } from "@/compose/place.ts";
import { statePaths } from "@/settings/paths.ts";
import { palette } from "@/terminal/color.ts";
import { LineWriter } from "@/terminal/line_writer.ts";
import { stdout, tell } from "@/terminal/process.ts";
import { EXIT, exitCodeOf } from "@/terminal/result.ts";
import { transcript } from "@/terminal/transcript.ts";

const REQUEST = "check_window.py fails. Find out why, and mend it.";

const FILES: Readonly<Record<string, string>> = {
  "README.md":
    "# Windows\n\nCuts a list into windows. Run `python3 check_window.py` to check it.\n",
  "window.py": `"""Cut a list into windows."""


def window(items, start, size):
    """The items from start, size of them."""
    return items[start:start + size - 1]


def windows(items, size):
    return [window(items, start, size) for start in range(0, len(items), size)]
`,
  "check_window.py": `from window import windows

expected = [[1, 2], [3, 4], [5]]
actual = windows([1, 2, 3, 4, 5], 2)
assert actual == expected, f"windows: expected {expected}, got {actual}"
print("all windows are whole")
`,
};

/** Run the demo: in a terminal as a conversation, else as a printed transcript. Resolves to the exit code. */
export async function demo(run: RunOptions): Promise<number> {
  const real = await findPlace({});
  const scratch = await Deno.realPath(await Deno.makeTempDir({ prefix: "harness-demo-" }));
  try {
    const place = await scratchPlace(real, scratch);
    const options = { model: "demo/repair", ...run };
    if (Deno.stdin.isTerminal() && Deno.stdout.isTerminal()) {
      const paths = { ...place.paths, acceptedTerms: real.paths.acceptedTerms };
      return await enterAt({ ...place, paths }, options, REQUEST);
    }
    await acceptTerms(real, { warn: tell });
    return await printed(options, place);
  } finally {
    await Deno.remove(scratch, { recursive: true });
  }
}

/** A project and a state directory of the demo's own: nothing of it stays. */
async function scratchPlace(real: Place, scratch: string): Promise<Place> {
  const workspace = join(scratch, "project");
  const home = join(scratch, "state");
  await Deno.mkdir(workspace);
  await Deno.mkdir(home, { mode: 0o700 });
  for (const [name, text] of Object.entries(FILES)) {
    await Deno.writeTextFile(join(workspace, name), text);
  }
  const env = { ...real.env, HARNESS_HOME: home };
  return { env, workspace, stoodIn: workspace, paths: statePaths(env, workspace) };
}

async function printed(run: RunOptions, place: Place): Promise<number> {
  const out = new LineWriter(stdout);
  const sink = transcript({
    out,
    paint: palette(false),
    showsText: true,
    showsThinking: () => false,
  });
  const app = await buildApp({
    // The commands are the demo's own, in a folder that it made: nobody has to be asked and nothing needs a sandbox.
    run: { auto: true, sandbox: "off", ...run },
    place,
    isInteractive: false,
    needsModel: true,
    makeScreen: () => ({ ...NOBODY, sinks: [sink] }),
    warn: tell,
  });
  try {
    out.write(`you: ${REQUEST}\n`);
    const outcome = await app.say(REQUEST);
    for (const line of ["/undo", "/redo"]) {
      const { ok, text } = await app.slash(line);
      out.break();
      out.write(`you: ${line}\n${text}\n`);
      if (!ok) return EXIT.failed;
    }
    return exitCodeOf(outcome);
  } finally {
    await app.close();
  }
}
