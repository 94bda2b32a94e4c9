import { deepStrictEqual as assertEquals, equal, match, rejects } from "node:assert";
import { join } from "node:path";
import { pending } from "@/policy/pending.ts";
import { Policy, type PolicyParts } from "@/policy/policy.ts";
import { Trust } from "@/policy/trust.ts";
import { commandCall, guardedCall, pathCall } from "../support/guarded_call.ts";
import { withWorkspace } from "../support/workspace.ts";

type World = {
  project: string;
  personalFile: string;
  trust: Trust;
  load(more?: Partial<PolicyParts>): Promise<Policy>;
};
type Files = { personal?: unknown; project?: unknown; plain?: unknown };

async function withFiles(files: Files, body: (world: World) => Promise<void>): Promise<void> {
  await withWorkspace(async (dir) => {
    const project = join(dir, "project");
    const personalFile = join(dir, "permissions.json");
    await Deno.mkdir(project);
    const write = async (path: string, content: unknown) => {
      if (content === undefined) return;
      await Deno.writeTextFile(
        path,
        typeof content === "string" ? content : JSON.stringify(content),
      );
    };
    await write(personalFile, files.personal);
    await write(join(project, ".permissions.json"), files.project);
    await write(join(project, "permissions.json"), files.plain);
    const trust = await Trust.load(join(dir, "trust.json"));
    const load = (more: Partial<PolicyParts> = {}) =>
      Policy.load({ personalFile, project, trust, place: () => ({ workspace: project }), ...more });
    await body({ project, personalFile, trust, load });
  });
}

const ls = () => commandCall("ls");
const rm = () => commandCall("rm x");

Deno.test("Policy adds up the person's rules, those for this project, and options", async () => {
  await withFiles({}, async ({ project, personalFile, load }) => {
    const rules = {
      deny: ["run_cmd(rm *)"],
      projects: { [project]: { allow: ["run_cmd(ls)"] }, "/other": { allow: ["run_cmd"] } },
    };
    await Deno.writeTextFile(personalFile, JSON.stringify(rules));
    const policy = await load({ flags: { allow: ["run_cmd(git log *)"], deny: ["delete_file"] } });
    equal(policy.allowed(ls())?.verdict, "allow");
    equal(policy.allowed(commandCall("git log -1"))?.verdict, "allow");
    equal(policy.allowed(commandCall("cat x")), undefined);
    equal(policy.denied(rm())?.verdict, "deny");
    equal(policy.denied(pathCall("delete_file", [join(project, "a")]))?.verdict, "deny");
    assertEquals(policy.problems, []);
    assertEquals(policy.rulesInForce(), [
      { text: "run_cmd(git log *)", verdict: "allow", from: "--allow" },
      { text: "delete_file", verdict: "deny", from: "--deny" },
      { text: "run_cmd(rm *)", verdict: "deny", from: personalFile },
      { text: "run_cmd(ls)", verdict: "allow", from: `${personalFile}, for this project` },
    ]);
  });
});

Deno.test("a project's allow rules wait for trust in their exact contents; its other rules count at once", async () => {
  const project = { allow: ["run_cmd(ls)"], ask: ["run_cmd(git *)"], deny: ["run_cmd(rm *)"] };
  await withFiles({ project }, async (world) => {
    const policy = await world.load();
    equal(policy.allowed(ls()), undefined);
    match(policy.whyNotAllowed(ls()) ?? "", /^once the project is trusted, rule "run_cmd\(ls\)"/);
    equal(policy.denied(rm())?.verdict, "deny");
    equal(policy.asked(commandCall("git status"))?.verdict, "ask");
    equal(policy.rulesInForce()[0]?.idle, "the project's file is not trusted as it is now");
    await world.trust.grant(world.project, await pending(world.trust, world.project));
    await policy.reload();
    equal(policy.allowed(ls())?.verdict, "allow");
    await Deno.writeTextFile(join(world.project, ".permissions.json"), '{"allow": ["run_cmd"]}');
    await policy.reload();
    equal(policy.allowed(ls()), undefined);
  });
});

Deno.test("the dotted project file hides the other, also when it is broken", async () => {
  await withFiles({ project: { allow: ["a"] }, plain: { allow: ["b"] } }, async ({ load }) => {
    assertEquals((await load()).rulesInForce().map(({ text }) => text), ["a"]);
  });
  await withFiles({ project: "{", plain: { deny: ["b"] } }, async ({ load }) => {
    assertEquals((await load()).rulesInForce(), []);
  });
  await withFiles({ plain: { deny: ["b"] } }, async ({ load }) => {
    assertEquals((await load()).rulesInForce().map(({ text }) => text), ["b"]);
  });
});

