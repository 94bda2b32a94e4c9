/** The boundary on Linux: opened once a run, proven, and drawn anew for each command. */
import { isWithin } from "@/lib/path_within.ts";
import { join } from "@/lib/path.ts";
import type { BoundaryFacts } from "@/sandbox/boundary.ts";
import type { Boundary, Opened, SandboxOptions } from "@/sandbox/boundary_options.ts";
import { Bubblewrap } from "@/sandbox/bubblewrap.ts";
import { bwrapHint } from "@/sandbox/bwrap_hint.ts";
import { Findings } from "@/sandbox/findings.ts";
import { gitIdentity, gitIgnores } from "@/sandbox/git_identity.ts";
import { jvmCaches } from "@/sandbox/jvm_caches.ts";
import { linuxProfile } from "@/sandbox/linux_profile.ts";
import { type KeptCache, openKeptCaches } from "@/sandbox/kept_cache.ts";
import { namesIn, realPath } from "@/sandbox/look.ts";
import type { MountPlan } from "@/sandbox/mount_plan.ts";
import { findLayout, type Layout } from "@/sandbox/layout.ts";
import type { SandboxPolicy } from "@/sandbox/policy.ts";
import { NetworkWay } from "@/sandbox/network_way.ts";
import { openPrivateDir, type PrivateDir } from "@/sandbox/private_dir.ts";
import { probeLinux, type ProbeOutcome } from "@/sandbox/probe.ts";
import type { Wrapper } from "@/sandbox/processes.ts";
import { StartError } from "@/sandbox/spawn.ts";
import type { Machine } from "@/sandbox/syscalls.ts";
import { findToolchains, type Shown } from "@/sandbox/toolchains.ts";

const MARKER = ".harness-sandbox";
const MARKER_TEXT = "This home belongs to one run of harness and is removed when it ends.\n";
/** Plans of that many policies are kept. */
const PLANS_MAX = 50;
/** Real entries of home and of the state directory that the probe looks for. */
const LOOKED_FOR_MAX = 3;
const STAGED_MS = 10_000;

/** Open and prove it. Never rejects for what the machine lacks. */
export async function openLinux(options: SandboxOptions): Promise<Opened> {
  const { processes } = options;
  const machine = Deno.build.arch;
  if (machine !== "x86_64" && machine !== "aarch64") {
    return { problem: `the system calls of this machine (${machine}) are not known` };
  }
  // Once without knowing who we are, because that takes a directory which may not even be possible here.
  const early = findLayout({ ...options, uid: null });
  if ("problem" in early) return early;
  const { roots } = early;
  // Never one that the workspace brings: whoever wrote that could write another bwrap.
  const program = await processes.find("bwrap", roots);
  if (program === undefined) return { problem: "bubblewrap (bwrap) is not installed" };
  const opened = await openPrivateDir(roots, options);
  if ("problem" in opened) return opened;
  const { dir, uid } = opened;
  const layout = findLayout({ ...options, uid });
  let boundary: LinuxBoundary | undefined;
  let problem = "problem" in layout ? layout.problem : undefined;
  try {
    if ("problem" in layout) return layout;
    boundary = new LinuxBoundary({ options, layout, dir, uid, program, machine });
    problem = await boundary.prove();
    return problem === undefined
      ? { boundary }
      : { problem: `bubblewrap (${program}) does not work here: ${problem}${bwrapHint(problem)}` };
  } catch (error) {
    problem = "it broke";
    throw error;
  } finally {
    if (problem !== undefined) await (boundary?.close() ?? dir.remove());
  }
}

type Parts = {
  options: SandboxOptions;
  layout: Layout;
  dir: PrivateDir;
  uid: number | null;
  program: string;
  machine: Machine;
};

class LinuxBoundary implements Boundary {
  readonly kind = "bubblewrap";
  readonly #parts: Parts;
  readonly #bubblewrap: Bubblewrap;
  readonly #toolchains: Shown;
  readonly #findings: Findings;
  readonly #visible: readonly string[];
  readonly #plans = new Map<string, MountPlan>();
  readonly #network: NetworkWay;
  #kept: readonly KeptCache[] = [];
  #areSocketsOpen = false;

