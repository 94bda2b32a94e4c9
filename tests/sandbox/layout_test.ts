import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { findLayout, type Layout, outermost } from "@/sandbox/layout.ts";
import { findToolchains } from "@/sandbox/toolchains.ts";
import { withWorkspace } from "../support/workspace.ts";

const ignore = Deno.build.os === "windows";

async function make(dir: string, ...paths: readonly string[]): Promise<void> {
  for (const path of paths) await Deno.mkdir(join(dir, path), { recursive: true });
}

async function file(path: string, text = ""): Promise<void> {
  await Deno.mkdir(join(path, ".."), { recursive: true });
  await Deno.writeTextFile(path, text);
}

function layoutOf(dir: string, more: Partial<Parameters<typeof findLayout>[0]> = {}) {
  return findLayout({
    workspace: join(dir, "home/code/project"),
    added: [],
    stateDir: join(dir, "home/.harness"),
    stateNames: ["sessions"],
    env: { HOME: join(dir, "home") },
    uid: 4_294_000,
    ...more,
  });
}

function held(layout: Layout | { problem: string }): Layout {
  if ("problem" in layout) throw new Error(layout.problem);
  return layout;
}

Deno.test({ name: "findLayout() hides the home and gives the workspace", ignore }, async () => {
  await withWorkspace(async (dir) => {
    await make(dir, "home/code/project", "home/.harness", "other", "home/code/project/inner");
    const project = join(dir, "home/code/project");
    const layout = held(layoutOf(dir, { added: [join(dir, "other"), join(project, "inner")] }));
    equal(layout.roots, [project, join(dir, "other")]);
    equal([layout.home, layout.homes], [join(dir, "home"), [join(dir, "home")]]);
    equal(layout.homeLink, undefined);
  });
});

Deno.test({
  name: "findLayout() follows a home that is a link, and remembers how it was spelled",
  ignore,
}, async () => {
  await withWorkspace(async (dir) => {
    await make(dir, "home/code/project", "home/.harness");
    await Deno.symlink(join(dir, "home"), join(dir, "link"));
    const layout = held(layoutOf(dir, { env: { HOME: join(dir, "link") } }));
    equal([layout.home, layout.homeLink], [join(dir, "home"), join(dir, "link")]);
  });
});

Deno.test({ name: "findLayout() makes do without a home", ignore }, async () => {
  await withWorkspace(async (dir) => {
    await make(dir, "home/code/project", "home/.harness");
    for (const home of ["", "/", "/nonexistent", "relative", "/usr/sbin"]) {
      const layout = held(layoutOf(dir, { env: { HOME: home } }));
      equal(layout.homes, [], home);
      match(layout.home, /tmp\/home$/);
    }
  });
});

Deno.test(
  { name: "findLayout() refuses what would show a home, the state or the system", ignore },
  async () => {
    await withWorkspace(async (dir) => {
      await make(dir, "home/code/project", "home/.harness/sessions/x", "home/.harness/mine");
      const problem = (workspace: string, added: string[] = []) => {
        const layout = layoutOf(dir, { workspace, added });
        return "problem" in layout ? layout.problem : "";
      };
      match(problem(join(dir, "home")), /holds your home folder/);
      match(problem(dir), /holds your home folder/);
      match(problem(join(dir, "home/code/project"), [join(dir, "home")]), /holds your home folder/);
      match(problem("/"), /part of the system/);
      match(problem("/proc/self"), /part of the system/);
      match(problem(join(dir, "home/.harness")), /sessions, keys and settings/);
      match(problem(join(dir, "home/.harness/sessions/x")), /sessions, keys and settings/);
      equal(problem(join(dir, "home/.harness/mine")), "");
      equal(problem(join(dir, "home/code/project")), "");
    });
  },
);

Deno.test("outermost() leaves out what lies in another", () => {
  equal(outermost(["/a/b", "/a", "/ab", "/a/b/c", "/a"]), ["/a", "/ab"]);
  equal(outermost([]), []);
});

function toolchainsOf(
  home: string,
  env: Record<string, string> = {},
  isSecret = (_: string) => false,
) {
  return findToolchains({
    homes: [home],
    env,
    isHidden: (path) => path === home || path.startsWith(`${home}/`),
    isSecret,
  });
}

