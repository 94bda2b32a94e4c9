/** Whatever stands in the state directory, the program starts, says what it cannot use, and has fewer rights, not more. */
import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { startFakeOllama } from "../support/fake_ollama.ts";
import { harness } from "../support/program.ts";
import { withWorkspace } from "../support/workspace.ts";

const WRITE = { calls: [{ name: "write_file", arguments: { filepath: "a.txt", content: "x" } }] };

const pipe = (path: string) => void new Deno.Command("mkfifo", { args: [path] }).outputSync();

Deno.test({
  name:
    "pipes in place of every state file and a file in place of undo/ are named, and start in time",
  ignore: Deno.build.os === "windows",
  fn: () =>
    withWorkspace(async (root) => {
      await using api = startFakeOllama([
        WRITE,
        { text: "I could not." },
        WRITE,
        { text: "Nor now." },
      ]);
      const [dir, home] = [join(root, "ws"), join(root, "home")];
      await Deno.mkdir(dir);
      await Deno.mkdir(home);
      const files = ["settings.json", "permissions.json", "providers.json", "trust.json"];
      for (const name of files) pipe(join(home, name));
      await Deno.writeTextFile(join(home, "undo"), "");
      const started = performance.now();
      const write = () =>
        harness(["-m", "ollama/m", "-p", "write", "--auto"], {
          cwd: dir,
          home,
          env: { OLLAMA_HOST: api.url },
        });
      const ran = await write();
      ok(performance.now() - started < 60_000);
      equal([ran.code, ran.stdout, [...Deno.readDirSync(dir)].length], [4, "I could not.\n", 0]);
      for (const name of files) match(ran.stderr, new RegExp(`home/${name}`));
      // What the rules deny is not known: nothing is changed unasked, whatever --auto says.
      match(JSON.stringify(api.bodies[1]), /what your own rule file denies is not known/);
      await Deno.remove(join(home, "permissions.json"));
      const again = await write();
      equal([again.code, again.stdout, [...Deno.readDirSync(dir)].length], [0, "Nor now.\n", 0]);
      match(again.stderr, /home\/undo/);
      match(JSON.stringify(api.bodies[3]), /Cannot record the edit for \/undo/);
    }),
});
