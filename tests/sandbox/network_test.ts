/** The network namespace of a run: one loopback for its commands, and nothing that leads out. */
import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { needing, programHere, testEnv, withFolders, withSandbox } from "../support/sandbox.ts";
import { sandboxOptions } from "../support/sandbox.ts";
import { testEgress } from "../support/egress.ts";
import { until } from "../support/until.ts";
import { Processes } from "@/sandbox/processes.ts";
import { Sandbox } from "@/sandbox/mod.ts";
import { withProxy } from "@/sandbox/network_env.ts";

const needs = await needing("nsenter", "python3");

/** Answers one connection after another, until it is ended. */
const server = (port: string) =>
  `python3 -c '
import socket
s = socket.create_server(("127.0.0.1", ${port})); print(s.getsockname()[1], flush=True)
while True: s.accept()[0].send(b"hello")'`;

const reach = (port: number) =>
  `python3 -c 'import socket; print(socket.create_connection(("127.0.0.1", ${port})).recv(9))'`;

Deno.test(
  { name: "a server that one command left running is reached by the next", ...needs },
  async () => {
    await withSandbox(async ({ run, processes, sandbox, workspace }) => {
      let said = "";
      const left = processes.start({
        program: "/bin/sh",
        args: ["-c", server("0")],
        cwd: workspace,
        wrap: sandbox.wrap(),
      }, (chunk) => said += new TextDecoder().decode(chunk));
      await until(() => said.endsWith("\n"));
      const port = Number(said);
      equal((await run(reach(port))).output, "b'hello'\n");
      // It is no server of this machine, and does not become one.
      const outside = await Deno.connect({ hostname: "127.0.0.1", port })
        .then((connection) => connection.close(), (error: Error) => error.name);
      equal(outside, "ConnectionRefused");
      await left.kill();
      equal((await run(reach(port))).code, 1);
    });
  },
);

Deno.test(
  { name: "nothing in it reaches this machine or the outside: 0 bytes arrive", ...needs },
  async () => {
    using sink = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    let contacted = 0;
    void (async () => {
      for await (const connection of sink) {
        contacted += 1;
        connection.close();
      }
    })();
    const { port } = sink.addr;
    await withSandbox(async ({ run, sandbox }) => {
      const hosts = [
        "127.0.0.1",
        "0.0.0.0",
        "::1",
        "::ffff:127.0.0.1",
        "1.1.1.1",
        "169.254.169.254",
      ];
      const script = `
import socket
for host in ${JSON.stringify(hosts)}:
    try: socket.create_connection((host, ${port}), 3); print("reached", host)
    except OSError as error: print("no")
try: socket.getaddrinfo("secret.example.com", 80); print("resolved")
except OSError: print("no")
`;
      const { stdout } = await run(`python3 - <<'END'\n${script}\nEND`);
      equal(stdout, "no\n".repeat(hosts.length + 1));
      equal(contacted, 0);
      match((await run("env")).output, /^(?!.*proxy)/i);
      const rows = sandbox.describe().filter(({ what }) => what === "network");
      equal(rows.map(({ holds }) => holds), ["none: nothing leads out of it"]);
    });
  },
);

Deno.test({
  name: "without nsenter each command has a loopback of its own, and it is said",
  ...needs,
}, async () => {
  await withFolders(async (folders) => {
    const bin = join(folders.dir, "bin");
    await Deno.mkdir(bin);
    for (const name of ["bwrap", "sh", "bash", "cat", "git"]) {
      const program = await programHere(name);
      if (program !== undefined) await Deno.symlink(program, join(bin, name));
    }
    const env = { ...testEnv(folders.home), PATH: bin };
    const processes = new Processes(env);
    const sandbox = await Sandbox.open(sandboxOptions(folders, processes, env));
    try {
      equal(sandbox.problem, undefined);
      const rows = sandbox.describe().filter(({ what }) => /network|loopback/.test(what));
      equal(rows.map(({ holds }) => holds), [
        "none: nsenter (util-linux) is not installed",
        "each command has its own",
      ]);
    } finally {
      await processes.close();
      await sandbox.close();
    }
  });
});

Deno.test({
  name: "where harness may not open the socket that leads out, the sandbox holds without one",
  permissions: {
    ...{ read: "inherit", write: "inherit", env: "inherit", run: "inherit", sys: "inherit" },
    net: ["127.0.0.1"],
  },
  ...needs,
}, async () => {
  await withFolders(async (folders) => {
    const env = testEnv(folders.home);
    const processes = new Processes(env);
    const sandbox = await Sandbox.open({
      ...sandboxOptions(folders, processes, env),
      egress: testEgress().egress,
    });
    try {
      equal(sandbox.problem, undefined);
      const row = sandbox.describe().find(({ what }) => what === "network");
      equal(
        row?.holds,
        "none: the socket that leads out cannot be opened (harness itself was not given net access there)",
      );
    } finally {
      await processes.close();
      await sandbox.close();
    }
  });
});

Deno.test({
  name: "when its keeper is killed, commands have a network of their own again",
  ...needs,
}, async () => {
  await withSandbox(async ({ run, processes, sandbox }) => {
    const space = async () => (await run("readlink /proc/self/ns/net")).output.trim();
    const shared = await space();
    equal(await space(), shared, "one for all");
    const { stdout } = await processes.run({
      program: "sh",
      // The keeper is the one process of this machine that waits in there.
      args: [
        "-c",
        'for p in /proc/[0-9]*; do [ "$(readlink $p/ns/net)" = "$0" ] && echo ${p#/proc/}; done',
        shared,
      ],
      cwd: "/",
    });
    const pids = stdout.text().trim().split("\n").map(Number);
    ok(pids.length >= 1);
    for (const pid of pids) Deno.kill(pid, "SIGKILL");
    await until(() => rowOf(sandbox) === "each command has its own");
    // Not compared with the shared one, whose number the kernel may give to the next.
    const args = ["/proc/self/ns/net"];
    const host = (await processes.run({ program: "readlink", args, cwd: "/" })).stdout.text()
      .trim();
    const [one, other] = [await space(), await space()];
    for (const own of [one, other]) ok(own.startsWith("net:[") && own !== host, own);
  });
});

const rowOf = (sandbox: Sandbox) =>
  sandbox.describe().find(({ what }) => what === "loopback")?.holds;

Deno.test("withProxy() names the proxy in every way, or none, whatever the person has", () => {
  const person = { PATH: "/bin", HTTPS_PROXY: "http://corp:1", no_proxy: "x", Http_Proxy: "y" };
  equal(withProxy(person, undefined), { PATH: "/bin" });
  const { PATH, HTTPS_PROXY, https_proxy, HTTP_PROXY, NO_PROXY, ALL_PROXY, ...others } = withProxy(
    person,
    5,
  );
  const url = "http://127.0.0.1:5";
  equal([PATH, HTTPS_PROXY, https_proxy, HTTP_PROXY, ALL_PROXY], ["/bin", url, url, url, url]);
  match(NO_PROXY ?? "", /^localhost,127\.0\.0\.1/);
  equal(others["Http_Proxy"], undefined);
});
