import { deepStrictEqual as equal, match, ok, throws } from "node:assert/strict";
import { join } from "node:path";
import { Confine } from "@/workspace/confine.ts";
import { allowed, link, withTree } from "./confine_tree.ts";

Deno.test("resolve() gives the real path of what is inside, existing or not", async () => {
  await withTree(async (dir, confine) => {
    const ws = join(dir, "ws");
    for (
      const [spelled, real] of [
        ["src/a.ts", join(ws, "src/a.ts")],
        [join(ws, "src/a.ts"), join(ws, "src/a.ts")],
        [".", ws],
        [ws, ws],
        ["src/", join(ws, "src")],
        ["./src//../src/./a.ts", join(ws, "src/a.ts")],
        ["new/deep/file", join(ws, "new/deep/file")],
        ["../ws/src", join(ws, "src")],
        [join(dir, "more/m"), join(dir, "more/m")],
        ["../more/n", join(dir, "more/n")],
        ["~user", join(ws, "~user")],
        ["a~", join(ws, "a~")],
      ] as const
    ) {
      for (const effect of ["reads", "changes"] as const) {
        equal(await confine.resolve(spelled, effect), allowed(real));
      }
    }
  });
});

Deno.test("resolve() marks as outside what is outside without refusing it", async () => {
  await withTree(async (dir, confine) => {
    for (
      const [spelled, real] of [
        ["../out/secret", join(dir, "out/secret")],
        [join(dir, "ws-evil/secret"), join(dir, "ws-evil/secret")],
        ["../ws-evil/secret", join(dir, "ws-evil/secret")],
        ["..", dir],
        ["/", "/"],
        ["src/../../out/new", join(dir, "out/new")],
        ["~", join(dir, "home")],
        ["~/.bashrc", join(dir, "home/.bashrc")],
      ] as const
    ) {
      for (const effect of ["reads", "changes"] as const) {
        equal(await confine.resolve(spelled, effect), { real, outside: true });
      }
    }
  });
});

Deno.test("resolve() refuses what no spelling makes usable", async () => {
  await withTree(async (dir, confine) => {
    for (
      const [path, reason] of [
        ["", /it is empty/],
        ["a\0b", /NUL/],
        ["a\ud800b", /surrogate/],
        ["x".repeat(256), /a name in it is too long/],
        ["가".repeat(86), /a name in it is too long/],
        ["d/".repeat(2100), /too long for the system/],
        ["\\\\localhost\\c$\\secret.txt", /network and drive paths/],
        ["C:\\Windows\\win.ini", /network and drive paths/],
        ["c:/Windows/win.ini", /network and drive paths/],
        ["/proc/self/environ", /leads into \/proc/],
        ["/proc/self/root/etc/passwd", /leads into \/proc/],
        [`/proc/self/root${dir}/ws/src/a.ts`, /leads into \/proc/],
        ["/dev/stdin", /leads into \/dev/],
        ["/sys", /leads into \/sys/],
        ["../../../../../../../../dev/tty", /leads into \/dev/],
        ["no/../src/a.ts", /goes back with "\.\."/],
        ["src/a.ts/x", /passes through ".*a\.ts", which is not a directory/],
        ["src/a.ts/", /not a directory/],
        ["src/a.ts/..", /not a directory/],
      ] as const
    ) {
      for (const effect of ["reads", "changes"] as const) {
        const { refusal, outside } = await confine.resolve(path, effect);
        match(refusal ?? "none", reason, path.slice(0, 50));
        ok(outside);
        ok((refusal ?? "").length < 600);
      }
    }
  });
});

Deno.test("resolve() refuses a tilde when no home is known", async () => {
  await withTree(async (dir) => {
    const confine = new Confine({ workspace: join(dir, "ws"), added: [] });
    match((await confine.resolve("~/x", "reads")).refusal ?? "", /home directory/);
  });
});