Deno.test("a broken project file allows nothing of the project and takes nothing from the person", async () => {
  for (const project of ["{", "[]", { allow: ["run_cmd"], deny: "run_cmd(rm *)" }]) {
    await withFiles(
      { project, personal: { allow: ["run_cmd(ls)"], deny: ["delete_file"] } },
      async ({ project: root, trust, load }) => {
        trust.trustForRun(root, await pending(trust, root));
        const policy = await load();
        equal(policy.allowed(ls())?.verdict, "allow");
        equal(policy.allowed(rm()), undefined);
        match(
          policy.problems.at(-1) ?? "",
          /none of its rules allows anything, and everything asks$/,
        );
        // Its deny rules are not known: what no rule of the person's covers asks, whatever else would let it through.
        equal(policy.asked(ls()), undefined);
        match(
          policy.asked(rm())?.reason ?? "",
          /^what the project's rule file denies is not known/,
        );
      },
    );
  }
});

Deno.test("a broken file of the person's means that no rule allows anything", async () => {
  for (
    const personal of [
      "{",
      "[]",
      '{"deny": "x"}',
      '{"allow": ["run_cmd"], "deny": [{"tool": "x"}]}',
    ]
  ) {
    await withFiles(
      { personal, project: { allow: ["run_cmd"], deny: ["run_cmd(rm *)"] } },
      async ({ project: root, trust, load }) => {
        trust.trustForRun(root, await pending(trust, root));
        const policy = await load({ flags: { allow: ["run_cmd"] } });
        equal(policy.allowed(ls()), undefined);
        equal(policy.denied(rm())?.verdict, "deny");
        match(policy.problems.at(-1) ?? "", /no rule allows anything: everything asks$/);
        match(policy.asked(ls())?.reason ?? "", /^what your own rule file denies is not known/);
        // What the person says now, in this run, counts.
        const [reach] = policy.reachesOf(ls());
        if (reach === undefined) throw new Error("no reach");
        await policy.remember({ answer: "always", reach, scope: "run" });
        equal(policy.allowed(ls())?.by, "grant");
        equal(policy.asked(ls()), undefined);
      },
    );
  }
});

Deno.test("rule files that are no files are refused without waiting for them", async () => {
  if (Deno.build.os === "windows") return;
  await withFiles({}, async ({ project, personalFile, load }) => {
    const { success } = await new Deno.Command("mkfifo", { args: [personalFile] }).output();
    equal(success, true);
    await Deno.symlink("/nowhere", join(project, ".permissions.json"));
    const policy = await load();
    assertEquals(policy.problems.slice(0, 2), [
      `Cannot read the permission rules in ${personalFile}: it is not a file`,
      "Cannot read the permission rules in .permissions.json: it is a link to nothing",
    ]);
  });
});

Deno.test("remember() makes an answer count at once and after a restart, as far as it was meant", async () => {
  await withFiles({}, async ({ project, personalFile, load }) => {
    const policy = await load();
    const call = commandCall("git status");
    const [literal, prefix] = policy.reachesOf(call);
    if (literal === undefined || prefix === undefined) throw new Error("no reach");
    await policy.remember({ answer: "always", reach: literal, scope: "project" });
    equal(policy.allowed(call)?.verdict, "allow");
    equal(policy.allowed(commandCall("git status --short")), undefined);
    assertEquals(JSON.parse(await Deno.readTextFile(personalFile)), {
      projects: { [project]: { allow: [{ tool: "run_cmd", literal: "git status" }] } },
    });
    assertEquals([...Deno.readDirSync(project)], []);
    equal((await load()).allowed(call)?.by, "grant");
    equal((await load({ project: "/other" })).allowed(call), undefined);
    await policy.remember({ answer: "always", reach: prefix, scope: "everywhere" });
    equal((await load({ project: "/other" })).allowed(commandCall("git status -s"))?.by, "rule");
  });
});

Deno.test("remember() for this run is gone with it", async () => {
  await withFiles({}, async ({ personalFile, load }) => {
    const policy = await load();
    for (const reach of policy.reachesOf(commandCall("git log"))) {
      await policy.remember({ answer: "always", reach, scope: "run" });
    }
    equal(policy.allowed(ls())?.by, "grant");
    await policy.reload();
    equal(policy.allowed(ls())?.by, "grant");
    equal((await load()).allowed(ls()), undefined);
    await rejects(Deno.stat(personalFile), Deno.errors.NotFound);
  });
});

Deno.test("remember() says that it cannot save, and then nothing counts", async () => {
  await withFiles({ personal: "{" }, async ({ personalFile, load }) => {
    const policy = await load();
    const [reach] = policy.reachesOf(ls());
    if (reach === undefined) throw new Error("no reach");
    await rejects(policy.remember({ answer: "always", reach, scope: "project" }), /damaged/);
    equal(policy.allowed(ls()), undefined);
    equal(await Deno.readTextFile(personalFile), "{");
  });
});

