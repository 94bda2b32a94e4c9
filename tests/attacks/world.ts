/** The world of one attack: folders, files and links, a listener that records all, and a PATH with or without bubblewrap. */
import { dirname, join } from "node:path";
import { once } from "@/lib/once.ts";
import { PUBLIC_ADDRESS } from "../support/network_world.ts";
import { needing, programHere } from "../support/sandbox.ts";
import { git } from "../support/sandbox_git.ts";
import { type Attack, needsNetwork, type Setup } from "./case_file.ts";
import { faultsOf, plant } from "./faults.ts";
import { startPublicServer } from "./public_server.ts";
import { declareServers } from "./servers.ts";
import { type Sink, startSink } from "./sink.ts";

export type World = AsyncDisposable & {
  root: string;
  workspace: string;
  outside: string;
  home: string;
  state: string;
  canary: string;
  sink: Sink;
  /** The environment that the program is started with, keys and all. */
  env: Record<string, string>;
  /** Planted files of the state directory, as they were. */
  planted: ReadonlyMap<string, string>;
  /** Files of the setup → their text. */
  files: ReadonlyMap<string, string>;
  /** The placeholders of a text, or of every text in a value, replaced. */
  fill<T>(value: T): T;
};

/** Make it. Everything lies in one temporary directory, which goes when the attack is over. */
export async function makeWorld(attack: Attack): Promise<World> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "harness-attack-" }));
  const [workspace, outside, home] = ["ws", "out", "home"].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  const state = join(home, ".harness");
  for (const dir of [workspace, outside, home]) await Deno.mkdir(dir);
  await Deno.mkdir(state, { mode: 0o700 });
  const canary = `CANARY${crypto.randomUUID().replaceAll("-", "")}`;
  const sink = await startSink();
  const fill = filler({
    "{WS}": workspace,
    "{OUT}": outside,
    "{HOME}": home,
    "{STATE}": state,
    "{CANARY}": canary,
    "{CANARYHEX}": [...new TextEncoder().encode(canary)].map((byte) =>
      byte.toString(16).padStart(2, "0")
    ).join(""),
    "{SINK}": `${sink.host}:${sink.port}`,
    "{SINKHOST}": sink.host,
    "{SINKPORT}": `${sink.port}`,
    "{PUBLIC}": PUBLIC_ADDRESS,
  });
  const setup = fill(attack.setup);
  const { files, planted } = await prepare(setup, { root, workspace, state, sink });
  const server = needsNetwork(attack)
    ? startPublicServer(setup.routes ?? {}, (text) => sink.record(text))
    : undefined;
  const env = { ...setup.env, HOME: home, PATH: await pathFor(attack) };
  return {
    ...{ root, workspace, outside, home, state, canary, sink, env, planted, files, fill },
    [Symbol.asyncDispose]: async () => {
      await server?.shutdown();
      await sink[Symbol.asyncDispose]();
      await Deno.remove(root, { recursive: true });
    },
  };
}

type Places = { root: string; workspace: string; state: string; sink: Sink };

async function prepare(setup: Setup, { workspace, state, sink, root }: Places) {
  const files = new Map<string, string>();
  if (setup.git === true) {
    await git(workspace, "init", "-q");
    await git(workspace, "commit", "-q", "--allow-empty", "-m", "first");
  }
  for (const path of setup.dirs ?? []) await Deno.mkdir(path, { recursive: true });
  for (const [path, file] of Object.entries(setup.files ?? {})) {
    const { text, mode } = typeof file === "string" ? { text: file } : file;
    await Deno.mkdir(dirname(path), { recursive: true });
    await Deno.writeTextFile(path, text);
    if (mode !== undefined) await Deno.chmod(path, Number.parseInt(mode, 8));
    files.set(path, text);
  }
  for (const [path, target] of Object.entries(setup.symlinks ?? {})) {
    await Deno.mkdir(dirname(path), { recursive: true });
    await Deno.symlink(target, path);
  }
  for (const [path, target] of Object.entries(setup.hardlinks ?? {})) {
    await Deno.link(target, path);
  }
  for (const path of setup.fifos ?? []) await new Deno.Command("mkfifo", { args: [path] }).output();
  for (const path of setup.unix_listeners ?? []) sink.alsoAt(path);
  const rules = async (path: string, value: unknown) => {
    if (value !== undefined) await Deno.writeTextFile(path, JSON.stringify(value));
  };
  await rules(join(state, "permissions.json"), setup.rules);
  await rules(join(workspace, ".permissions.json"), setup.project_rules);
  await declareServers(setup, { workspace, state, outside: join(root, "out") });
  const faults = faultsOf(setup.state_faults ?? []);
  return { files, planted: await plant(faults, { state, outside: join(root, "out") }) };
}