Deno.test("resolve() takes '..' from where a link leads, as the kernel does", async () => {
  await withTree(async (dir, confine) => {
    link(join(dir, "out/sub"), join(dir, "ws/d"));
    equal(await confine.resolve("d/../secret", "reads"), {
      real: join(dir, "out/secret"),
      outside: true,
    });
    link("src", join(dir, "ws/s"));
    equal(await confine.resolve("s/../src/a.ts", "changes"), {
      real: join(dir, "ws/src/a.ts"),
      outside: false,
    });
  });
});

Deno.test("resolve() follows links inside and reads through links outside only as outside", async () => {
  await withTree(async (dir, confine) => {
    link("a.ts", join(dir, "ws/src/one"));
    link(join(dir, "ws/src/one"), join(dir, "ws/two"));
    equal(await confine.resolve("two", "changes"), allowed(join(dir, "ws/src/a.ts")));
    link(join(dir, "out/secret"), join(dir, "ws/notes"));
    link("notes", join(dir, "ws/notes2"));
    equal(await confine.resolve("notes2", "reads"), {
      real: join(dir, "out/secret"),
      outside: true,
    });
    link("/etc", join(dir, "ws/e"));
    equal((await confine.resolve("e/shadow", "reads")).outside, true);
  });
});

Deno.test("resolve() refuses a change through a link that leads outside, whatever anybody answers", async () => {
  await withTree(async (dir, confine) => {
    link(join(dir, "out/secret"), join(dir, "ws/notes"));
    link(join(dir, "out"), join(dir, "ws/build"));
    link("build", join(dir, "ws/chain"));
    link("../out", join(dir, "more/up"));
    for (
      const path of [
        "notes",
        "build",
        "build/x.txt",
        "chain/sub/new/x",
        "../more/up/x",
        "build/../out/x",
      ]
    ) {
      match(
        (await confine.resolve(path, "changes")).refusal ?? "none",
        /leads outside the workspace/,
        path,
      );
    }
  });
});

Deno.test("resolve() lets a link that stands outside lead a change outside: that is only a question", async () => {
  await withTree(async (dir, confine) => {
    link("sub", join(dir, "out/link"));
    const spelled = join(dir, "out/link/x");
    equal(await confine.resolve(spelled, "changes"), {
      real: join(dir, "out/sub/x"),
      outside: true,
    });
    link(join(dir, "ws"), join(dir, "out/back"));
    equal(
      await confine.resolve(join(dir, "out/back/src/a.ts"), "changes"),
      allowed(join(dir, "ws/src/a.ts")),
    );
  });
});

Deno.test("resolve() refuses a change through a dangling link and shows a read where it would lead", async () => {
  await withTree(async (dir, confine) => {
    link("nowhere", join(dir, "ws/dangling"));
    link("dangling", join(dir, "ws/chain"));
    link("no/dir", join(dir, "ws/d"));
    link(join(dir, "out/new"), join(dir, "ws/o"));
    for (const path of ["dangling", "chain", "d", "d/x", "o"]) {
      match((await confine.resolve(path, "changes")).refusal ?? "none", /does not exist/, path);
    }
    equal(await confine.resolve("chain", "reads"), allowed(join(dir, "ws/nowhere")));
    equal((await confine.resolve("o", "reads")).outside, true);
  });
});

Deno.test("resolve() refuses links in a circle, and takes a chain of 40", async () => {
  await withTree(async (dir, confine) => {
    link("b", join(dir, "ws/a"));
    link("a", join(dir, "ws/b"));
    link("self/x", join(dir, "ws/self"));
    for (const path of ["a", "a/x", "self"]) {
      match((await confine.resolve(path, "reads")).refusal ?? "none", /circle/);
    }
    link("src/a.ts", join(dir, "ws/l1"));
    for (let i = 2; i <= 41; i++) link(`l${i - 1}`, join(dir, `ws/l${i}`));
    equal((await confine.resolve("l40", "reads")).real, join(dir, "ws/src/a.ts"));
    match((await confine.resolve("l41", "reads")).refusal ?? "none", /circle/);
  });
});

