/** `harness doctor`: what is enforced by what on this machine now, and what is there to work with. One function a check. */
import { closing } from "@/lib/closing.ts";
import { fileErrorReason } from "@/lib/file_error.ts";
import { visible } from "@/lib/visible.ts";
import { reachOptions } from "@/compose/model.ts";
import { Network } from "@/compose/network.ts";
import { lookAtPlace, type Place } from "@/compose/place.ts";
import { pending } from "@/policy/pending.ts";
import { Trust } from "@/policy/trust.ts";
import { PersonError } from "@/protocol/error.ts";
import { connectionFor, createProvider, Http, ownProvider } from "@/provider/mod.ts";
import { boundaryText } from "@/sandbox/boundary.ts";
import type { SandboxOnDemand } from "@/sandbox/mod.ts";
import { OURS, personEnv, SET_ASIDE } from "@/sandbox/person_env.ts";
import { Processes } from "@/sandbox/processes.ts";
import { StartError } from "@/sandbox/spawn.ts";
import { tryWaiting } from "./doctor_waiting.ts";
import { loadPolicy } from "@/compose/rights.ts";
import { sandboxOf } from "@/compose/sandbox.ts";
import { prepareHome } from "@/settings/paths.ts";
import { isWriteScoped } from "@/lib/write_scope.ts";
import { loadSettings, type SettingsStore } from "@/settings/store.ts";
import { isColored } from "@/terminal/color.ts";
import { answer } from "@/terminal/process.ts";
import { EXIT } from "@/terminal/exit_code.ts";
import { VERSION } from "@/version.ts";

/** What checks look at. */
type About = {
  place: Place;
  settings: SettingsStore;
  trust: Trust;
  processes: Processes;
  sandbox: SandboxOnDemand;
  warn(line: string): void;
};

/** What a check found. `isBroken`: harness cannot work like this. */
type Found = { title: string; lines: readonly string[]; isBroken?: boolean };

type Check = (about: About) => Promise<Found>;

/** In the order in which they are printed; all run at once. */
const CHECKS: readonly Check[] = [
  whatHoldsCommands,
  waitingForInput,
  ownRights,
  stateDirectory,
  project,
  programs,
  terminal,
  ollama,
];

const PROGRAM_MS = 3_000;
const OLLAMA_MS = 2_000;

/** Look at everything and print it. Resolves to the exit code: failed where harness cannot work. */
export async function doctor(run: { cwd?: string }): Promise<number> {
  const place = await lookAtPlace(run);
  const warnings: string[] = [];
  const warn = (line: string) => void warnings.push(line);
  const { store: settings, notices } = await loadSettings({ file: place.paths.settings });
  const trust = await Trust.load(place.paths.trust);
  const processes = new Processes(personEnv(place.env), { notUnder: [place.workspace] });
  const known = { run: {}, place, added: [], trust };
  const policy = () => loadPolicy({ ...known, sandbox, settings: () => settings.current });
  const network = new Network({ ...known, settings, policy, onNotice: warn });
  const sandbox: SandboxOnDemand = sandboxOf({
    ...{ ...known, settings, processes, network, isInteractive: true, onNotice: warn },
    keepsCaches: false,
  });
  try {
    const about = { place, settings, trust, processes, sandbox, warn };
    const found = await Promise.all(CHECKS.map((check) => check(about)));
    const sections = found.map(({ title, lines }) =>
      [title, ...lines.map((line) => `  ${visible(line, { oneLine: true })}`)].join("\n")
    );
    const version = `harness ${VERSION}, Deno ${Deno.version.deno} (${Deno.execPath()})`;
    const machine = `${Deno.build.os} ${Deno.build.arch}`;
    const problems = [
      ...notices,
      ...(trust.problem === undefined ? [] : [trust.problem]),
      ...warnings,
    ];
    const last = problems.map((line) => `problem: ${visible(line)}`).join("\n");
    answer([`${version}, ${machine}`, ...sections, last].join("\n").trimEnd());
    return found.some(({ isBroken }) => isBroken) ? EXIT.failed : EXIT.done;
  } finally {
    await processes.close();
    await sandbox.close();
  }
}

async function whatHoldsCommands({ sandbox }: About): Promise<Found> {
  const rows = (await sandbox.ready()).describe();
  return { title: "Commands of the model", lines: boundaryText(rows).split("\n") };
}

async function waitingForInput({ sandbox, processes, place }: About): Promise<Found> {
  const opened = await sandbox.ready();
  const wrap = opened.isProven ? opened.wrap() : undefined;
  const { lines, isBroken } = await tryWaiting({ processes, workspace: place.workspace, wrap });
  return { title: "Commands that wait for input", lines, isBroken };
}

/** What Deno holds of this program's own writing, and what of the person's shell acts on Deno. */
function ownRights({ place: { env, workspace, paths } }: About): Promise<Found> {
  const dirs = `"${workspace}" and its repository, "${paths.home}" and temporary directories`;
  const line = isWriteScoped()
    ? `harness itself writes to ${dirs} alone (Deno); links, and programs that it starts, are not held by that`
    : "harness itself may write wherever you may: only the single file and the npm package are started with a list of directories";
  const acting = SET_ASIDE.filter((name) => (env[name] ?? "") !== "" && !Object.hasOwn(OURS, name));
  const acts = acting.length === 0
    ? "nothing of your shell's variables acts on the Deno below it"
    : `${acting.join(", ")} of your shell ${
      acting.length === 1 ? "acts" : "act"
    } on harness itself: only its tasks, the single file and the npm package set that aside`;
  return Promise.resolve({ title: "This program", lines: [line, acts] });
}