Deno.test("add() refuses what is no rule, and saves what is one", async () => {
  await withFiles({}, async ({ load }) => {
    const policy = await load();
    await rejects(policy.add("run_cmd()", "allow", "project"), /its pattern is empty/);
    await policy.add(" run_cmd(rm *) ", "deny", "everywhere");
    equal(policy.denied(rm())?.verdict, "deny");
  });
});

Deno.test("addForNow() holds rules until they are lifted", async () => {
  await withFiles({ personal: { allow: ["write_file"] } }, async ({ project, load }) => {
    const policy = await load();
    const call = pathCall("write_file", [join(project, "a_test.ts")]);
    const lift = await policy.addForNow("/tdd", ["write_file(*_test.ts)"], "deny");
    equal(policy.denied(call)?.reason, 'rule "write_file(*_test.ts)" (/tdd) denies this path');
    await policy.reload();
    equal(policy.denied(call)?.verdict, "deny");
    await lift();
    equal(policy.denied(call), undefined);
    equal(policy.allowed(call)?.verdict, "allow");
  });
});

Deno.test("reachesOf() offers nothing where the same question would come again", async () => {
  await withFiles(
    { personal: { deny: ["run_cmd(rm *)"], ask: ["run_cmd(git push *)"] } },
    async ({ load }) => {
      const policy = await load();
      assertEquals(policy.reachesOf(commandCall("git push origin")), []);
      assertEquals(policy.reachesOf(commandCall("ls; rm x")), []);
      equal(policy.reachesOf(ls()).length, 3);
      assertEquals((await load({ isEnabled: () => false })).reachesOf(ls()), []);
    },
  );
});

Deno.test("with PERMISSIONS_ENABLED off no rule is consulted", async () => {
  await withFiles({
    personal: { allow: ["run_cmd"], deny: ["run_cmd(rm *)"], ask: ["run_cmd(ls)"] },
  }, async ({ load }) => {
    let isOn = false;
    const policy = await load({ isEnabled: () => isOn });
    assertEquals([policy.denied(rm()), policy.asked(ls()), policy.allowed(ls())], [
      undefined,
      undefined,
      undefined,
    ]);
    equal(policy.rulesInForce()[0]?.idle, "PERMISSIONS_ENABLED is off");
    match(policy.whyNotAllowed(ls()) ?? "", /not consulted/);
    isOn = true;
    equal(policy.denied(rm())?.verdict, "deny");
  });
});

Deno.test("a rule for a linked place is a rule for where it leads", async () => {
  if (Deno.build.os === "windows") return;
  await withWorkspace(async (dir) => {
    const [project, real, link] = [join(dir, "project"), join(dir, "real"), join(dir, "link")];
    for (const path of [project, real]) await Deno.mkdir(path);
    await Deno.symlink(real, link);
    await Deno.symlink(real, join(project, "inside"));
    const personalFile = join(dir, "permissions.json");
    await Deno.writeTextFile(
      personalFile,
      JSON.stringify({
        allow: [`read_file(${link}/*)`, "write_file(inside/*)"],
        deny: ["read_file(inside/secret*)"],
      }),
    );
    const trust = await Trust.load(join(dir, "trust.json"));
    const policy = await Policy.load({
      personalFile,
      project,
      trust,
      place: () => ({ workspace: project }),
    });
    const outside = { outside: true };
    equal(policy.allowed(pathCall("read_file", [join(real, "a")], outside))?.verdict, "allow");
    equal(policy.denied(pathCall("read_file", [join(real, "secret")], outside))?.verdict, "deny");
    // The link in the project is whoever's made it: it widens nothing.
    equal(policy.allowed(pathCall("write_file", [join(real, "a")], outside)), undefined);
    equal(policy.rulesInForce().length, 3);
  });
});

Deno.test("only with a sandbox does a stated reason take a command out of it", async () => {
  await withFiles(
    { personal: { allow: ["run_cmd(ls)", "unsandboxed(git push)"] } },
    async ({ load }) => {
      const leaving = (text: string) =>
        guardedCall({ kind: "command", text }, {
          tool: "run_cmd",
          input: { outside_sandbox: "needs the net" },
        });
      const inside = await load({ isSandboxed: () => true });
      equal(inside.allowed(leaving("ls")), undefined);
      equal(inside.allowed(leaving("git push"))?.verdict, "allow");
      equal(inside.allowed(ls())?.verdict, "allow");
      const none = await load({ isSandboxed: () => false });
      equal(none.allowed(leaving("ls"))?.verdict, "allow");
      equal(none.allowed(leaving("git push")), undefined);
    },
  );
});
