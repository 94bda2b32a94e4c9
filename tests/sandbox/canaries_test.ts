/** Secrets in all the places where people and programs keep them: each is readable outside, and none inside. */
import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { dirname, join } from "node:path";
import {
  type Folders,
  isRoot,
  needing,
  programHere,
  runAsOrdinaryUser,
  testEnv,
  withFolders,
  withSandbox,
} from "../support/sandbox.ts";
import { until } from "../support/until.ts";

const HOME_FILES = [
  ".ssh/id_ed25519",
  ".aws/credentials",
  ".config/gh/hosts.yml",
  ".netrc",
  ".docker/config.json",
  ".git-credentials",
  ".gitconfig",
  ".npmrc",
  ".bash_history",
  ".unlisted-service-token",
  "Documents/taxes.txt",
  "code/sibling/notes.txt",
  // Beside, and in, toolchains that are shown.
  ".cargo/credentials.toml",
  ".m2/settings.xml",
  ".gem/credentials",
  ".nvm/versions/node/v20.1.0/etc/npmrc",
  ".nvm/.npmrc",
];
const TOOLCHAINS = [".cargo/bin", ".m2/repository", ".gem/ruby", ".nvm/versions/node/v20.1.0/bin"];
const STATE_FILES = ["providers.json", "sessions/s.jsonl", "memory.json"];
const WORKSPACE_FILES = [".env", "packages/api/.env.local", ".git/config"];

type Planted = { canaries: Map<string, string>; lines: string[]; env: Record<string, string> };

/** Plant them. A line each that would print one; the name says which. */
async function plant(folders: Folders): Promise<Planted> {
  const canaries = new Map<string, string>();
  const lines: string[] = [];
  const canary = (name: string) => {
    const value = `canary-${canaries.size}-${crypto.randomUUID()}`;
    canaries.set(name, value);
    return value;
  };
  const file = async (path: string, text = (value: string) => value) => {
    await Deno.mkdir(dirname(path), { recursive: true });
    await Deno.writeTextFile(path, `${text(canary(path))}\n`);
    lines.push(`cat '${path}'`);
  };
  for (const path of TOOLCHAINS) await Deno.mkdir(join(folders.home, path), { recursive: true });
  for (const path of HOME_FILES) await file(join(folders.home, path));
  for (const path of STATE_FILES) await file(join(folders.state, path));
  await new Deno.Command("git", { args: ["init", "-q", folders.workspace] }).output();
  for (const path of WORKSPACE_FILES) {
    const isConfig = path === ".git/config";
    await file(join(folders.workspace, path), isConfig ? remote : undefined);
  }
  await file(join(folders.outside, "secret.txt"));
  const env = { OPENAI_API_KEY: canary("the environment") };
  lines.push("env; cat /proc/*/environ");
  return { canaries, lines, env };
}

function remote(token: string): string {
  return `[core]\n\trepositoryformatversion = 0\n[remote "origin"]\n\turl = https://me:${token}@example.com/x.git`;
}

/** Sockets that say a secret to whoever connects: an agent in home, docker's, a desktop's, and one without a file. */
async function listen(folders: Folders, { canaries, lines }: Planted): Promise<AsyncDisposable> {
  const id = crypto.randomUUID();
  const sockets = [
    `UNIX:${join(folders.home, "agent.sock")}`,
    `UNIX:${join(folders.dir, "x11.sock")}`,
    ...(isRoot ? [`UNIX:/run/harness-test-${id}.sock`] : []),
    `ABSTRACT:harness-test-${id}`,
  ];
  const servers = sockets.map((socket, index) => {
    const value = `canary-s${index}-${crypto.randomUUID()}`;
    canaries.set(socket, value);
    lines.push(`socat -T 5 - '${socket.replace(":", "-CONNECT:")}'`);
    const mode = socket.startsWith("UNIX") ? ",mode=777" : "";
    return new Deno.Command("socat", {
      args: [`${socket.replace(":", "-LISTEN:")},fork${mode}`, `SYSTEM:echo ${value}`],
      stdin: "null",
    }).spawn();
  });
  const value = `canary-l-${crypto.randomUUID()}`;
  canaries.set("loopback", value);
  const tcp = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  lines.push(`socat -T 5 - TCP4:127.0.0.1:${tcp.addr.port}`);
  const serving = (async () => {
    for await (const connection of tcp) {
      await connection.write(new TextEncoder().encode(value));
      connection.close();
    }
  })();
  const listening = async () => {
    const { stdout } = await new Deno.Command("cat", { args: ["/proc/net/unix"] }).output();
    const text = new TextDecoder().decode(stdout);
    return sockets.every((socket) => text.includes(socket.slice(socket.indexOf(":") + 1)));
  };
  await until(listening);
  return {
    [Symbol.asyncDispose]: async () => {
      for (const server of servers) server.kill("SIGTERM"); // It removes its file.
      tcp.close();
      await Promise.all([serving, ...servers.map(({ status }) => status)]);
    },
  };
}

function seen({ canaries }: Planted, output: string): string[] {
  return [...canaries].filter(([, value]) => output.includes(value)).map(([name]) => name);
}

async function readOutside({ lines, env }: Planted, home: string): Promise<string> {
  const { stdout } = await new Deno.Command("sh", {
    args: ["-c", lines.join("\n")],
    clearEnv: true,
    env: { ...testEnv(home), ...env },
  }).output();
  return new TextDecoder().decode(stdout);
}

const needs = await needing("socat", "git");

Deno.test({ name: "no secret of 25 and more can be read inside", ...needs }, async () => {
  const env: Record<string, string> = {};
  let planted: Planted = { canaries: new Map(), lines: [], env };
  const prepare = async (folders: Folders) => {
    planted = await plant(folders);
    Object.assign(env, planted.env);
  };
  await withSandbox(async (inside) => {
    await using _ = await listen(inside, planted);
    ok(planted.canaries.size >= 25, `${planted.canaries.size} were planted`);
    const outside = seen(planted, await readOutside(planted, inside.home));
    equal(outside, [...planted.canaries.keys()], "each of them can be read outside");
    const { output } = await inside.run(planted.lines.join("\n"));
    equal(seen(planted, output), []);
    const everywhere = `grep -rsa canary- ~ ${inside.state} . /tmp /var/tmp /run /home /mnt`;
    equal(seen(planted, (await inside.run(everywhere)).output), []);
  }, { prepare, options: { env } });
});

Deno.test({
  name: "no secret can be read inside by an ordinary user either",
  ignore: needs.ignore || !isRoot || await programHere("setpriv") === undefined,
}, async () => {
  await withFolders(async (folders) => {
    const planted = await plant(folders);
    await using _ = await listen(folders, planted);
    const { kind, problem, results } = await runAsOrdinaryUser(folders, [
      "id -u",
      planted.lines.join("\n"),
      `grep -rsa canary- ~ ${folders.state} . /tmp /var/tmp /run /home`,
    ], { env: planted.env });
    equal({ kind, problem }, { kind: "bubblewrap", problem: undefined });
    equal(results[0]?.output, "61234\n");
    equal(seen(planted, results.map(({ output }) => output).join("\n")), []);
  }, { under: "/tmp" });
});