async function stateDirectory({ place: { paths } }: About): Promise<Found> {
  const title = `State in ${paths.home}`;
  try {
    await prepareHome(paths.home);
  } catch (error) {
    if (!(error instanceof PersonError)) throw error;
    return { title, lines: [error.message, error.hint], isBroken: true };
  }
  return { title, lines: [await modeText(paths.home), ...await keyFileText(paths.providers)] };
}

async function modeText(path: string): Promise<string> {
  const { mode } = await Deno.stat(path);
  if (mode === null) return "writable";
  const bits = (mode & 0o777).toString(8).padStart(4, "0");
  return (mode & 0o077) === 0
    ? `writable, for you alone (${bits})`
    : `writable, and others may look into it (${bits}); chmod 700 would end that`;
}

/** Keys stand in there. */
async function keyFileText(path: string): Promise<string[]> {
  try {
    const { mode } = await Deno.stat(path);
    if (mode === null || (mode & 0o077) === 0) return [];
    return [`${path} holds keys and others may read it; chmod 600 would end that`];
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    return [`${path}: ${fileErrorReason(error)}`];
  }
}

async function project({ place: { workspace }, trust }: About): Promise<Found> {
  const waiting = (await pending(trust, workspace)).map(({ name }) => name);
  const line = waiting.length === 0
    ? "nothing of it waits for your trust"
    : `does nothing until you trust it (/trust): ${waiting.join(", ")}`;
  return { title: `Project ${workspace}`, lines: [line] };
}

/** Programs that harness starts, and what goes without them. */
const PROGRAMS: Readonly<Record<string, string>> = {
  git: "no git_status, git_diff and commits",
  rg: "searches use harness's own, slower search",
  python3: "no run_python",
  ...(Deno.build.os === "linux"
    ? {
      bwrap: "no sandbox; the package is called bubblewrap",
      nsenter: "commands share no loopback and reach no host; it is in util-linux",
    }
    : {}),
  ...(Deno.build.os === "windows" ? {} : { bash: "commands run in sh" }),
};

async function programs({ processes, place }: About): Promise<Found> {
  const lines = await Promise.all(
    Object.entries(PROGRAMS).map(async ([name, without]) => {
      const path = await processes.find(name, [place.workspace]);
      const shown = name.padEnd(7);
      if (path === undefined) return `${shown}  not found: ${without}`;
      return `${shown}  ${await versionOf(path, processes)}  ${path}`;
    }),
  );
  return { title: "Programs", lines };
}

async function versionOf(path: string, processes: Processes): Promise<string> {
  const command = { program: path, args: ["--version"], cwd: "/" };
  try {
    const { stdout, code } = await processes.run(command, { timeoutMs: PROGRAM_MS });
    const version = /(?<!\d)\d+(\.\d+)+/.exec(stdout.text())?.[0];
    return code === 0 && version !== undefined ? version : "(it does not say its version)";
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return `(${error.message})`;
  }
}

function terminal({ place: { env } }: About): Promise<Found> {
  const [isIn, isOut] = [Deno.stdin.isTerminal(), Deno.stdout.isTerminal()];
  const colors = isColored({ isTerminal: isOut, env: (name) => env[name] });
  const inside = env["TMUX"] !== undefined
    ? "tmux"
    : env["STY"] !== undefined
    ? "screen"
    : undefined;
  const locale = env["LC_ALL"] || env["LC_CTYPE"] || env["LANG"] || "not set";
  return Promise.resolve({
    title: "Terminal",
    lines: [
      isIn && isOut ? `${sizeText()}, colours ${colors ? "on" : "off"}` : notTerminal(isIn, isOut),
      `TERM ${env["TERM"] ?? "not set"}${
        inside === undefined ? "" : ` in ${inside}`
      }, locale ${locale}`,
    ],
  });
}

function sizeText(): string {
  const { columns, rows } = Deno.consoleSize();
  return `${columns} columns, ${rows} rows`;
}

function notTerminal(isIn: boolean, isOut: boolean): string {
  const none = [...(isIn ? [] : ["standard input"]), ...(isOut ? [] : ["standard output"])];
  return `${none.join(" and ")} ${
    none.length > 1 ? "are" : "is"
  } no terminal: a run is one turn here`;
}

async function ollama(about: About): Promise<Found> {
  return await closing(
    new Http({ env: about.place.env, offline: false }),
    (http) => ollamaBy(http, about),
  );
}

async function ollamaBy(http: Http, { place, settings, warn }: About): Promise<Found> {
  const declaration = ownProvider();
  const create = await reachOptions({
    ...{ run: {}, place, http, settings: () => settings.current, isInteractive: false, warn },
  });
  const provider = await createProvider(declaration, { ...create, retry: { retriesMax: 0 } });
  const title = `${declaration.title} at ${
    connectionFor(declaration, create)?.baseUrl ?? "its address"
  }`;
  try {
    const models = await provider.models(AbortSignal.timeout(OLLAMA_MS));
    const has = models.some(({ name }) => name === settings.current.MODEL);
    const line = `answers; ${models.length} models${
      has ? `, ${settings.current.MODEL} among them` : ""
    }`;
    return { title, lines: [line] };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { title, lines: [error.message] };
  }
}
