/** Whether there is anything to read, without reading it. */
import { deepStrictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { mayBringRights, mayHaveRules } from "@/policy/project_files.ts";
import { withWorkspace } from "../support/workspace.ts";

Deno.test("mayBringRights() and mayHaveRules() are false only where nothing is", () =>
  withWorkspace(async (dir) => {
    const project = join(dir, "project");
    const personal = join(dir, "permissions.json");
    await Deno.mkdir(join(project, "src"), { recursive: true });
    const both = async () => [await mayBringRights(project), await mayHaveRules(project, personal)];
    equal(await both(), [false, false]);

    const cases: [path: string, expected: boolean[]][] = [
      [join(project, ".permissions.json"), [true, true]],
      [join(project, "permissions.json"), [true, true]],
      [join(project, ".mcp.json"), [true, false]],
      [join(project, "mcp.json"), [true, false]],
      [join(project, "skills"), [true, false]],
      [join(project, ".env"), [true, false]],
      [personal, [false, true]],
    ];
    for (const [path, expected] of cases) {
      await Deno.symlink("/nowhere/at all", path); // What it is and whether it can be read does not matter.
      equal(await both(), expected, path);
      await Deno.remove(path);
    }
  }));

Deno.test("mayBringRights() is true for a project that cannot be looked into", () =>
  withWorkspace(async (dir) => {
    await Deno.writeTextFile(join(dir, "file"), "");
    equal(await mayBringRights(join(dir, "file")), true);
  }));
