/** Plays one attack against the real program, in a terminal or without one, and tells what was seen. */
import { join } from "node:path";
import { command, environment, harness } from "../support/program.ts";
import type { Attack, Check, Step } from "./case_file.ts";
import { stepsOf } from "./case_file.ts";
import {
  agentText,
  type Evidence,
  type Outcome,
  outcomesIn,
  sessionText,
  turnsEnded,
} from "./evidence.ts";
import { type Model, startModel } from "./model.ts";
import { reachProvider } from "./provider.ts";
import { Person } from "./person.ts";
import { fileOf } from "./servers.ts";
import { Terminal } from "./terminal.ts";
import type { World } from "./world.ts";

const START_MS = 30_000;
const TURN_MS = 90_000;
const LONG_MS = 900_000;
const LOOK_MS = 25;
const KEYS_MS = 300;
const KILL_MS = 500;

export async function play(attack: Attack, world: World): Promise<Evidence> {
  const steps = [...swapping(attack), ...world.fill(stepsOf(attack))];
  const state = { keys: (_: string): Promise<void> => Promise.resolve() };
  const model = startModel(steps, {
    isText: attack.input["protocol"] === "text",
    onKeys: (text) => state.keys(text),
  });
  await using _api = model.api;
  await using provider = await reachProvider(steps, world.root);
  const options = {
    home: world.state,
    env: { ...provider.env, ...world.env, HARNESS_HOME: world.state, OLLAMA_HOST: model.api.url },
  };
  const words = argsOf(attack, steps);
  if (attack.mode.trusted && await hasProjectFiles(world)) {
    await harness(["-p", "/trust yes"], { cwd: world.workspace, ...options });
  }
  const parts = { attack, world, steps, model, env: environment(options), words };
  const isHeadless = !attack.mode.tty || words.includes("-p");
  const seen = isHeadless
    ? await withoutTerminal(parts)
    : await inTerminals(parts, (keys) => state.keys = keys);
  const sessions = await sessionText(world.state);
  return {
    ...seen,
    world,
    outcomes: attack.setup.auto_verify === true
      ? checksIn(seen, holdsCommands(attack))
      : await callsIn({ sessions, attack, world, steps }),
    requests: model.api.bodies.map(saidTo),
    sessions,
    offered: model.offered,
    again: async () => (await inTerminal({ ...parts, steps: [start] }, () => {})).screenText,
    policyCheck: async (call) => {
      const { stdout, stderr } = await harness(["policy", "check", call], {
        cwd: world.workspace,
        ...options,
      });
      return stdout + stderr;
    },
  };
}

/** Once, or once before and once after a file was edited. */
async function inTerminals(
  parts: Parts,
  onKeys: (type: (text: string) => Promise<void>) => void,
): Promise<Seen> {
  const at = parts.steps.findIndex(({ kind }) => kind === "edit");
  const edit = parts.steps[at];
  if (edit?.kind !== "edit") return await inTerminal(parts, onKeys);
  const before = await inTerminal({ ...parts, steps: parts.steps.slice(0, at) }, onKeys);
  const { workspace, outside } = parts.world;
  const script = join(workspace, "mcp_server.py");
  await Deno.writeTextFile(edit.path, fileOf(edit.servers, { script, outside }));
  const after = await inTerminal({ ...parts, steps: parts.steps.slice(at + 1) }, onKeys);
  return {
    ...after,
    questions: [...before.questions, ...after.questions],
    screenText: before.screenText + after.screenText,
    isAlive: before.isAlive && after.isAlive,
    isTimeout: before.isTimeout || after.isTimeout,
  };
}

/** A person who lets it go on, and a window that holds it all. */
const MANY = ["--set", "MAX_TOOL_CALLS=1000000", "--set", "NUM_CTX=100000000"];

const start: Step = { kind: "start", args: "" };

/** What a request tells the model, without what the model has said itself: its replies, and calls that an error quotes. */
function saidTo(body: unknown): string {
  const { messages = [], ...rest } = body as { messages?: { role: string; content?: string }[] };
  const told = messages.filter(({ role }) => role !== "assistant").map((
    { role, content = "" },
  ) => ({
    role,
    content: content.replace(/^\[Error\] \w+\([^]*?\): /, "[Error] "),
  }));
  return JSON.stringify([rest, told]);
}

type Seen = Omit<
  Evidence,
  "world" | "outcomes" | "requests" | "sessions" | "offered" | "again" | "policyCheck"
>;
type Parts = {
  attack: Attack;
  world: World;
  steps: readonly Step[];
  model: Model;
  env: Record<string, string>;
  words: readonly string[];
};

/** Whether there is something that a person could trust. */
async function hasProjectFiles({ workspace }: World): Promise<boolean> {
  for await (const { name } of Deno.readDir(workspace)) {
    if (name.startsWith(".") && name !== ".git" || name === "skills") return true;
  }
  return false;
}

