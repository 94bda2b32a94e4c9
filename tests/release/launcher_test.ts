/** The launcher in every shell that is here, with a probe in the place of Deno. */
import { deepStrictEqual as equal, match, ok } from "node:assert";
import { launcher, LAUNCHER_BYTES } from "@/release/launcher.ts";
import { SCOPE_FILE } from "@/release/scope.ts";
import { OURS, personEnv, SET_ASIDE } from "@/sandbox/person_env.ts";
import { writeProgram } from "../support/program_file.ts";
import { namesIn, probeFile, started } from "../support/single_file.ts";
import { withWorkspace } from "../support/workspace.ts";

const ignore = Deno.build.os === "windows";

/** Ways to run a shell script; those that are not installed are left out. */
const SHELLS: readonly (readonly [string, ...string[]])[] = [
  ["sh"],
  ["dash"],
  ["bash", "--posix"],
  ["busybox", "sh"],
  ["zsh", "--emulate", "sh"],
  ["mksh"],
].filter(([name]) => isInstalled(name ?? "")).map(([name = "", ...rest]) => [name, ...rest]);

function isInstalled(program: string): boolean {
  const dirs = (Deno.env.get("PATH") ?? "").split(":");
  return dirs.some((dir) => {
    try {
      return Deno.statSync(`${dir}/${program}`).isFile;
    } catch (error) {
      if (error instanceof Error) return false;
      throw error;
    }
  });
}

const FACTS = {
  version: "0.1.0+1a2b3c4d5e.changed",
  target: "x86_64-unknown-linux-gnu",
  denoVersion: "2.9.6",
  id: "0123456789abcdef0123",
  sum: "4294967295 41437204",
  appBytes: 400_000,
};

/** Write a probe file into a folder; `cache` is where it unpacks. */
async function put(
  dir: string,
  bytes = probeFile(),
): Promise<{ file: string; cache: string; env: Record<string, string> }> {
  const file = `${dir}/a program`;
  await writeProgram(file, bytes);
  const cache = `${dir}/a cache`;
  return { file, cache: `${cache}/harness`, env: { XDG_CACHE_HOME: cache } };
}

Deno.test("launcher() fills its bytes and is a script that shellcheck accepts", {
  ignore: ignore || !isInstalled("shellcheck"),
}, async () => {
  await withWorkspace(async (dir) => {
    const bytes = launcher(FACTS);
    equal(bytes.length, LAUNCHER_BYTES);
    await Deno.writeFile(`${dir}/launcher`, bytes);
    await Deno.writeFile(`${dir}/scope.sh`, SCOPE_FILE.bytes);
    equal(await started(["shellcheck", "-x", "-P", dir, "-s", "sh", `${dir}/launcher`]), {
      code: 0,
      signal: null,
      stdout: "",
      stderr: "",
    });
  });
});

Deno.test("launcher() takes no fact that a shell would read as more than a word", () => {
  for (const bad of ["", "1'", "$(x)", "a;b", "a\nb", '"', "`x`"]) {
    let refused = "";
    try {
      launcher({ ...FACTS, version: bad });
    } catch (error) {
      refused = String(error);
    }
    match(refused, /nothing that can stand for @VERSION@/);
  }
});

