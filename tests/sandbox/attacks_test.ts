/** What a hostile command tries against the boundary, in the real sandbox of this machine. */
import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { git } from "../support/sandbox_git.ts";
import { type Folders, isRoot, needing, withSandbox } from "../support/sandbox.ts";

const needs = await needing("git");
const needsPython = await needing("git", "python3");

async function repository({ workspace }: Folders): Promise<void> {
  await git(workspace, "init", "-q");
  await Deno.writeTextFile(join(workspace, "a.txt"), "a\n");
  await git(workspace, "add", "a.txt");
  await git(workspace, "commit", "-q", "-m", "first");
}

async function exists(path: string): Promise<boolean> {
  return await Deno.lstat(path).then(() => true, () => false);
}

Deno.test(
  { name: "a command writes in the workspace and tmp, and nowhere else", ...needs },
  async () => {
    await withSandbox(async ({ run, outside, home, workspace }) => {
      const places = [outside, home, "/usr/local/bin", "/etc", "/root", "/var/lib", "/"];
      const name = `pwned-${crypto.randomUUID()}`;
      await run(places.map((path) => `touch '${path}/${name}'`).join("; "));
      for (const folders of places) equal(await exists(join(folders, name)), false, folders);
      equal(
        (await run("echo x > /tmp/kept; echo y > ~/kept; echo z > in.txt; cat /tmp/kept ~/kept"))
          .output,
        "x\ny\n",
      );
      equal(
        (await run("cat /tmp/kept ~/kept in.txt")).output,
        "x\ny\nz\n",
        "both last for the run",
      );
      equal(await Deno.readTextFile(join(workspace, "in.txt")), "z\n");
      equal(await exists("/tmp/kept"), false);
      equal(await exists(join(home, "kept")), false);
    });
  },
);

Deno.test({ name: "the workspace can be shown without being writable", ...needs }, async () => {
  await withSandbox(async ({ run, workspace }) => {
    const { output } = await run(
      "cat a.txt; echo x > b.txt; echo y > a.txt; git commit -q --allow-empty -m x",
      {
        canWriteWorkspace: false,
      },
    );
    match(output, /^a\n/);
    match(output, /Read-only file system/);
    equal(await exists(join(workspace, "b.txt")), false);
    equal(await Deno.readTextFile(join(workspace, "a.txt")), "a\n");
    equal((await git(workspace, "rev-list", "--count", "HEAD")).trim(), "1");
  }, { prepare: repository });
});

Deno.test({
  name: "hooks and config of a repository cannot be changed, moved away or replaced",
  ...needs,
}, async () => {
  await withSandbox(async ({ run, workspace, outside }) => {
    const before = await Deno.readTextFile(join(workspace, ".git/config"));
    const tries = [
      `printf '#!/bin/sh\\ntouch ${outside}/pwned\\n' > .git/hooks/pre-commit`,
      "git config core.fsmonitor 'touch pwned'",
      "git config --file .git/config core.hooksPath /tmp",
      "mv .git .g && git init -q .",
      "mv .git/hooks .git/h && mkdir .git/hooks",
      "mv .git/config .git/c && echo > .git/config",
      "rm -rf .git/hooks .git/config .git/modules .git/info",
      "ln -sf /tmp/x .git/config; rmdir .git/hooks; ln -s /tmp .git/hooks",
      "mkdir -p .git/modules/x/hooks; echo '* filter=x' > .git/info/attributes",
    ];
    for (const line of tries) equal((await run(line)).code === 0, false, line);
    equal(await Deno.readTextFile(join(workspace, ".git/config")), before);
    equal(await exists(join(workspace, ".git/hooks/pre-commit")), false);
    equal(await exists(join(workspace, ".g")), false);
    equal((await Deno.lstat(join(workspace, ".git/hooks"))).isDirectory, true);
    // The person's own git runs what is configured there.
    await git(workspace, "commit", "-q", "--allow-empty", "-m", "second");
    equal(await exists(join(outside, "pwned")), false);
  }, { prepare: repository });
});

Deno.test(
  { name: "a repository cannot be pointed to another config (commondir)", ...needs },
  async () => {
    await withSandbox(async ({ run, workspace, notices }) => {
      const evil =
        "cp -r .git evil && printf '[core]\\n\\tfsmonitor = \"touch pwned; false\"\\n' > evil/config";
      const { output } = await run(
        `${evil} && pwd > .git/commondir && sed -i 's#$#/evil#' .git/commondir; sleep 1; cat .git/commondir`,
      );
      match(output, /No such file/);
      await git(workspace, "status");
      equal(await exists(join(workspace, "pwned")), false);
      ok(notices.some((text) => text.includes("commondir")), notices.join("\n"));
    }, { prepare: repository });
  },
);

Deno.test(
  { name: "rule files that exist are read-only, and a new one can be made", ...needs },
  async () => {
    await withSandbox(async ({ run, workspace }) => {
      equal(
        (await run("echo x > .permissions.json || mv .permissions.json y || rm .permissions.json"))
          .code === 0,
        false,
      );
      equal(await Deno.readTextFile(join(workspace, ".permissions.json")), "{}\n");
      equal((await run("echo '{}' > .mcp.json")).code, 0);
      equal((await run("echo x > .mcp.json")).code === 0, false, "it is read-only from then on");
    }, {
      prepare: ({ workspace }) => Deno.writeTextFile(join(workspace, ".permissions.json"), "{}\n"),
    });
  },
);