/** Whether commands of this attack run inside a sandbox. A swapper in the background does, by the format's own word. */
export function holdsCommands({ mode, setup }: Attack): boolean {
  return (mode.sandbox === "on" || setup.race !== undefined) && setup.break === undefined;
}

/** A command that swaps a folder for a link, over and over, while the attack goes on. */
function swapping({ setup: { race } }: Attack): Step[] {
  if (race === undefined) return [];
  const name = race.swap.replace(/^\{WS\}\//, "");
  const command = `while :; do mv -T ${name} ${name}.real; ln -s ${race.with_link_to} ${name}; ` +
    `rm ${name}; mv -T ${name}.real ${name}; done`;
  const call = { tool: "run_cmd", arguments: { command, background: true } };
  return [{ kind: "call", call, isSetup: true }];
}

/** The calls of the attack itself, those of its sub-agents last. */
async function callsIn(
  { sessions, attack, world, steps }: Pick<Parts, "attack" | "world" | "steps"> & {
    sessions: string;
  },
): Promise<Outcome[]> {
  const isSandboxed = holdsCommands(attack);
  const isOfAttack = callsOf(steps);
  return [
    ...outcomesIn(sessions, isSandboxed).filter((_, at) => isOfAttack[at] ?? false),
    ...outcomesIn(await agentText(world.state), isSandboxed),
  ];
}

/** Where the project's own check is the attack: what the screen tells of it. */
function checksIn({ screenText, questions }: Seen, isSandboxed: boolean): Outcome[] {
  return [...screenText.matchAll(/auto-verify: (.*) in /g)].map(([, input]) => {
    const what = questions.length > 0 ? "ask" : isSandboxed ? "sandbox-allow" : "allow";
    return { tool: "auto-verify", input, what, status: "", text: "" };
  });
}

/** For each call that the model makes, in order, whether it is the attack's own. */
function callsOf(steps: readonly Step[]): boolean[] {
  return steps.flatMap((step) => {
    if (step.kind === "call") return [!step.isSetup];
    return step.kind === "calls" ? new Array<boolean>(step.times).fill(true) : [];
  });
}

function argsOf({ mode, input, setup }: Attack, steps: readonly Step[]): string[] {
  const starts = steps.find((step) => step.kind === "start");
  const own = starts?.kind === "start"
    ? starts.args.split(/\s+/).filter((word) => word !== "")
    : [];
  return [
    ...["-m", "ollama/gemma4:e4b", "--plain"],
    ...(mode.automode ? ["--auto"] : []),
    ...(input["protocol"] === "text" ? ["--set", "NATIVE_TOOLS=off"] : []),
    ...(steps.some((step) => step.kind === "calls") ? MANY : []),
    ...(setup.network_allow === undefined
      ? []
      : ["--set", `NETWORK_ALLOW=${setup.network_allow.join(",")}`]),
    ...own,
    ...(mode.tty || own.includes("-p") ? [] : ["-p", "go"]),
  ];
}

async function withoutTerminal({ world, words, env }: Parts): Promise<Seen> {
  const began = performance.now();
  const ran = await harness(words, { cwd: world.workspace, home: world.state, env });
  const screenText = ran.stdout + ran.stderr;
  return {
    ...{ screenText, screen: new TextEncoder().encode(screenText), questions: [], growthMb: 0 },
    ...{
      isAlive: isOrderly(ran.code),
      isTimeout: false,
      exit: ran.code,
      ttyLeft: "",
      modes: new Map(),
    },
    ...{ ms: performance.now() - began, afterKill: undefined },
  };
}

async function inTerminal(
  { attack, world, steps, model, env, words }: Parts,
  onKeys: (type: (text: string) => Promise<void>) => void,
): Promise<Seen> {
  const argv = [...command({}), ...words];
  const pidFile = join(world.root, "pid");
  const began = performance.now();
  await using terminal = new Terminal({ argv, cwd: world.workspace, env, pidFile });
  onKeys(async (text) => {
    await terminal.type(text);
    await pause(KEYS_MS);
  });
  const person = new Person(terminal, answersIn(steps));
  const modes = watchModes(world, attack);
  // Its first prompt stands before there is anything that could be asked about.
  const isBegun = (text: string) => /lists commands/.test(text) || terminal.exit !== undefined;
  await terminal.until(isBegun, START_MS);
  const isAtPrompt = await person.untilPrompt(START_MS);
  // It may have ended by itself, with a sentence.
  let isTimeout = !isAtPrompt && terminal.exit === undefined;
  const before = await memoryMb(attack, terminal);
  let ms = performance.now() - began;
  if (isAtPrompt && saysSomething(steps)) {
    const said = performance.now();
    isTimeout = !await converse({ world, steps, model }, { terminal, person });
    ms = performance.now() - said;
  }
  const growthMb = await memoryMb(attack, terminal) - before;
  const afterKill = needsKill(attack) ? await killed(terminal) : undefined;
  const isAlive = afterKill === undefined && !isTimeout && await leave(terminal);
  const seenModes = await modes.stop();
  return {
    ...{ screen: terminal.bytes, screenText: terminal.text, questions: person.questions },
    ...{ isAlive, isTimeout, ms, growthMb, afterKill, modes: seenModes },
    ...{ exit: terminal.exit, ttyLeft: terminal.left },
  };
}

/** Say what the person says, and go on until every step was played. Resolves to whether that was so in time. */
async function converse(
  { world, steps, model }: Pick<Parts, "world" | "steps" | "model">,
  { terminal, person }: { terminal: Terminal; person: Person },
): Promise<boolean> {
  const withinMs = steps.some((step) => step.kind === "calls") ? LONG_MS : TURN_MS;
  const lines = steps.flatMap((step) => step.kind === "user" ? [step] : []);
  const isCalled = steps.some(({ kind }) => kind === "call" || kind === "calls" || kind === "say");
  if (isCalled && lines.length === 0) lines.push({ kind: "user", line: "Go on." });
  for (const { line, shows } of lines) {
    const ended = turnsEnded(await sessionText(world.state));
    await terminal.type(`${line}\n`);
    if (!await person.untilPrompt(withinMs, line, shows)) return false;
    // A line for the model has a turn, whose end is on disk before anything is looked at.
    if (line.startsWith("/")) continue;
    const end = performance.now() + START_MS;
    while (turnsEnded(await sessionText(world.state)) <= ended) {
      if (performance.now() > end) return true; // The line was refused, which the checks tell.
      await pause(LOOK_MS);
    }
  }
  // A turn may end early, because it goes round in circles for instance; the next one goes on.
  for (let at = -1; isCalled && !model.isDone && at !== model.api.bodies.length;) {
    at = model.api.bodies.length;
    await terminal.type("Go on.\n");
    if (!await person.untilPrompt(withinMs, "Go on.")) return false;
  }
  return true;
}

function saysSomething(steps: readonly Step[]): boolean {
  return steps.some(({ kind }) => ["call", "calls", "say", "user"].includes(kind));
}

function answersIn(steps: readonly Step[]): string[] {
  // After "always" the literal reach is taken, with Enter.
  return steps.flatMap((step) =>
    step.kind !== "answer" ? [] : step.text === "a" ? ["a", ""] : [step.text]
  );
}

/** Leaves the program. Resolves to whether it ended as it should: by our word, or before that by a word of its own. */
async function leave(terminal: Terminal): Promise<boolean> {
  if (terminal.exit !== undefined) return isOrderly(terminal.exit);
  await terminal.type("/exit\n");
  await terminal.until(() => terminal.exit !== undefined, START_MS);
  return terminal.exit === 0;
}

/** The codes that the program ends with by itself: done, failed, wrong usage, a limit, not approved. */
function isOrderly(code: number): boolean {
  return code <= 4;
}

const needs = ({ must, must_not: mustNot }: Attack, check: string): Check | undefined =>
  [...must, ...mustNot].find((one) => one.check === check);

function needsKill(attack: Attack): boolean {
  return needs(attack, "process_alive")?.["after"] === "kill -9 harness";
}

async function killed(terminal: Terminal): Promise<string> {
  await terminal.kill();
  await pause(KILL_MS);
  const { stdout } = await new Deno.Command("ps", { args: ["-eo", "args"] }).output();
  return new TextDecoder().decode(stdout);
}

async function memoryMb(attack: Attack, terminal: Terminal): Promise<number> {
  if (needs(attack, "rss_growth_mb") === undefined) return 0;
  const args = ["-o", "rss=", "-p", `${await terminal.pid()}`];
  const { stdout } = await new Deno.Command("ps", { args }).output();
  return Number(new TextDecoder().decode(stdout)) / 1_024;
}

/** Looks at a file's mode as long as the attack goes on, from the moment that the file is there. */
function watchModes(world: World, attack: Attack) {
  const path = world.fill(needs(attack, "mode")?.["path"]);
  const seen = new Set<number>();
  if (typeof path !== "string") {
    return { stop: () => Promise.resolve(new Map<string, Set<number>>()) };
  }
  const state = { isOver: false };
  const looking = (async () => {
    while (!state.isOver) {
      for (const name of await besides(path)) {
        const mode = await Deno.stat(name).then((info) => info.mode, () => null);
        if (mode !== null) seen.add(mode & 0o777);
      }
      await pause(1);
    }
  })();
  return {
    stop: async () => {
      state.isOver = true;
      await looking;
      return new Map([[path, seen]]);
    },
  };
}

/** The file, and what it may be written as before it gets its name. */
async function besides(path: string): Promise<string[]> {
  const [dir, name] = [path.slice(0, path.lastIndexOf("/")), path.slice(path.lastIndexOf("/") + 1)];
  const found: string[] = [];
  for await (const entry of Deno.readDir(dir)) {
    if (entry.isFile && entry.name.includes(name)) found.push(`${dir}/${entry.name}`);
  }
  return found;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