for (const shell of SHELLS) {
  Deno.test(`the launcher hands arguments on as they are under ${shell.join(" ")}`, {
    ignore,
  }, async () => {
    await withWorkspace(async (dir) => {
      const { file, cache, env } = await put(dir);
      const odd = ["a b", "", "'", '"', "*", "$HOME", "`x`", "-n", "--", "a\nb", "ü\\"];
      for (const _ of ["first start", "later start"]) {
        const { code, stdout, stderr } = await started([...shell, file, ...odd], { env });
        const [name = ""] = namesIn(cache);
        const args = stdout.split("\0").slice(0, -1);
        equal([code, stderr, namesIn(cache).length], [0, "", 1]);
        match(name, /^rt-[0-9a-f]{20}$/);
        equal(args[0], "run");
        equal(args.slice(args.indexOf(`${cache}/${name}/app/main.js`) + 1), odd);
        ok(args.includes(`--deny-write=${cache}/${name}`));
      }
    });
  });

  Deno.test(`the launcher hands on standard input and exit code under ${shell.join(" ")}`, {
    ignore,
  }, async () => {
    await withWorkspace(async (dir) => {
      const { file, env } = await put(dir);
      const read = { env: { ...env, DO: "stdin" }, stdin: "piped\ntext" };
      equal((await started([...shell, file], read)).stdout, "piped\ntext");
      equal((await started([...shell, file], read)).stdout, "piped\ntext");
      equal((await started([...shell, file], { env: { ...env, DO: "exit" } })).code, 7);
    });
  });

  Deno.test(`the launcher refuses a damaged file and leaves nothing under ${shell.join(" ")}`, {
    ignore,
  }, async () => {
    await withWorkspace(async (dir) => {
      const whole = probeFile({ appBytes: 4000 });
      const at = [LAUNCHER_BYTES, LAUNCHER_BYTES + 2000, whole.length - 50, whole.length - 1];
      const damaged = [
        ...at.map((index) => whole.with(index, (whole[index] ?? 0) ^ 1)),
        ...at.map((index) => whole.slice(0, index)),
        Uint8Array.from([...whole, 0]),
      ];
      for (const bytes of damaged) {
        const { file, cache, env } = await put(dir, Uint8Array.from(bytes));
        const { code, stdout, stderr } = await started([...shell, file], { env });
        equal([code, stdout, namesIn(cache)], [1, "", []]);
        match(
          stderr,
          /^harness: ".*a program" is damaged or was cut short: .*get the file again\n$/,
        );
      }
    });
  });

  Deno.test(`the launcher does nothing when it is cut itself under ${shell.join(" ")}`, {
    ignore,
  }, async () => {
    await withWorkspace(async (dir) => {
      const whole = probeFile();
      const end = new TextDecoder().decode(whole.subarray(0, LAUNCHER_BYTES)).lastIndexOf('main "');
      for (let length = 200; length < end; length += 379) {
        const { file, cache, env } = await put(dir, whole.slice(0, length));
        const { stdout } = await started([...shell, file], { env });
        equal([stdout, namesIn(cache)], ["", []]);
      }
    });
  });
}

Deno.test("the launcher unpacks for the person alone, and once", { ignore }, async () => {
  await withWorkspace(async (dir) => {
    const { file, cache, env } = await put(dir);
    await started([file], { env });
    const rt = `${cache}/${namesIn(cache)[0]}`;
    const modes = ["", "/d", "/app", "/deno", "/app/main.js", "/app/more.js"].map((path) =>
      ((Deno.statSync(`${rt}${path}`).mode ?? 0) & 0o777).toString(8)
    );
    equal(modes, ["700", "700", "700", "500", "400", "400"]);
    const before = Deno.statSync(`${rt}/deno`).ino;
    await started([file], { env });
    equal(Deno.statSync(`${rt}/deno`).ino, before);
  });
});

Deno.test("the launcher leaves the umask as it was", { ignore }, async () => {
  await withWorkspace(async (dir) => {
    const probe = "#!/bin/sh\numask\n";
    const { file, env } = await put(dir, probeFile({ probe }));
    const asked = ["sh", "-c", 'umask 027; "$0"', file] as const;
    equal((await started([...asked], { env })).stdout, "0027\n");
    equal((await started([...asked], { env })).stdout, "0027\n");
  });
});

Deno.test("the launcher works from a link on PATH", { ignore }, async () => {
  await withWorkspace(async (dir) => {
    const { file, env } = await put(dir);
    await Deno.mkdir(`${dir}/bin`);
    await Deno.symlink(file, `${dir}/bin/harness`);
    const PATH = `${dir}/bin:${Deno.env.get("PATH")}`;
    const { code, stdout } = await started(["sh", "-c", "harness one"], { env: { ...env, PATH } });
    equal([code, stdout.endsWith("main.js\0one\0")], [0, true]);
  });
});

