/** A sandbox counts only where it holds: machines on which it is missing, broken, or pretends. */
import { deepStrictEqual as equal, match, ok, throws } from "node:assert/strict";
import { join } from "node:path";
import { Sandbox, SandboxOnDemand } from "@/sandbox/mod.ts";
import { probeLinux } from "@/sandbox/probe.ts";
import { Processes, type Wrapper } from "@/sandbox/processes.ts";
import {
  type Folders,
  needing,
  programHere,
  sandboxOptions,
  testEnv,
  withFolders,
  withSandbox,
} from "../support/sandbox.ts";

const ignore = Deno.build.os !== "linux";
const needs = await needing();
const real = await programHere("bwrap") ?? "";

/** Opens a sandbox on a machine whose bwrap is this script; undefined: there is none. */
async function openWith(
  script: string | undefined,
  check: (sandbox: Sandbox, folders: Folders) => void | Promise<void>,
): Promise<void> {
  await withFolders(async (folders) => {
    const bin = join(folders.dir, "bin");
    await Deno.mkdir(bin);
    for (const name of ["sh", "env", "git"]) {
      const program = await programHere(name);
      if (program !== undefined) await Deno.symlink(program, join(bin, name));
    }
    if (script !== undefined) {
      await Deno.writeTextFile(join(bin, "bwrap"), script, { mode: 0o755 });
    }
    const env = { ...testEnv(folders.home), PATH: bin };
    const processes = new Processes(env);
    try {
      const sandbox = await Sandbox.open(sandboxOptions(folders, processes, env));
      await check(sandbox, folders);
      await sandbox.close();
    } finally {
      await processes.close();
    }
  });
}

/** What is left of the arguments after "--": the command itself. */
const SKIP = 'while [ "$1" != -- ]; do shift; done; shift; ';

const BROKEN: Readonly<Record<string, { script: string | undefined; problem: RegExp }>> = {
  "is not installed": { script: undefined, problem: /bubblewrap \(bwrap\) is not installed/ },
  "exits 0 and does nothing": { script: "#!/bin/sh\nexit 0\n", problem: /it ran nothing/ },
  "runs the command as it is": {
    script: `#!/bin/sh\n${SKIP}exec "$@"\n`,
    problem: /can write outside/,
  },
  "repeats what it is told": {
    script: `#!/bin/sh\n${SKIP}echo "$@"\n`,
    problem: /it ran nothing/,
  },
  "fails": {
    script: "#!/bin/sh\necho 'bwrap: No permissions to creating new namespace' >&2\nexit 1\n",
    problem: /it fails with "bwrap: No permissions to creating new namespace"/,
  },
};

for (const [what, { script, problem }] of Object.entries(BROKEN)) {
  Deno.test({ name: `Sandbox.open() does not count a bwrap that ${what}`, ignore }, async () => {
    await openWith(script, (sandbox) => {
      equal(sandbox.isProven, false);
      equal(sandbox.kind, "none");
      match(sandbox.problem ?? "", problem);
      match(sandbox.notice ?? "", /no sandbox.*Every command is asked about/);
      match(JSON.stringify(sandbox.describe()), /"what":"commands".*"by":"nothing"/);
      throws(() => sandbox.wrap(), /There is no sandbox/);
    });
  });
}

Deno.test({
  name: "Sandbox.open() tries again where the machine was only short of something",
  ...needs,
}, async () => {
  const said = "bwrap: Creating new namespace failed: Resource temporarily unavailable";
  for (const isOnce of [true, false]) {
    await withFolders(async (folders) => {
      const bin = join(folders.dir, "bin");
      await Deno.mkdir(bin);
      const first = join(folders.dir, "first");
      const script = `#!/bin/bash
[ "$1" = --args ] && [ ! -e ${first} ] && {
  ${isOnce ? `: > ${first}` : ":"}; echo '${said}' >&2; exit 1
}
exec ${real} "$@"
`;
      await Deno.writeTextFile(join(bin, "bwrap"), script, { mode: 0o755 });
      const env = testEnv(folders.home);
      const processes = new Processes({ ...env, PATH: `${bin}:${env.PATH}` });
      const sandbox = await Sandbox.open(sandboxOptions(folders, processes, env));
      equal(sandbox.isProven, isOnce, sandbox.problem);
      if (!isOnce) match(sandbox.problem ?? "", /Resource temporarily unavailable/);
      await sandbox.close();
      await processes.close();
    });
  }
});

