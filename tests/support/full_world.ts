/** The full screen in a real terminal, with a model that plays a script. */
import { withScript } from "./scripted_world.ts";
import type { FakeApi, Script } from "./fake_api.ts";
import { FLAGS } from "./program.ts";
import { type Terminal, terminal, type TerminalOptions } from "./tmux.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const START = [
  Deno.execPath(),
  ...FLAGS,
  "--config",
  `${ROOT}deno.json`,
  `${ROOT}tests/support/full_program.ts`,
];

export type World = { screen: Terminal; dir: string; home: string; api: FakeApi };

/** Start it, and wait until it is ready. */
export async function fullWorld(
  script: Script,
  body: (world: World) => Promise<void>,
  { prepare, ...options }: Partial<TerminalOptions> & {
    /** Before it starts. */
    prepare?(home: string): Promise<void>;
  } = {},
): Promise<void> {
  await withScript(script, async ({ dir, home, api }) => {
    await prepare?.(home);
    await using screen = await terminal({
      cwd: dir,
      home,
      start: START,
      args: ["-m", "ollama/m"],
      ...options,
      env: { OLLAMA_HOST: api.url, ...options.env },
    });
    await screen.until(/^ ollama\/m/m);
    await body({ screen, dir, home, api });
  });
}
