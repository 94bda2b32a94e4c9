import { deepStrictEqual as equal, match } from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Processes } from "@/sandbox/processes.ts";
import type { Running } from "@/sandbox/running.ts";
import { socketPaths } from "@/sandbox/sockets.ts";
import { withProcesses } from "../support/processes.ts";
import { isRoot, needing, programHere, withSandbox } from "../support/sandbox.ts";
import { until } from "../support/until.ts";

const needsPython = await needing("python3");
/** One that needs no environment to start. */
const PYTHON = "/usr/bin/python3";

const CONNECT = `python3 - "$1" <<'EOF'
import socket, sys
with socket.socket(socket.AF_UNIX) as s:
    try:
        s.connect(sys.argv[1])
        print("reached")
    except OSError as error:
        print(type(error).__name__)
EOF`;

const LISTEN = `import socket, sys
s = socket.socket(socket.AF_UNIX)
s.bind(sys.argv[1])
s.listen()
print("up", flush=True)
while True: s.accept()`;

/** Somebody else's server. */
async function listenAt(path: string, processes: Processes): Promise<Running> {
  let said = "";
  const server = processes.start(
    { program: "python3", args: ["-c", LISTEN, path], cwd: "/" },
    (chunk) => said += new TextDecoder().decode(chunk),
  );
  await until(() => said === "up\n");
  return server;
}

Deno.test(
  { name: "a socket of the machine is not reached, wherever it stands", ...needsPython },
  async () => {
    await withProcesses(async (others) => {
      const connect = (path: string) => CONNECT.replace("$1", path);
      let server: Running | undefined;
      await withSandbox(async ({ run, outside, workspace, processes }) => {
        const path = join(outside, "a socket");
        equal((await run(connect(path))).output, "ConnectionRefusedError\n");
        equal((await run(connect(`/proc/self/root${path}`))).output, "ConnectionRefusedError\n");
        // Where nothing is in the way it is there.
        const start = { program: "sh", args: ["-c", connect(path)], cwd: workspace };
        equal((await processes.run(start)).stdout.text(), "reached\n");
        // One that goes away keeps no command from running.
        await server?.kill(0);
        await Deno.remove(path);
        equal((await run(connect(path))).output, "FileNotFoundError\n");
      }, {
        prepare: async ({ outside }) => {
          server = await listenAt(join(outside, "a socket"), others);
        },
        options: ({ outside }) => ({ visible: [outside] }),
      });
    });
  },
);

Deno.test({
  name: "where a socket cannot be covered, commands run without, and it is said",
  ignore: needsPython.ignore || !existsSync(PYTHON),
}, async () => {
  const bwrap = await programHere("bwrap") ?? "";
  await withProcesses(async (others) => {
    await withSandbox(async ({ run, sandbox }) => {
      equal((await run("echo in")).output, "in\n");
      const [row] = sandbox.describe().filter(({ what }) => what === "sockets");
      match(row?.holds ?? "", /others can be reached/);
    }, {
      prepare: async ({ dir, outside }) => {
        await listenAt(join(outside, "a socket"), others);
        await Deno.mkdir(join(dir, "bin"));
        // One that may not mount there.
        const script = `#!${PYTHON}
import os, sys
given = open(4, "rb", closefd=False).read()
if b"a socket" in given: sys.exit(1)
read, write = os.pipe()
os.write(write, given)
os.dup2(read, 4)
os.execv("${bwrap}", ["bwrap", *sys.argv[1:]])
`;
        await Deno.writeTextFile(join(dir, "bin", "bwrap"), script, { mode: 0o755 });
      },
      options: ({ dir, outside }) => ({
        visible: [outside],
        env: { PATH: `${dir}/bin:${Deno.env.get("PATH")}` },
      }),
    });
  });
});

Deno.test({
  name: "a socket that root alone comes to keeps no command of root's from running",
  ignore: needsPython.ignore || !isRoot,
}, async () => {
  await withProcesses(async (others) => {
    await withSandbox(async ({ run, outside, sandbox }) => {
      const [row] = sandbox.describe().filter(({ what }) => what === "sockets");
      match(row?.holds ?? "", /are hidden$/);
      const path = join(outside, "theirs", "a socket");
      equal((await run(CONNECT.replace("$1", path))).output, "PermissionError\n");
    }, {
      prepare: async ({ outside }) => {
        const theirs = join(outside, "theirs");
        await Deno.mkdir(theirs, { mode: 0o700 });
        await listenAt(join(theirs, "a socket"), others);
        await Deno.chown(theirs, 61_234, 61_234);
      },
      options: ({ outside }) => ({ visible: [outside] }),
    });
  });
});

Deno.test("socketPaths() reads what the kernel lists, and no abstract or unnamed one", () => {
  const text = [
    "Num       RefCount Protocol Flags    Type St Inode Path",
    "00000000f227f5a1: 00000002 00000000 00010000 0001 01 15085799 /opt/a b.sock",
    "00000000f227f5a2: 00000003 00000000 00000000 0002 01  5085 /run/log",
    "00000000c4d4890e: 00000003 00000000 00000000 0001 03 15096583",
    "0000000042f6f22f: 00000002 00000000 00010000 0001 01 25671 @/tmp/.X11-unix/X0",
    "00000000f227f5a3: 00000002 00000000 00010000 0001 01 1 relative.sock",
    "36 35 98:0 /mnt1 /srv/docker\\040sock rw,noatime master:1 - ext3 /dev/root rw",
  ];
  equal(socketPaths(text.join("\n")), ["/opt/a b.sock", "/run/log", "/srv/docker sock"]);
});