Deno.test(
  { name: "findToolchains() shows toolchains by sub-path and no credentials", ignore },
  async () => {
    await withWorkspace(async (home) => {
      await make(
        home,
        ".cargo/bin",
        ".cargo/registry",
        ".pyenv/versions",
        ".rustup",
        ".deno/bin",
        "go/pkg",
        ".volta/tools",
        ".sdkman/candidates",
        ".local/bin",
        ".ssh",
        ".aws",
        ".config/gh",
        ".m2/repository",
        ".local/share/gem/ruby",
      );
      await file(join(home, ".local/share/gem/credentials"));
      await file(join(home, ".cargo/credentials.toml"));
      await file(join(home, ".nvm/versions/node/v20/etc/npmrc"));
      await file(join(home, ".nvm/versions/node/v20/bin/node"));
      await file(join(home, ".nvm/.npmrc"));
      await file(join(home, ".m2/settings.xml"));
      const { dirs, hidden } = toolchainsOf(home);
      equal(dirs.map(({ at }) => at.slice(home.length + 1)).sort(), [
        ".cargo/bin",
        ".cargo/registry",
        ".deno/bin",
        ".local/bin",
        ".local/share/gem/ruby",
        ".m2/repository",
        ".nvm",
        ".pyenv",
        ".rustup",
        ".sdkman/candidates",
        ".volta/tools",
        "go/pkg",
      ]);
      equal(hidden.map((path) => path.slice(home.length + 1)).sort(), [
        ".nvm/.npmrc",
        ".nvm/versions/node/v20/etc/npmrc",
      ]);
    });
  },
);

Deno.test(
  { name: "findToolchains() shows what PATH names, with what belongs to it", ignore },
  async () => {
    await withWorkspace(async (dir) => {
      const home = join(dir, "home");
      await make(
        home,
        "tools/foo/bin",
        "tools/foo/lib",
        "tools/foo/data",
        ".local/bin",
        ".local/share",
        "bin",
        "lib",
        "project/.bin",
      );
      await make(dir, "elsewhere/bin", "secret");
      await Deno.symlink(join(dir, "elsewhere/bin"), join(home, "current"));
      const path = [
        join(home, "tools/foo/bin/"),
        join(home, ".local/bin"),
        join(home, "bin"),
        join(home, "current"),
        "relative",
        home,
        dir,
        join(home, "gone"),
      ];
      const { dirs } = toolchainsOf(home, { PATH: path.join(":") });
      equal(dirs.map(({ at, from }) => [at.slice(home.length), from.slice(dir.length)]), [
        ["/.local/bin", "/home/.local/bin"],
        ["/tools/foo/bin", "/home/tools/foo/bin"],
        ["/tools/foo/lib", "/home/tools/foo/lib"],
        ["/bin", "/home/bin"],
        ["/current", "/elsewhere/bin"],
      ]);
    });
  },
);

Deno.test({
  name:
    "findToolchains() shows the environment of a program that PATH has as a link, and of no other file",
  ignore,
}, async () => {
  await withWorkspace(async (dir) => {
    const home = await Deno.realPath(dir);
    await make(home, ".local/bin", "poetry/venv/bin", "poetry/venv/lib", "poetry/cache", "notes");
    for (const name of ["poetry/venv/bin/poetry", "poetry/venv/pyvenv.cfg", "notes/diary"]) {
      await file(join(home, name));
    }
    await Deno.symlink("../../poetry/venv/bin/poetry", join(home, ".local/bin/poetry"));
    await Deno.symlink("../../notes/diary", join(home, ".local/bin/diary"));
    await Deno.symlink("../../gone", join(home, ".local/bin/gone"));
    const { dirs } = toolchainsOf(home, { PATH: join(home, ".local/bin") });
    equal(dirs.map(({ at }) => at.slice(home.length + 1)), [
      ".local/bin",
      "poetry/venv/bin",
      "poetry/venv/lib",
      "poetry/venv/pyvenv.cfg",
    ]);
  });
});

Deno.test({
  name: "findToolchains() never shows a home, or what is secret, whatever a variable says",
  ignore,
}, async () => {
  await withWorkspace(async (home) => {
    await make(home, ".harness/bin", "x");
    await Deno.symlink(home, join(home, ".pyenv"));
    await Deno.symlink("/", join(home, ".rustup"));
    const env = {
      GOPATH: `${home}:${home}/x`,
      CARGO_HOME: home,
      NVM_DIR: join(home, ".harness"),
      PATH: join(home, ".harness/bin"),
    };
    const isSecret = (path: string) =>
      path.startsWith(join(home, ".harness")) || join(home, ".harness").startsWith(`${path}/`);
    const { dirs } = toolchainsOf(home, env, isSecret);
    ok(
      dirs.every(({ from }) => from !== home && from !== "/" && !from.includes(".harness")),
      JSON.stringify(dirs),
    );
  });
});