  constructor(parts: Parts) {
    const { options, layout, dir } = parts;
    this.#parts = parts;
    this.#network = new NetworkWay({ ...parts, roots: layout.roots });
    const jvm = jvmCaches({
      home: layout.home,
      env: options.env,
      isWritable: (path) => layout.roots.some((root) => isWithin(path, root)),
    });
    this.#bubblewrap = new Bubblewrap({
      program: parts.program,
      machine: parts.machine,
      private: dir,
      home: layout.home,
      temporary: layout.temporary[0] ?? "/tmp",
      limits: options.limits,
      env: jvm.env,
      network: () => this.#network.space,
    });
    const hidden = [...layout.hidden, ...layout.temporary];
    const isSecret = (path: string) =>
      isWithin(path, layout.stateDir) || isWithin(layout.stateDir, path);
    const found = findToolchains({
      homes: layout.homes,
      env: { ...options.env, PATH: realHome(options.processes.path, layout) },
      isHidden: (path) => hidden.some((at) => isWithin(path, at)),
      isSecret,
    });
    const jvmDirs = jvm.dirs.filter(({ from }) => !isSecret(from));
    this.#toolchains = { ...found, dirs: [...found.dirs, ...jvmDirs] };
    this.#visible = options.visible.flatMap((path) => realPath(path) ?? [])
      .filter((path) => path !== "/" && !isWithin(layout.stateDir, path));
    this.#findings = new Findings(layout, options, {
      staged: (root, paths) => this.#staged(root, paths),
      isRoot: parts.uid === 0,
    });
  }

  /** Prepare what commands need, and try whether the boundary holds; the end of a sentence where it does not. */
  async prove(): Promise<string | undefined> {
    // Without git, which may run nothing before this is proven.
    [this.#kept] = await Promise.all([
      this.#caches(),
      this.#findings.search(false),
      this.#network.open(),
    ]);
    try {
      const [problem] = await Promise.all([this.#probeAll(), this.#network.leadOut()]);
      return problem;
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      return error.message;
    }
  }

  #caches(): Promise<readonly KeptCache[]> {
    const { options, layout: { stateDir, roots } } = this.#parts;
    const { processes, workspace, keepsCaches = true } = options;
    if (!keepsCaches) return Promise.resolve([]);
    const has = async (name: string) => await processes.find(name, roots) !== undefined;
    return openKeptCaches({ stateDir, workspace, has });
  }

  /**
   * With every socket covered, and with the network namespace of the run. Where the one does not hold, with none of them;
   * where the other does not, with a namespace for each command.
   */
  async #probeAll(): Promise<string | undefined> {
    let problem = await this.#probe(this.#plan({}));
    if (problem !== undefined && this.#findings.leaveSockets()) {
      this.#areSocketsOpen = true;
      problem = await this.#probe(this.#plan({}));
    }
    if (problem === undefined || this.#network.space === undefined) return problem;
    await this.#network.giveUp();
    return await this.#probe(this.#plan({}));
  }

  async #probe(plan: MountPlan): Promise<string | undefined> {
    const { options, layout, dir } = this.#parts;
    const { processes } = options;
    const home = dir.ownDir(layout.home);
    Deno.writeTextFileSync(join(home, MARKER), MARKER_TEXT);
    const canary = join(dir.path, "canary");
    Deno.writeTextFileSync(canary, "", { mode: 0o600 });
    const probe = () =>
      probeLinux(processes, (inner) => this.#bubblewrap.wrap(plan, inner, { isProbe: true }), {
        marker: join(layout.home, MARKER),
        hidden: [canary, ...this.#hiddenEntries()],
        outside: join(dir.path, "written"),
      });
    const about = { notUnder: layout.roots, env: options.env };
    const [first, identity, ignores] = await Promise.all([
      probe(),
      gitIdentity(processes, layout.roots),
      gitIgnores(processes, about),
    ]);
    const { problem } = await this.#withoutInherited(first, probe);
    if (identity !== "") Deno.writeTextFileSync(join(home, ".gitconfig"), identity);
    if (ignores !== "") {
      Deno.mkdirSync(join(home, ".config", "git"), { recursive: true });
      Deno.writeTextFileSync(join(home, ".config", "git", "ignore"), ignores);
    }
    if (problem === undefined && this.#findings.masks.masked > 0) await this.#findings.search(true);
    return problem;
  }

  /** Files that whoever started us left open, and that commands would have open as well: closed, and tried again. */
  async #withoutInherited(
    { problem, inherited }: ProbeOutcome,
    probe: () => Promise<ProbeOutcome>,
  ): Promise<ProbeOutcome> {
    if (inherited === undefined) return problem === undefined ? {} : { problem };
    const bash = await this.#parts.options.processes.find("bash", this.#parts.layout.roots);
    const what = `commands would inherit open files (${inherited.join(", ")})`;
    if (bash === undefined) return { problem: `${what}, and there is no bash to close them` };
    this.#bubblewrap.closeAlso(inherited, bash);
    const { problem: still, inherited: left } = await probe();
    return left === undefined && still === undefined ? {} : { problem: still ?? what };
  }

  facts(): BoundaryFacts {
    return {
      isRoot: this.#parts.uid === 0,
      toolchains: this.#toolchains.dirs.length,
      ...this.#findings.masks,
      hasGit: this.#findings.hasGit,
      areSocketsOpen: this.#areSocketsOpen,
      limits: this.#parts.options.limits(),
      network: this.#network.facts,
    };
  }

  wrap(policy: SandboxPolicy): Wrapper {
    // Drawn when the command starts: what stands in the workspace may be another thing by then.
    return (inner) => {
      const plan = this.#plan(policy);
      if (policy.canWriteWorkspace !== false) this.#findings.touched();
      return this.#bubblewrap.wrap(plan, inner);
    };
  }

  async close(): Promise<void> {
    await this.#findings.close();
    await this.#network.close();
    await this.#parts.dir.remove();
  }

  /** The mounts of a command. Throws StartError when they cannot be made where they have to be. */
  #plan(policy: SandboxPolicy): MountPlan {
    const { options, layout, dir } = this.#parts;
    const isQuiet = options.processes.wrappedRunning === 0;
    const { version, ...found } = this.#findings.current(isQuiet);
    const key = JSON.stringify([version, policy]);
    const plan = this.#plans.get(key) ?? linuxProfile({
      layout,
      private: dir,
      toolchains: this.#toolchains,
      kept: this.#kept,
      ...found,
      policy: { ...policy, readable: [...this.#visible, ...policy.readable ?? []] },
    });
    const odd = plan.problem();
    if (odd !== undefined) {
      this.#plans.delete(key);
      const rest = isQuiet ? "" : " while another command runs in the sandbox; end that one first";
      const what = `Cannot draw the sandbox's boundary: "${odd}" was moved or replaced${rest}`;
      throw new StartError("other", what, undefined);
    }
    if (this.#plans.size >= PLANS_MAX) this.#plans.clear();
    this.#plans.set(key, plan);
    return plan;
  }

  /** Names in home and in the state directory that must not be there inside. */
  #hiddenEntries(): string[] {
    const { homes, stateDir, home, roots } = this.#parts.layout;
    const inHome = this.#kept.map(({ at }) => join(home, at));
    const toolchains = this.#toolchains.dirs.map(({ at }) => at);
    const shown = [home, ...roots, ...this.#visible, ...toolchains, ...inHome];
    const isHidden = (path: string) =>
      !shown.some((at) => isWithin(at, path) || (at !== home && isWithin(path, at)));
    return [stateDir, ...homes].flatMap((at) =>
      namesIn(at).map((name) => join(at, name)).filter(isHidden).slice(0, LOOKED_FOR_MAX)
    );
  }

  /** Asked inside, because a repository's config may name programs for git to run. */
  async #staged(root: string, paths: readonly string[]): Promise<string> {
    const { processes } = this.#parts.options;
    const git = await processes.find("git", this.#parts.layout.roots);
    if (git === undefined) return "";
    const options = ["--no-optional-locks", "--literal-pathspecs"];
    const args = [...options, "ls-files", "-s", "-z", "--", ...paths];
    try {
      const { stdout } = await processes.run(
        { program: git, args, cwd: root, wrap: this.wrap({ canWriteWorkspace: false }) },
        { timeoutMs: STAGED_MS },
      );
      return stdout.text();
    } catch (error) {
      // Whatever kept git from answering (the program may be ending just now): what is not known to be public is masked.
      if (!(error instanceof Error)) throw error;
      return "";
    }
  }
}

/** `PATH` with the home directory by its real path. */
function realHome(path: string, { homeLink, home }: Layout): string {
  if (homeLink === undefined) return path;
  return path.split(":").map((entry) =>
    isWithin(entry, homeLink) ? home + entry.slice(homeLink.length) : entry
  ).join(":");
}