Deno.test({
  name: "no link in the private home or tmp leads the mounts of the next command astray",
  ...needs,
}, async () => {
  await withSandbox(async ({ run, dir, outside, workspace }) => {
    const first = `/${dir.split("/")[1]}/${dir.split("/")[2]}`;
    const tries = [
      `mv ~/.cargo ~/.x; rm -rf ~/.cargo; rmdir ~/.cargo; ln -sfn /oldroot${outside} ~/.cargo`,
      `mv ${first} /tmp/y; ln -sfn /oldroot/etc ${first}`,
      `mv ~/code ~/y; rm -rf ~/code; ln -sfn /oldroot${outside} ~/code`,
      `cd ${dir}; mv home h; ln -sfn ${outside} home`,
    ];
    for (const line of tries) {
      await run(line);
      const { code, output } = await run("pwd; echo still > here.txt");
      equal({ code, output }, { code: 0, output: `${workspace}\n` }, line);
    }
    equal([...Deno.readDirSync(outside)], []);
    equal(await Deno.readTextFile(join(workspace, "here.txt")), "still\n");
  }, {
    prepare: async ({ home }) => {
      await Deno.mkdir(join(home, ".cargo", "bin"), { recursive: true });
    },
  });
});

Deno.test(
  { name: "a masked file stays masked however its folder is moved", ...needs },
  async () => {
    await withSandbox(async ({ run, workspace }) => {
      const hunt =
        "cat .env packages/api/.env packages/*/.env p*/*/.env */*/*/.env 2>/dev/null; grep -r SECRET . ; true";
      const tries = [
        "mv packages/api packages/x",
        "mv packages p2",
        "mv .env e; cat e",
        "cp -r packages copy; cat copy/api/.env",
        "ln .env hard; cat hard",
        "rm -f .env packages/api/.env",
        "git init -q . ; git add -A -f; git stash -u; git show stash",
      ];
      for (const line of tries) {
        equal((await run(`${line}; ${hunt}`)).output.includes("SECRET"), false, line);
        equal((await run(hunt)).output.includes("SECRET"), false, `after ${line}`);
      }
      for (const path of [".env", "packages/api/.env"]) {
        equal(await Deno.readTextFile(join(workspace, path)), "SECRET=1\n");
      }
    }, { prepare: secrets });
  },
);

async function secrets({ workspace }: Folders): Promise<void> {
  await Deno.mkdir(join(workspace, "packages", "api"), { recursive: true });
  for (const path of [".env", "packages/api/.env"]) {
    await Deno.writeTextFile(join(workspace, path), "SECRET=1\n");
  }
}

Deno.test({
  name:
    "an accomplice that swaps folders and links meanwhile changes nothing outside and reveals nothing",
  ...needs,
}, async () => {
  await withSandbox(async ({ run, processes, sandbox, workspace, outside }) => {
    const swap = `while :; do
      mv packages p2; ln -s ../../../outside packages; mkdir packages; rm packages; rmdir packages; mv p2 packages
      mv packages/api packages/b; ln -s /oldroot${outside} packages/api; rm packages/api; mv packages/b packages/api
      rm -f .env; ln -s /oldroot${outside}/new .env; rm -f later/.env; ln -s ../../../../outside/new later/.env
      mv ~/code ~/c; ln -s /oldroot${outside} ~/code; rm ~/code; mv ~/c ~/code
    done 2>/dev/null`;
    const accomplice = processes.start({
      program: "/bin/sh",
      args: ["-c", swap],
      cwd: workspace,
      wrap: sandbox.wrap(),
    });
    const hunt =
      "cat .env packages/api/.env p2/api/.env packages/b/.env 2>/dev/null; grep -rs SECRET . ; true";
    for (let round = 0; round < 25; round += 1) {
      // A file that appears meanwhile must not become a place to write to.
      await Deno.mkdir(join(workspace, "later"), { recursive: true });
      equal((await run(hunt)).output.includes("SECRET"), false, `round ${round}`);
    }
    await accomplice.kill();
    equal([...Deno.readDirSync(outside)], []);
    for (const path of [".env", "packages/api/.env"]) {
      equal(await Deno.readTextFile(join(workspace, path)), "SECRET=1\n");
    }
  }, { prepare: secrets });
});

Deno.test({
  name: "the kernel's settings cannot be written, nor bubblewrap's own memory",
  ...needs,
}, async () => {
  await withSandbox(async ({ run }) => {
    const paths = [
      "/proc/sys/kernel/core_pattern",
      "/proc/sys/kernel/hostname",
      "/proc/sysrq-trigger",
      "/proc/irq/default_smp_affinity",
      "/proc/1/mem",
      "/proc/self/mem",
      "/proc/1/oom_score_adj",
    ];
    const { output } = await run(
      paths.map((path) => `{ true >> ${path}; } 2>/dev/null && echo ${path}`).join("\n"),
    );
    equal(output, "", "none can be opened for writing");
    match(
      (await run("umount /proc; mount -t proc proc /proc; mount -o remount,rw /proc")).output,
      /not permitted|denied|must be superuser/,
    );
  });
});