/** The PATH of this machine, or one on which no bubblewrap isolates anything. */
async function pathFor({ mode, setup }: Attack): Promise<string> {
  if (setup.break !== undefined) return await brokenPath();
  return mode.sandbox === "on" ? Deno.env.get("PATH") ?? "" : await barePath();
}

// Made once for all attacks: linking to the thousand programs of a machine takes longer than most of them.
const barePath = once(() => pathWithout());
const brokenPath = once(() => pathWithout("#!/bin/sh\nexit 0\n"));

/** A PATH of this machine without bubblewrap, or with this script in its place; removed when the process ends. */
async function pathWithout(script?: string): Promise<string> {
  const path = Deno.env.get("PATH") ?? "";
  if (await programHere("bwrap") === undefined) return path;
  const root = await Deno.makeTempDir({ prefix: "harness-attack-path-" });
  addEventListener("unload", () => Deno.removeSync(root, { recursive: true }));
  // Where bubblewrap lies, everything but it is linked to.
  const dirs: string[] = [];
  for (const [at, dir] of path.split(":").entries()) {
    const isThere = await Deno.stat(join(dir, "bwrap")).then(() => true, () => false);
    if (!isThere) {
      dirs.push(dir);
      continue;
    }
    const copy = join(root, `bin${at}`);
    await Deno.mkdir(copy);
    for await (const { name } of Deno.readDir(dir)) {
      if (name !== "bwrap") await Deno.symlink(join(dir, name), join(copy, name));
    }
    if (script !== undefined) {
      await Deno.writeTextFile(join(copy, "bwrap"), script, { mode: 0o755 });
    }
    dirs.push(copy);
  }
  return dirs.join(":");
}

/** What of `needs` and `mode` this machine lacks; undefined where nothing. */
export async function lacking({ needs, mode, setup }: Attack): Promise<string | undefined> {
  const isLinux = Deno.build.os === "linux";
  if (needs.includes("linux") && !isLinux) return "needs Linux";
  if (needs.includes("root") && Deno.uid() !== 0) return "needs root";
  if (needs.includes("mcp") && await programHere("python3") === undefined) {
    return "needs Python for the scripted server";
  }
  if (mode.tty && await programHere("script") === undefined) return "needs the program script";
  const holds = !(await needing()).ignore;
  const wants = needs.includes("bwrap") || mode.sandbox === "on" && setup.break === undefined;
  if (wants && !holds) return "needs a bubblewrap that works";
  return undefined;
}

/** Replaces placeholders; base64 that holds one is decoded, filled and encoded again. */
function filler(values: Readonly<Record<string, string>>): <T>(value: T) => T {
  const plain = (text: string) =>
    Object.entries(values).reduce((filled, [name, value]) => filled.replaceAll(name, value), text);
  const inText = (text: string) =>
    plain(text).replace(/[A-Za-z0-9+/]{16,}={0,2}/g, (word) => {
      if (word.length % 4 !== 0) return word;
      const inner = new TextDecoder().decode(Uint8Array.from(atob(word), (c) => c.charCodeAt(0)));
      const filled = plain(inner);
      return filled === inner
        ? word
        : btoa(String.fromCharCode(...new TextEncoder().encode(filled)));
    });
  const deep = (value: unknown): unknown => {
    if (typeof value === "string") return inText(value);
    if (Array.isArray(value)) return value.map(deep);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => [inText(name), deep(part)]),
    );
  };
  return <T>(value: T) => deep(value) as T;
}
