import { deepStrictEqual as equal, match, rejects, throws } from "node:assert/strict";
import { join } from "node:path";
import { PersonError } from "@/protocol/error.ts";
import { findWorkspace, placeOfPerson, prepareHome, statePaths } from "@/settings/paths.ts";
import { canFillDisk } from "../support/small_disk.ts";
import { withWorkspace } from "../support/workspace.ts";

/** What is spelled with slashes here is spelled otherwise on Windows. */
const isWindows = Deno.build.os === "windows";
const onUnix = { ignore: isWindows };

Deno.test("statePaths() is ~/.harness, and HARNESS_HOME moves all of it", onUnix, () => {
  const cases: readonly [env: Record<string, string>, home: string][] = [
    [{ HOME: "/home/me" }, "/home/me/.harness"],
    [{ USERPROFILE: "/users/me" }, "/users/me/.harness"],
    [{ HOME: "", USERPROFILE: "/users/me" }, "/users/me/.harness"],
    [{ HOME: "/home/me", HARNESS_HOME: "" }, "/home/me/.harness"],
    [{ HOME: "/home/me", HARNESS_HOME: "/state" }, "/state"],
    [{ HARNESS_HOME: "/state/" }, "/state"],
    [{ HOME: "/home/me", HARNESS_HOME: "state/../x" }, "/stood/x"],
    [{ HOME: "/home/me", HARNESS_HOME: "~/x" }, "/home/me/x"],
    [{ HOME: "/home/me", HARNESS_HOME: "~" }, "/home/me"],
    [{ HOME: "/home/me", HARNESS_HOME: "~other" }, "/stood/~other"],
  ];
  for (const [env, home] of cases) {
    const paths = statePaths(env, "/stood");
    equal(paths.home, home, JSON.stringify(env));
    for (const path of Object.values(paths)) equal(path.startsWith(home), true, path);
  }
});

Deno.test("statePaths() names each file once", onUnix, () => {
  const { home: _, ...paths } = statePaths({ HARNESS_HOME: "/h" }, "/");
  equal(Object.values(paths).map((path) => path.slice(3)).sort(), [
    "accepted-terms.json",
    "caches",
    "channel",
    "debug.log",
    "demo",
    "history",
    "hooks.json",
    "keybindings.json",
    "mcp.json",
    "mcp_sign_ins.json",
    "memory.json",
    "permissions.json",
    "profiles",
    "providers.json",
    "sessions",
    "settings.json",
    "skills",
    "syntax",
    "trust.json",
    "undo",
    "vm",
  ]);
});

Deno.test("statePaths() says what to set when no home is known", () => {
  throws(() => statePaths({}, "/stood"), (error) => {
    if (!(error instanceof PersonError)) return false;
    equal(
      error.message,
      "Cannot tell where to keep sessions and settings: neither HARNESS_HOME nor HOME is set",
    );
    equal([error.kind, error.hint], ["state", "Set HARNESS_HOME to a directory of your own"]);
    return true;
  });
});

Deno.test("prepareHome() makes the directory for the person alone and leaves nothing in it", async () => {
  await withWorkspace(async (dir) => {
    const home = join(dir, "a/b/.harness");
    await prepareHome(home);
    await prepareHome(home);
    equal([...Deno.readDirSync(home)], []);
    if (!isWindows) equal((Deno.statSync(home).mode ?? 0) & 0o777, 0o700);
  });
});

Deno.test("prepareHome() keeps the mode of a directory that is there", onUnix, async () => {
  await withWorkspace(async (dir) => {
    await Deno.chmod(dir, 0o755);
    await prepareHome(dir);
    equal((Deno.statSync(dir).mode ?? 0) & 0o777, 0o755);
  });
});