Deno.test("resolve() with leaf keep stands for the link itself", async () => {
  await withTree(async (dir, confine) => {
    link(join(dir, "out/secret"), join(dir, "ws/notes"));
    link("nowhere", join(dir, "ws/dangling"));
    link(join(dir, "out"), join(dir, "ws/build"));
    link("src", join(dir, "ws/s"));
    for (const name of ["notes", "dangling", "build"]) {
      equal(
        await confine.resolve(name, "changes", { leaf: "keep" }),
        allowed(join(dir, "ws", name)),
      );
    }
    equal(
      (await confine.resolve("s/a.ts", "changes", { leaf: "keep" })).real,
      join(dir, "ws/src/a.ts"),
    );
    // A slash at the end means what the link leads to, as in the kernel.
    match((await confine.resolve("build/", "changes", { leaf: "keep" })).refusal ?? "", /outside/);
    match(
      (await confine.resolve("build/secret", "changes", { leaf: "keep" })).refusal ?? "",
      /outside/,
    );
  });
});

Deno.test("resolve() refuses the state directory to every tool, by any way", async () => {
  await withTree(async (dir, confine) => {
    link(join(dir, "state"), join(dir, "ws/cfg"));
    link(join(dir, "state/keys.json"), join(dir, "ws/keys"));
    for (
      const path of [
        "cfg/keys.json",
        "keys",
        "cfg",
        "../state",
        "../state/new/file",
        join(dir, "state/keys.json"),
      ]
    ) {
      for (const effect of ["reads", "changes"] as const) {
        match((await confine.resolve(path, effect)).refusal ?? "none", /keeps its own state/, path);
      }
    }
    ok(confine.isForbidden(join(dir, "state/deep/x")));
    ok(!confine.isForbidden(join(dir, "state-2")));
  });
});

Deno.test("resolve() refuses a state directory that does not exist yet, and one inside the workspace", async () => {
  await withTree(async (dir) => {
    link(join(dir, "ws"), join(dir, "alias"));
    const confine = new Confine({
      workspace: join(dir, "ws"),
      added: [],
      forbidden: [join(dir, "alias/.harness")],
    });
    match((await confine.resolve(".harness/x", "changes")).refusal ?? "none", /state/);
    Deno.mkdirSync(join(dir, "ws/.harness"));
    link(".harness", join(dir, "ws/alias"));
    match((await confine.resolve("alias/x", "changes")).refusal ?? "none", /state/);
  });
});

Deno.test({
  name: "resolve() refuses pipes and sockets without opening them",
  ignore: Deno.build.os === "windows",
  async fn() {
    await withTree(async (dir, confine) => {
      await new Deno.Command("mkfifo", { args: [join(dir, "ws/pipe")] }).output();
      const bind = "import socket,sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])";
      await new Deno.Command("python3", { args: ["-c", bind, join(dir, "ws/socket")] }).output();
      link("pipe", join(dir, "ws/to-pipe"));
      for (const path of ["pipe", "socket", "to-pipe"]) {
        match((await confine.resolve(path, "reads")).refusal ?? "none", /never opened/);
        match((await confine.resolve(path, "changes")).refusal ?? "none", /never opened/);
      }
    });
  },
});

Deno.test("resolve() lets a hard link be read and changed: it cannot be told from a file", async () => {
  await withTree(async (dir, confine) => {
    Deno.linkSync(join(dir, "out/secret"), join(dir, "ws/hard"));
    equal(await confine.resolve("hard", "changes"), allowed(join(dir, "ws/hard")));
  });
});

Deno.test("Confine refuses relative directories: they would move with the process", () => {
  throws(() => new Confine({ workspace: "ws", added: [] }), TypeError);
});
