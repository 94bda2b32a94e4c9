import { deepStrictEqual as equal } from "node:assert/strict";
import { basename, join } from "node:path";
import { MountPlan } from "@/sandbox/mount_plan.ts";
import { PrivateDir } from "@/sandbox/private_dir.ts";
import { withWorkspace } from "../support/workspace.ts";

const ignore = Deno.build.os === "windows";

/** The mounts of a plan, a line each; private directories as "own". */
function lines(plan: MountPlan, dir: PrivateDir): string[] {
  const found: string[] = [];
  for (const arg of plan.args) {
    if (arg.startsWith("--")) found.push(arg.slice(2));
    else found.push(`${found.pop()} ${arg.startsWith(dir.path) ? "own" : arg}`);
  }
  return found;
}

async function withPlan(
  body: (plan: MountPlan, place: { root: string; dir: PrivateDir }) => void | Promise<void>,
): Promise<void> {
  await withWorkspace(async (parent) => {
    const root = join(parent, "root");
    await Deno.mkdir(join(root, "a", "b"), { recursive: true });
    await Deno.writeTextFile(join(root, "a", "b", "file"), "");
    const dir = await PrivateDir.create(parent);
    const plan = new MountPlan(dir);
    plan.system();
    await body(plan, { root, dir });
    await dir.remove();
  });
}

Deno.test({
  name: "MountPlan makes every directory on the way in a private one a mount of its own",
  ignore,
}, async () => {
  await withPlan((plan, { root, dir }) => {
    plan.own("/tmp");
    plan.write(root);
    const ways = root.split("/").slice(2, -1).map((_, index, all) =>
      `/tmp/${all.slice(0, index + 1).join("/")}`
    );
    equal(lines(plan, dir), [
      "ro-bind / /",
      "bind own /tmp",
      ...ways.map((way) => `bind own ${way}`),
      `bind ${root} ${root}`,
    ]);
    equal(plan.problem(), undefined);
    // What was made for them: a directory for the next mount in each.
    equal([...Deno.readDirSync(dir.ownDir("/tmp"))].map(({ name }) => name), [
      basename(ways[0] ?? ""),
    ]);
  });
});

Deno.test(
  { name: "MountPlan pins the directories on the way in a writable one", ignore },
  async () => {
    await withPlan(async (plan, { root, dir }) => {
      plan.write(root);
      plan.show("/etc/hostname", join(root, "a", "b", "file"));
      equal(lines(plan, dir).slice(1), [
        `bind ${root} ${root}`,
        `bind ${root}/a ${root}/a`,
        `bind ${root}/a/b ${root}/a/b`,
        `ro-bind /etc/hostname ${root}/a/b/file`,
      ]);
      equal(plan.problem(), undefined);
      await Deno.rename(join(root, "a"), join(root, "c"));
      await Deno.symlink("/etc", join(root, "a"));
      equal(plan.problem(), join(root, "a"), "a link is not what was there");
    });
  },
);

Deno.test({
  name: "MountPlan notices what was replaced, removed or planted before the next start",
  ignore,
}, async () => {
  await withPlan(async (plan, { root, dir }) => {
    plan.own("/home");
    plan.show("/etc", "/home/u/.tool/bin");
    plan.write(root);
    equal(plan.problem(), undefined);
    const planted = join(dir.ownDir("/home/u"), ".tool");
    await Deno.remove(planted);
    await Deno.symlink("/etc", planted);
    equal(plan.problem(), planted);
    await Deno.remove(planted);
    equal(plan.problem(), planted);
    await Deno.mkdir(planted);
    equal(plan.problem(), undefined);
    await Deno.remove(root, { recursive: true });
    equal(plan.problem(), root);
  });
});

Deno.test(
  { name: "MountPlan.isVisible() knows what the newest mount over a path is", ignore },
  async () => {
    await withPlan((plan, { root }) => {
      const seen = (...paths: string[]) => paths.map((path) => plan.isVisible(path));
      equal(seen("/etc/x", "/home/u/x"), [true, true]);
      plan.empty("/home");
      equal(seen("/etc/x", "/home", "/home/u/x", "/homer"), [true, false, false, true]);
      plan.own("/home/u");
      plan.show("/etc", "/home/u/shown");
      equal(seen("/home/u/x", "/home/u/shown/x"), [false, true]);
      plan.write(root);
      plan.empty(join(root, "a"));
      equal(seen(root, join(root, "x"), join(root, "a", "b")), [true, true, false]);
    });
  },
);

Deno.test({
  name: "MountPlan.link() stands in an empty directory or stays in a private one",
  ignore,
}, async () => {
  await withPlan((plan, { dir }) => {
    plan.empty("/home");
    plan.own("/tmp");
    for (let time = 0; time < 2; time += 1) {
      plan.link("/home/me", "/data/me");
      plan.link("/tmp/me", "/data/me");
      plan.link("/etc/me", "/data/me");
    }
    equal(plan.args.filter((arg) => arg === "--symlink").length, 2);
    equal(Deno.readLinkSync(join(dir.ownDir("/tmp"), "me")), "/data/me");
  });
});