Deno.test("prepareHome() says why a place cannot be used", async () => {
  await withWorkspace(async (dir) => {
    await Deno.writeTextFile(join(dir, "file"), "mine");
    for (const name of ["file", "file/below"]) {
      await rejects(prepareHome(join(dir, name)), (error) => {
        if (!(error instanceof PersonError)) return false;
        match(error.message, /^Cannot keep sessions and settings in ".*": (something|a part)/);
        equal(error.hint, "Make that directory writable, or set HARNESS_HOME to another one");
        return true;
      });
    }
    equal(await Deno.readTextFile(join(dir, "file")), "mine");
  });
});

Deno.test({
  name: "prepareHome() sees that a file system is read-only",
  ignore: !canFillDisk(),
  fn: async () => {
    await withWorkspace(async (dir) => {
      const script = join(dir, "script.ts");
      await Deno.writeTextFile(
        script,
        `import { prepareHome } from "@/settings/paths.ts";
         try { await prepareHome(Deno.args[0]); } catch (error) { console.log(error.message); }`,
      );
      const config = join(import.meta.dirname ?? "", "../../deno.json");
      const run = [Deno.execPath(), "run", "-q", "--config", config, "-R", "-W", "-E", "-S"];
      const mount = ["--dev-bind", "/", "/", "--ro-bind", dir, dir, "--"];
      const { stdout } = await new Deno.Command("bwrap", { args: [...mount, ...run, script, dir] })
        .output();
      equal(
        new TextDecoder().decode(stdout).trim(),
        `Cannot keep sessions and settings in "${dir}": the file system is read-only`,
      );
    });
  },
});

Deno.test("placeOfPerson() takes INIT_CWD only when deno task changed into our checkout", async () => {
  await withWorkspace(async (dir) => {
    const checkout = join(dir, "checkout");
    const link = join(dir, "link");
    const stood = join(dir, "stood");
    for (const path of [checkout, stood]) await Deno.mkdir(path);
    await Deno.symlink(checkout, link);
    const env = { INIT_CWD: stood };
    equal(await placeOfPerson({ env, cwd: checkout, taskRoot: checkout }), stood);
    equal(await placeOfPerson({ env, cwd: link, taskRoot: checkout }), stood);
    equal(await placeOfPerson({ env, cwd: checkout }), checkout, "a built file");
    equal(await placeOfPerson({ env, cwd: dir, taskRoot: checkout }), dir, "started by hand");
    equal(await placeOfPerson({ env: {}, cwd: checkout, taskRoot: checkout }), checkout);
    const gone = { INIT_CWD: join(dir, "gone") };
    equal(await placeOfPerson({ env: gone, cwd: checkout, taskRoot: checkout }), checkout);
  });
});

Deno.test("findWorkspace() is the real path of --cwd, else of where the person stood", async () => {
  await withWorkspace(async (dir) => {
    await Deno.mkdir(join(dir, "a/b"), { recursive: true });
    await Deno.symlink(join(dir, "a/b"), join(dir, "link"));
    equal(await findWorkspace(join(dir, "link")), join(dir, "a/b"));
    equal(await findWorkspace(dir, "link"), join(dir, "a/b"));
    equal(await findWorkspace(join(dir, "a"), "../a/b/.."), join(dir, "a"));
    equal(await findWorkspace("/elsewhere", join(dir, "a")), join(dir, "a"));
  });
});

Deno.test("findWorkspace() refuses what is no directory as wrong usage", async () => {
  await withWorkspace(async (dir) => {
    await Deno.writeTextFile(join(dir, "file"), "");
    await Deno.symlink(join(dir, "loop"), join(dir, "loop"));
    for (const name of ["file", "none", "file/x", "loop"]) {
      await rejects(findWorkspace(dir, name), (error) => {
        if (!(error instanceof PersonError)) return false;
        equal(error.kind, "usage");
        equal(error.message, `Cannot work in "${name}": it is not a directory`);
        return true;
      });
    }
    await rejects(findWorkspace(join(dir, "none")), /it is not a directory any more/);
  });
});
