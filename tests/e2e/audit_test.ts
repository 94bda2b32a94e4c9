/** What the program touches, by Deno's own record of every permission that it asked for. */
import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { join } from "node:path";
import { startFakeOllama } from "../support/fake_ollama.ts";
import { harness } from "../support/program.ts";
import { withWorkspace } from "../support/workspace.ts";

type Access = { permission: string; value: string };

/** Writes outside of these are none of harness's business. */
type Declared = { writes: readonly string[]; hosts: readonly string[] };

Deno.test({
  name:
    "a run writes in the workspace, the state directory and tmp, and connects to its model alone",
  ignore: Deno.build.os === "windows",
}, async () => {
  await withWorkspace(async (dir) => {
    for (const name of ["home", "state", "project", "tmp"]) await Deno.mkdir(join(dir, name));
    const calls = [
      { name: "write_file", arguments: { filepath: "a.txt", content: "one" } },
      {
        name: "edit_file",
        arguments: { filepath: "a.txt", old_content: "one", new_content: "two" },
      },
      { name: "search_in_file", arguments: { query: "two" } },
      { name: "run_cmd", arguments: { command: "ls" } },
      { name: "run_python", arguments: { content: "1 + 1" } },
      { name: "git_status", arguments: {} },
      { name: "get_system_info", arguments: {} },
      { name: "delete_file", arguments: { filepath: "a.txt" } },
    ];
    await using api = startFakeOllama([{ calls }, { text: "Done." }]);
    const audit = join(dir, "audit.jsonl");
    const env = {
      ...{ HOME: join(dir, "home"), TMPDIR: join(dir, "tmp"), OLLAMA_HOST: api.url },
      DENO_AUDIT_PERMISSIONS: audit,
    };
    const args = ["-p", "Do it.", "-m", "ollama/gemma4:e4b", "--auto"];
    // Not through the built file, whose launcher takes such variables from Deno.
    const ran = await harness(args, { cwd: join(dir, "project"), home: join(dir, "state"), env });
    ok(ran.stdout.includes("Done."), ran.stderr);
    const accesses = await readAudit(audit);
    ok(accesses.some(({ permission }) => permission === "write"), "the record is not empty");
    const writes = ["project", "state", "tmp"].map((name) => join(dir, name));
    equal(outside(accesses, { writes, hosts: [new URL(api.url).host] }), []);
  });
});

/** Accesses beyond what is declared; none of some kinds are. */
function outside(accesses: readonly Access[], { writes, hosts }: Declared): string[] {
  const isDeclared = ({ permission, value }: Access) => {
    switch (permission) {
      case "write":
        return writes.some((dir) => value === dir || value.startsWith(`${dir}/`)) ||
          // The private home and tmp of commands.
          value.includes("/harness-sandbox-") ||
          // Deno asks for all writing when a link is made: the pin of a placement (place.ts).
          value === "/dev/null" || value === "null";
      case "net":
        // The way out of commands begins at a socket in their private directory.
        return /^unix:.*\/harness-sandbox-/.test(value) ||
          hosts.includes(URL.canParse(value) ? new URL(value).host : value);
      case "ffi":
      case "import":
        return false;
      default:
        return true; // Reading, the environment, programs and facts of the machine.
    }
  };
  return [...new Set(accesses.filter((one) => !isDeclared(one)).map((one) => JSON.stringify(one)))];
}

/** Looking at a path (stat, realPath) asks for reading and then for writing it (2.9.6): such a pair writes nothing. */
async function readAudit(path: string): Promise<Access[]> {
  const lines = (await Deno.readTextFile(path)).trim().split("\n");
  const all = lines.map((line): Access => {
    const { permission, value } = JSON.parse(line);
    return { permission: String(permission), value: String(value) };
  });
  return all.filter(({ permission, value }, at) => {
    const before = all[at - 1];
    return permission !== "write" || before?.permission !== "read" || before.value !== value;
  });
}
