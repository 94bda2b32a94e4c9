/** A workspace, a home and a model server that plays a script, and the program run in it as a script would run it. */
import { withScript } from "./scripted_world.ts";
import { harness, type Ran } from "./program.ts";
import type { ScriptedReply } from "./scripted_reply.ts";

export type World = {
  run(
    args: readonly string[],
    more?: { env?: Record<string, string>; stdin?: string },
  ): Promise<Ran>;
  dir: string;
  home: string;
  bodies(): readonly unknown[];
};

/** A workspace, a home and an Ollama that plays a script; `run` starts the program with `-m ollama/m`. */
export async function world(
  script: readonly ScriptedReply[],
  body: (world: World) => Promise<void>,
): Promise<void> {
  await withScript(script, async ({ dir, home, api }) => {
    await body({
      dir,
      home,
      bodies: () => api.bodies,
      run: (args, { env = {}, ...more } = {}) =>
        harness(["-m", "ollama/m", ...args], {
          cwd: dir,
          home,
          env: { OLLAMA_HOST: api.url, ...env },
          ...more,
        }),
    });
  });
}

/** What `--output json` prints. */
export type Result = Record<string, unknown> & {
  exitCode: number;
  calls: Record<string, unknown>[];
};

export const json = (ran: Ran): Result => JSON.parse(ran.stdout) as Result;

/** Two replies that most runs need. */
export const HELLO: ScriptedReply = { text: "Hello there." };
export const WRITE: ScriptedReply = {
  calls: [{ name: "write_file", arguments: { filepath: "a.txt", content: "one\n" } }],
};
