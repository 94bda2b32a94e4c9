/** What a run of the program needs: a workspace, a state directory, and an Ollama that plays a script. */
import { join } from "node:path";
import type { FakeApi, Script } from "./fake_api.ts";
import { startFakeOllama } from "./fake_ollama.ts";
import { withWorkspace } from "./workspace.ts";

/** `root` holds the other two and is removed with them. */
export type Scripted = { root: string; dir: string; home: string; api: FakeApi };

/** Make it for one test. */
export async function withScript(
  script: Script,
  body: (made: Scripted) => Promise<void>,
): Promise<void> {
  await withWorkspace(async (root) => {
    await using api = startFakeOllama(script);
    const [dir, home] = [join(root, "ws"), join(root, "home")];
    await Deno.mkdir(dir);
    await Deno.mkdir(home);
    await body({ root, dir, home, api });
  });
}