Deno.test("the launcher needs a place to unpack and says so", { ignore }, async () => {
  await withWorkspace(async (dir) => {
    const { file, env } = await put(dir);
    for (const none of [{}, { HOME: "" }, { HOME: "relative", XDG_CACHE_HOME: "relative" }]) {
      const { code, stdout, stderr } = await started([file], { env: none, cwd: dir });
      equal([code, stdout], [1, ""]);
      match(stderr, /^harness: Cannot start: there is no folder to unpack into. Set HOME or XDG_/);
    }
    equal(namesIn(`${dir}/relative`), []);
    equal((await started([file], { env })).code, 0);
    equal((await started([file], { env: { HOME: `${dir}/home` } })).code, 0);
    equal(namesIn(`${dir}/home/.cache/harness`).length, 1);
    const blocked = await started([file], { env: { XDG_CACHE_HOME: `${file}/below` } });
    equal([blocked.code, blocked.stdout], [1, ""]);
    match(
      blocked.stderr,
      /harness: Cannot unpack into .*Set XDG_CACHE_HOME to a folder of yours\n$/,
    );
  });
});

Deno.test("the launcher started eight times at once unpacks one folder", { ignore }, async () => {
  await withWorkspace(async (dir) => {
    const { file, cache, env } = await put(dir, probeFile({ appBytes: 300_000 }));
    const all = await Promise.all(
      Array.from({ length: 8 }, (_, index) => started([file, `${index}`], { env })),
    );
    equal(all.map(({ code, stderr }) => [code, stderr]), all.map(() => [0, ""]));
    all.forEach(({ stdout }, index) => ok(stdout.endsWith(`main.js\0${index}\0`)));
    const [rt, ...others] = namesIn(cache);
    equal(others, []);
    equal(namesIn(`${cache}/${rt}`), ["app", "d", "deno", "ok"]);
  });
});

Deno.test("the launcher becomes the program, so that signals reach it", { ignore }, async () => {
  await withWorkspace(async (dir) => {
    const { file, env } = await put(dir);
    const PATH = Deno.env.get("PATH") ?? "";
    const child = new Deno.Command(file, {
      clearEnv: true,
      env: { PATH, ...env, DO: "wait" },
      stdout: "piped",
    }).spawn();
    const reader = child.stdout.getReader();
    const { value } = await reader.read();
    equal(new TextDecoder().decode(value), `pid ${child.pid}\n`);
    child.kill("SIGTERM");
    equal((await child.status).signal, "SIGTERM");
    await reader.cancel();
  });
});

Deno.test("the launcher that is ended while it unpacks leaves nothing", { ignore }, async () => {
  await withWorkspace(async (dir) => {
    const { file, cache, env } = await put(dir);
    await Deno.mkdir(`${dir}/bin`);
    await Deno.writeTextFile(`${dir}/bin/gzip`, "#!/bin/sh\nsleep 20\n", { mode: 0o755 });
    const child = new Deno.Command(file, {
      clearEnv: true,
      env: { ...env, PATH: `${dir}/bin:${Deno.env.get("PATH")}` },
      detached: true,
      stdout: "null",
      stderr: "null",
    }).spawn();
    while (!namesIn(cache).some((name) => namesIn(`${cache}/${name}`).includes("app.tar"))) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    Deno.kill(-child.pid, "SIGTERM");
    await child.status;
    while (namesIn(cache).length > 0) await new Promise((resolve) => setTimeout(resolve, 10));
  });
});

