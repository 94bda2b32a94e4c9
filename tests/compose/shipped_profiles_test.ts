import { deepStrictEqual as equal, match, rejects } from "node:assert/strict";
import { join } from "node:path";
import type { Place } from "@/compose/place.ts";
import { CODER, loadProfile } from "@/compose/profile.ts";
import { SHIPPED_PROFILES } from "@/compose/shipped_profiles.ts";
import { copyProfile } from "@/features/profile/copy.ts";
import { toolNames } from "@/tools/mod.ts";
import { withWorkspace } from "../support/workspace.ts";

const placeIn = (root: string) =>
  // Only these two are read.
  ({ workspace: join(root, "ws"), stoodIn: root }) as unknown as Place;

Deno.test("loadProfile() finds those that come with harness by name, before any directory of that name", () =>
  withWorkspace(async (root) => {
    const place = placeIn(root);
    await Deno.mkdir(join(root, "ws"));
    await Deno.mkdir(join(root, "supervisor"));
    await Deno.writeTextFile(join(root, "supervisor/profile.md"), "Somebody else.");
    equal(await loadProfile({ profile: "coder" }, place), CODER);
    const { name, directory, agents, rules } = await loadProfile({ profile: "supervisor" }, place);
    equal([name, directory, agents], ["supervisor", undefined, CODER]);
    equal(rules?.otherwise?.verdict, "ask");
    const there = await loadProfile({ profile: "./supervisor" }, place);
    equal(there.prompt, "Somebody else.");
    await rejects(loadProfile({ profile: "superviser" }, place), (error: { hint: string }) => {
      match(error.hint, /coder, supervisor/);
      return true;
    });
  }));

Deno.test("the rules of the supervisor name tools that there are", async () => {
  const { rules } = await loadProfile({ profile: "supervisor" }, placeIn("/nowhere"));
  const named = (rules?.entries ?? []).flat().map(({ tool }) => tool);
  equal(named.filter((tool) => !toolNames().includes(tool)), []);
});

Deno.test("agents: says what sub-agents are hired as, by a name or from where the profile is", () =>
  withWorkspace(async (root) => {
    const place = placeIn(root);
    for (const dir of ["ws", "boss", "boss/hand"]) await Deno.mkdir(join(root, dir));
    const write = (path: string, text: string) => Deno.writeTextFile(join(root, path), text);
    await write("boss/profile.md", "---\nagents: hand\n---\nYou lead.");
    await write("boss/hand/profile.md", "---\nagents: nobody-reads-this\n---\nYou do.");
    const { agents, prompt } = await loadProfile({ profile: "boss" }, place);
    equal([prompt, agents?.name, agents?.prompt, agents?.agents], [
      "You lead.",
      "hand",
      "You do.",
      undefined,
    ]);
    await write("boss/profile.md", "---\nname: boss\nagents: foot\n---\n");
    await rejects(
      loadProfile({ profile: "boss" }, place),
      /boss\/profile\.md:3: The profile "foot" is not a directory/,
    );
  }));

Deno.test("copyProfile() copies whole, reads back the same, and touches nothing that is there", () =>
  withWorkspace(async (root) => {
    const place = placeIn(root);
    await Deno.mkdir(join(root, "ws"));
    const folder = join(root, "profiles");
    match((await copyProfile("supervisor", folder)).text, /start with --profile/);
    const copied = await loadProfile({ profile: join(folder, "supervisor") }, place);
    const shipped = await loadProfile({ profile: "supervisor" }, place);
    equal(copied.prompt, shipped.prompt);
    equal(copied.rules?.entries.length, shipped.rules?.entries.length);
    await Deno.writeTextFile(join(folder, "supervisor/profile.md"), "Mine.");
    const again = await copyProfile("supervisor", folder);
    equal([again.ok, Deno.readTextFileSync(join(folder, "supervisor/profile.md"))], [
      false,
      "Mine.",
    ]);
    equal((await copyProfile("toString", folder)).ok, false);
    equal(Object.keys(SHIPPED_PROFILES), ["coder", "supervisor"]);
  }));