Deno.test({ name: "probeLinux() gives a slow machine more time", ignore }, async () => {
  await withFolders(async ({ dir, home }) => {
    const processes = new Processes(testEnv(home));
    let tries = 0;
    const wrap: Wrapper = (inner) => {
      tries += 1;
      return tries === 1 ? { ...inner, args: ["-c", "sleep 60"] } : inner;
    };
    const targets = { marker: "/", hidden: [], outside: join(dir, "written") };
    const late = await probeLinux(processes, wrap, targets, [300]);
    equal([late, tries], [{ problem: "it did not answer in time" }, 1]);
    tries = 0;
    const { problem } = await probeLinux(processes, wrap, targets, [300, 30_000]);
    equal(tries, 2);
    match(problem ?? "", /can write outside/);
    await processes.close();
  });
});

/** One promise that a real bwrap is kept from. The arguments that it reads from a file are given back changed. */
function without(removed: string, put = ""): string {
  return `#!/bin/bash
args=() skip=0
while IFS= read -r -d '' arg <&4; do args+=("$arg"); done
kept=()
for arg in "\${args[@]}"; do ${removed}; kept+=("$arg"); done
shift 2
exec ${real} "\${kept[@]}" ${put} "$@"
`;
}

const LEAKS: Readonly<Record<string, { script: string; problem: RegExp }>> = {
  "the network": {
    script: without('[ "$arg" = --unshare-net ] && continue'),
    problem: /network-namespace/,
  },
  "the processes": {
    script: without('[ "$arg" = --unshare-pid ] && continue'),
    problem: /process-namespace|fails with/,
  },
  "the filter": {
    script: without(
      '[ $skip = 1 ] && { skip=0; continue; }; [ "$arg" = --seccomp ] && { skip=1; continue; }',
    ),
    problem: /filter/,
  },
  "read-only mounts": {
    script: without('[ "$arg" = --ro-bind ] && arg=--bind'),
    problem: /can write outside|root|files/,
  },
  "kernel settings": {
    script: without(
      '[ $skip = 1 ] && { skip=0; continue; }; [ "$arg" = --remount-ro ] && { skip=1; continue; }',
    ),
    problem: /kernel-settings/,
  },
  "the home": {
    script: without(":", '--bind "$HOME_OUTSIDE" "$HOME_OUTSIDE"'),
    problem: /files|home/,
  },
};

for (const [what, { script, problem }] of Object.entries(LEAKS)) {
  const isForRoot = what === "kernel settings";
  Deno.test({
    name: `Sandbox.open() notices that ${what} is not separated`,
    ignore: needs.ignore || (isForRoot && Deno.uid() !== 0),
  }, async () => {
    await withFolders(async (folders) => {
      await Deno.writeTextFile(join(folders.home, "letter"), "private\n");
      const bin = join(folders.dir, "bin");
      await Deno.mkdir(bin);
      const text = script.replaceAll("$HOME_OUTSIDE", folders.home);
      await Deno.writeTextFile(join(bin, "bwrap"), text, { mode: 0o755 });
      const env = testEnv(folders.home);
      const processes = new Processes({ ...env, PATH: `${bin}:${env.PATH}` });
      const sandbox = await Sandbox.open(sandboxOptions(folders, processes, env));
      equal(sandbox.isProven, false);
      match(sandbox.problem ?? "", problem);
      await sandbox.close();
      await processes.close();
    });
  });
}

Deno.test({
  name: "Sandbox.open() runs nothing of the workspace before the boundary is proven",
  ignore,
}, async () => {
  await withFolders(async (folders) => {
    const { workspace, outside } = folders;
    const evil = `touch '${outside}/pwned'`;
    await Deno.mkdir(join(workspace, "bin"));
    for (const name of ["bwrap", "git", "bash", "sh"]) {
      await Deno.writeTextFile(join(workspace, "bin", name), `#!/bin/sh\n${evil}\n`, {
        mode: 0o755,
      });
    }
    await Deno.writeTextFile(join(workspace, ".env"), "SECRET\n");
    await new Deno.Command("git", { args: ["init", "-q", workspace] }).output();
    await Deno.writeTextFile(
      join(workspace, ".git/config"),
      `[core]\n\tfsmonitor = "${evil}; false"\n`,
    );
    const env = testEnv(folders.home);
    const pretending = join(folders.dir, "bin");
    await Deno.mkdir(pretending);
    await Deno.writeTextFile(join(pretending, "bwrap"), `#!/bin/sh\n${SKIP}exec "$@"\n`, {
      mode: 0o755,
    });
    for (const first of [join(workspace, "bin"), pretending]) {
      const processes = new Processes({ ...env, PATH: `${first}:${env.PATH}` });
      const sandbox = await Sandbox.open(sandboxOptions(folders, processes, env));
      equal(sandbox.isProven, first !== pretending && !needs.ignore);
      await sandbox.close();
      await processes.close();
    }
    equal([...Deno.readDirSync(outside)], []);
  });
});