Deno.test({ name: "namespaces cannot be nested and no right comes back", ...needs }, async () => {
  await withSandbox(async ({ run }) => {
    const { output } = await run(
      "unshare -Ur true && echo NESTED; bwrap --bind / / true && echo NESTED; setpriv --list-caps >/dev/null; grep Cap /proc/self/status",
    );
    equal(output.includes("NESTED"), false);
    equal(output.match(/^Cap\w+:\t0000000000000000$/gm)?.length, 5);
  });
});

Deno.test({ name: "refused calls answer as they should", ...needsPython }, async () => {
  await withSandbox(async ({ run }) => {
    const script = `
import ctypes, errno, fcntl, os, pty, socket, termios
libc = ctypes.CDLL(None, use_errno=True)
def call(*args):
    return errno.errorcode.get(ctypes.get_errno(), "?") if libc.syscall(*args) < 0 else "allowed"
x86 = os.uname().machine == "x86_64"
print("ptrace", call(101 if x86 else 117, 0, 0, 0, 0))
print("clone3", call(435, 0, 0))
print("io_uring", call(425, 0, 0))
print("keyctl", call(250 if x86 else 219, 0, -3, 0))
print("bpf", call(321 if x86 else 280, 0, 0, 0))
for name, family in (("vsock", 40), ("packet", 17), ("alg", 38)):
    try:
        socket.socket(family, socket.SOCK_DGRAM if family != 38 else socket.SOCK_SEQPACKET)
        print(name, "allowed")
    except OSError as error:
        print(name, errno.errorcode[error.errno])
left, right = socket.socketpair()
left.send(b"x")
print("unix", right.recv(1).decode())
master, slave = pty.openpty()
try:
    fcntl.ioctl(slave, termios.TIOCSTI, b"x")
    print("typing allowed")
except OSError as error:
    print("typing", errno.errorcode[error.errno])
`;
    const { output } = await run(`python3 - <<'END'\n${script}\nEND`);
    equal(output.trim().split("\n"), [
      "ptrace EPERM",
      "clone3 ENOSYS",
      "io_uring ENOSYS",
      "keyctl EPERM",
      "bpf EPERM",
      "vsock EAFNOSUPPORT",
      "packet EAFNOSUPPORT",
      "alg EAFNOSUPPORT",
      "unix x",
      "typing EPERM",
    ]);
  });
});

Deno.test({ name: "processes of the machine are neither seen nor reached", ...needs }, async () => {
  await withSandbox(async ({ run }) => {
    const { output } = await run(
      `kill -0 ${Deno.pid} 2>&1; ls -d /proc/[0-9]* | wc -l; cat /proc/1/comm`,
    );
    const [kill = "", count, init] = output.trim().split(/\n+/);
    match(kill, /No such process/);
    ok(Number(count) < 10, `${count} processes`);
    equal(init, "bwrap");
  });
});

Deno.test({ name: "the network is empty, and loopback is one's own", ...needsPython }, async () => {
  await withSandbox(async ({ run }) => {
    using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const contacted = { count: 0 };
    const accepting = (async () => {
      for await (const connection of listener) {
        contacted.count += 1;
        connection.close();
      }
    })();
    const script = `
import socket, threading
for target in (("127.0.0.1", ${listener.addr.port}), ("8.8.8.8", 53), ("169.254.169.254", 80)):
    try:
        socket.create_connection(target, 2)
        print("reached", target)
    except OSError as error:
        print(type(error).__name__)
server = socket.create_server(("127.0.0.1", 0))
threading.Thread(target=lambda: server.accept()[0].send(b"own")).start()
print(socket.create_connection(server.getsockname()).recv(3).decode())
`;
    const { stdout } = await run(`python3 - <<'END'\n${script}\nEND`);
    equal(stdout, "ConnectionRefusedError\nOSError\nOSError\nown\n");
    equal(contacted.count, 0);
    listener.close();
    await accepting;
  });
});

Deno.test({ name: "limits hold: the size of a file, and no core dumps", ...needs }, async () => {
  await withSandbox(async ({ run, workspace }) => {
    const { code } = await run("head -c 3000000 /dev/zero > big");
    equal(code === 0, false);
    equal((await Deno.stat(join(workspace, "big"))).size, 2_000_384);
    equal((await run("ulimit -c; ulimit -f")).output, "0\n3907\n");
  }, { options: { limits: () => ({ processesMax: 100, fileMaxMb: 2 }) } });
});

Deno.test({
  name: "files of root that nobody else may read stay closed to root's commands",
  ignore: needs.ignore || !isRoot,
}, async () => {
  await withSandbox(async ({ run }) => {
    equal(
      (await run("cat /etc/shadow /etc/gshadow; ls -A /var/spool /var/backups")).stdout,
      "/var/backups:\n\n/var/spool:\n",
    );
  });
});