Deno.test("the launcher sweeps old unfinished folders, and nothing else", { ignore }, async () => {
  await withWorkspace(async (dir) => {
    const { file, cache, env } = await put(dir);
    const others = ["new-fresh", "new-old", "rt-other", "else"];
    for (const name of others) {
      await Deno.mkdir(`${cache}/${name}/d`, { recursive: true });
      const when = new Date(name === "new-fresh" ? Date.now() : Date.now() - 3 * 86_400_000);
      await Deno.utime(`${cache}/${name}`, when, when);
    }
    await started([file], { env });
    equal(namesIn(cache).filter((name) => others.includes(name)), [
      "else",
      "new-fresh",
      "rt-other",
    ]);
  });
});

Deno.test("the launcher replaces a folder of its own that is not whole", { ignore }, async () => {
  await withWorkspace(async (dir) => {
    const { file, cache, env } = await put(dir);
    await started([file], { env });
    const [rt] = namesIn(cache);
    const [chunk] = namesIn(`${cache}/${rt}/app`);
    for (const taken of [["ok", "deno"], ["deno"], ["ok"], [`app/${chunk}`]]) {
      for (const name of taken) await Deno.remove(`${cache}/${rt}/${name}`);
      equal((await started([file], { env })).code, 0, taken.join());
      equal([namesIn(cache), namesIn(`${cache}/${rt}`)], [[rt], ["app", "d", "deno", "ok"]]);
      equal(namesIn(`${cache}/${rt}/app`).includes(chunk ?? ""), true);
    }
    for (const content of ["", "no number"]) {
      await Deno.writeTextFile(`${cache}/${rt}/ok`, content);
      equal((await started([file], { env })).code, 0, `ok: ${content}`);
    }
    await Deno.chmod(`${cache}/${rt}/deno`, 0o600);
    await Deno.truncate(`${cache}/${rt}/deno`);
    equal((await started([file], { env })).code, 0, "emptied");
  });
});

Deno.test("the launcher says when what it unpacked does not run", { ignore }, async () => {
  await withWorkspace(async (dir) => {
    const { file, cache, env } = await put(dir, probeFile({ probe: "#!/no/such/loader\n" }));
    const { code, stderr } = await started([file], { env });
    equal([code, namesIn(cache)], [1, []]);
    match(stderr, /harness: Cannot run what was unpacked into .*it is made for some-target/);
  });
});

Deno.test(
  "the launcher writes no flag for a folder whose name has a comma",
  { ignore },
  async () => {
    await withWorkspace(async (dir) => {
      const { file } = await put(dir);
      const { code, stdout } = await started([file], { env: { XDG_CACHE_HOME: `${dir}/a,b` } });
      equal([code, stdout.includes("--deny-write")], [0, false]);
    });
  },
);

Deno.test(
  "the launcher keeps the person's variables from Deno and hands them on",
  { ignore },
  async () => {
    await withWorkspace(async (dir) => {
      const { file, cache, env } = await put(dir);
      const theirs = Object.fromEntries(SET_ASIDE.map((name) => [name, `their "${name}" $x\n'`]));
      const unset = SET_ASIDE[0] ?? "";
      delete theirs[unset];
      const person = { ...env, ...theirs, DO: "env", DENO_DIR: "/their dir", HOME: "/h" };
      for (const _ of ["first start", "later start"]) {
        const { stdout } = await started([file], { env: person });
        const seen = Object.fromEntries(
          stdout.split("\0").filter((line) => line !== "").map((line) => {
            const at = line.indexOf("=");
            return [line.slice(0, at), line.slice(at + 1)];
          }),
        );
        const { PWD: _pwd, OLDPWD: _old, _: _last, SHLVL: _level, ...ours } = seen;
        const acting = SET_ASIDE.filter((name) => name in ours && !(name in OURS));
        equal(acting, []);
        equal(ours["DENO_NO_UPDATE_CHECK"], "1");
        equal(ours["DENO_DIR"], `${cache}/${namesIn(cache)[0]}/d`);
        equal(personEnv(ours), { ...person, PATH: Deno.env.get("PATH") ?? "" });
      }
    });
  },
);