Deno.test(
  { name: "a workspace that would show what has to be hidden gets no sandbox", ignore },
  async () => {
    await withFolders(async (folders) => {
      const env = testEnv(folders.home);
      const cases: readonly [string, RegExp][] = [
        [folders.home, /holds your home folder/],
        [folders.dir, /holds your home folder/],
        ["/", /part of the system/],
        ["/tmp", /holds your home folder|programs of others/],
        [folders.state, /sessions, keys and settings/],
        [join(folders.state, "sessions"), /sessions, keys and settings/],
      ];
      for (const [workspace, problem] of cases) {
        const processes = new Processes(env);
        const sandbox = await Sandbox.open(
          sandboxOptions({ ...folders, workspace }, processes, env),
        );
        equal(sandbox.isProven, false, workspace);
        match(sandbox.problem ?? "", problem);
        await processes.close();
      }
    });
  },
);

Deno.test("Sandbox.open() leaves everything alone when the person switched it off", async () => {
  await withFolders(async (folders) => {
    const env = testEnv(folders.home);
    const processes = new Processes(env);
    const sandbox = await Sandbox.open({ ...sandboxOptions(folders, processes, env), isOff: true });
    equal([sandbox.isProven, sandbox.kind, sandbox.notice], [false, "none", undefined]);
    match(sandbox.describe()[0]?.holds ?? "", /with your rights \(--sandbox off\)/);
    await processes.close();
  });
});

Deno.test("SandboxOnDemand opens once, when it is first needed", async () => {
  await withFolders(async (folders) => {
    let count = 0;
    const env = testEnv(folders.home);
    const processes = new Processes(env);
    const onDemand = new SandboxOnDemand(() => {
      count += 1;
      return Sandbox.open({ ...sandboxOptions(folders, processes, env), isOff: true });
    });
    equal([onDemand.isProven, onDemand.opened, count], [false, undefined, 0]);
    await onDemand.close();
    const [one, two] = await Promise.all([onDemand.ready(), onDemand.ready()]);
    equal([one === two, one === onDemand.opened, count], [true, true, 1]);
    await onDemand.close();
    await processes.close();
  });
});

Deno.test({
  name: "files that somebody left open are closed for commands",
  ...await needing("bash"),
}, async () => {
  await withFolders(async (folders) => {
    const secret = join(folders.outside, "secret");
    await Deno.writeTextFile(secret, "SECRET\n");
    const child = new URL("../testdata/sandbox_child.ts", import.meta.url).pathname;
    const { stdout } = await new Deno.Command("bash", {
      args: [
        ...["-c", 'exec 7<"$1" 11<"$1" 23<"$1"; shift; exec "$@"', "bash", secret],
        ...[
          Deno.execPath(),
          "run",
          "-q",
          "--no-prompt",
          "--allow-read",
          "--allow-write",
          "--allow-env",
        ],
        ...["--allow-run", "--allow-sys", child, folders.workspace, folders.state],
        "ls /proc/self/fd; cat /proc/self/fd/7 /proc/self/fd/11 /dev/fd/23",
      ],
      cwd: new URL("../..", import.meta.url).pathname,
    }).output();
    const { kind, results } = JSON.parse(new TextDecoder().decode(stdout));
    equal(kind, "bubblewrap");
    equal(results[0].output.includes("SECRET"), false);
    match(results[0].output, /^0\n1\n2\n3\n/);
  });
});

Deno.test(
  { name: "a variable with a NUL cannot add arguments to bubblewrap's", ...needs },
  async () => {
    await withSandbox(({ processes, sandbox, workspace }) => {
      const env = { X: "y\0--bind\0/\0/" };
      throws(
        () => processes.start({ program: "true", cwd: workspace, env, wrap: sandbox.wrap() }),
        /holds a NUL/,
      );
      return Promise.resolve();
    });
  },
);

Deno.test({ name: "a command's variables are on no command line", ...needs }, async () => {
  await withSandbox(async ({ processes, sandbox, workspace }) => {
    const secret = crypto.randomUUID();
    const running = processes.start({
      program: "/bin/sh",
      args: ["-c", "sleep 30"],
      cwd: workspace,
      env: { SERVER_TOKEN: secret },
      wrap: sandbox.wrap(),
    });
    const { stdout } = await processes.run({ program: "ps", args: ["-eo", "args="], cwd: "/" });
    await running.kill();
    ok(stdout.text().includes("sleep 30"));
    equal(stdout.text().includes(secret), false);
  });
});
