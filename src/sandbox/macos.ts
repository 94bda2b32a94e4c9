/** The boundary on macOS: `sandbox-exec` with a profile of ours. Not tried on macOS yet; it counts only where the probe holds. */
import { isWithin } from "@/lib/path_within.ts";
import { dirname, join } from "@/lib/path.ts";
import { randomHex } from "@/lib/random.ts";
import type { BoundaryFacts } from "@/sandbox/boundary.ts";
import type { Boundary, Opened, SandboxOptions } from "@/sandbox/boundary_options.ts";
import { EnvMasks } from "@/sandbox/env_masks.ts";
import { findGitDirs, type GitDirs, mayShowTop } from "@/sandbox/git_dirs.ts";
import { gitIdentity } from "@/sandbox/git_identity.ts";
import { realPath, statOf } from "@/sandbox/look.ts";
import { findLayout, type Layout, outermost } from "@/sandbox/layout.ts";
import type { SandboxPolicy } from "@/sandbox/policy.ts";
import { openPrivateDir, type PrivateDir } from "@/sandbox/private_dir.ts";
import type { Wrapper } from "@/sandbox/processes.ts";
import { seatbeltProfile } from "@/sandbox/seatbelt_profile.ts";
import { StartError } from "@/sandbox/spawn.ts";
import { findToolchains, type Shown } from "@/sandbox/toolchains.ts";

const SANDBOX_EXEC = "/usr/bin/sandbox-exec";
const PROBE_MS = 10_000;
const BLOCK_BYTES = 512;

/** Says `$1` and what is wrong. `$2` a file that must not be read, `$3` a place to write, `$4` a port to reach. */
const PROBE = `
bad=
{ read -r line < "$2"; } 2>/dev/null && bad="$bad files"
{ true > "$3"; } 2>/dev/null && bad="$bad writing"
{ exec 3<> "/dev/tcp/127.0.0.1/$4"; } 2>/dev/null && bad="$bad network"
echo "$1$bad"
`;

/** `$1` blocks of 512 bytes. Processes are counted for the whole user here, so there is no limit on them. */
const INNER = '{ [ $1 = 0 ] || ulimit -f $1; ulimit -c 0; } 2>/dev/null; shift; exec "$@"';

/** Open and prove it. Never rejects for what the machine lacks. */
export async function openMacos(options: SandboxOptions): Promise<Opened> {
  if (statOf(() => Deno.statSync(SANDBOX_EXEC)) === undefined) {
    return { problem: `there is no ${SANDBOX_EXEC}` };
  }
  const opened = await openPrivateDir(outermost([options.workspace, ...options.added]), options);
  if ("problem" in opened) return opened;
  const { dir, uid } = opened;
  const layout = findLayout({ ...options, uid });
  if ("problem" in layout) {
    await dir.remove();
    return layout;
  }
  const boundary = new MacosBoundary({ options, layout, dir, uid });
  const problem = await boundary.prove();
  if (problem === undefined) return { boundary };
  await boundary.close();
  return { problem: `sandbox-exec does not work here: ${problem}` };
}

type Parts = { options: SandboxOptions; layout: Layout; dir: PrivateDir; uid: number | null };

class MacosBoundary implements Boundary {
  readonly kind = "seatbelt";
  readonly #options: SandboxOptions;
  readonly #layout: Layout;
  readonly #dir: PrivateDir;
  readonly #uid: number | null;
  readonly #toolchains: Shown;
  readonly #git: readonly GitDirs[];
  readonly #masks: EnvMasks;

  constructor({ options, layout, dir, uid }: Parts) {
    this.#options = options;
    this.#uid = uid;
    this.#layout = layout;
    this.#dir = dir;
    this.#toolchains = findToolchains({
      homes: layout.homes,
      env: { ...options.env, PATH: options.processes.path },
      isHidden: (path) => layout.hidden.some((at) => isWithin(path, at)),
      isSecret: (path) => isWithin(path, layout.stateDir) || isWithin(layout.stateDir, path),
    });
    const closed = [...layout.hidden, ...layout.temporary, layout.stateDir];
    this.#git = layout.roots.flatMap((root) => findGitDirs(root) ?? [])
      .filter((git) => mayShowTop(git, closed));
    this.#masks = new EnvMasks({
      roots: layout.roots,
      isTrusted: options.isTrusted,
      staged: () => Promise.resolve(""),
    });
  }

  async prove(): Promise<string | undefined> {
    const { processes } = this.#options;
    await this.#masks.search(false);
    this.#linkToolchains();
    const identity = await gitIdentity(processes, this.#layout.roots);
    if (identity !== "") Deno.writeTextFileSync(join(this.#home, ".gitconfig"), identity);
    const canary = join(this.#dir.path, "canary");
    const outside = join(this.#dir.path, "written");
    Deno.writeTextFileSync(canary, "canary\n", { mode: 0o600 });
    using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const nonce = randomHex(16);
    const port = listener.addr.transport === "tcp" ? listener.addr.port : 0;
    try {
      const { stdout, stderr } = await processes.run({
        program: "/bin/bash",
        args: ["-c", PROBE, "bash", nonce, canary, outside, String(port)],
        cwd: "/",
        wrap: this.wrap({}),
      }, { timeoutMs: PROBE_MS });
      const said = stdout.text().trim();
      if (said === nonce) return undefined;
      return said.startsWith(nonce)
        ? `it does not separate:${said.slice(nonce.length)}`
        : `it fails with "${stderr.text().trim().slice(0, 200)}"`;
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      return error.message;
    }
  }

  facts(): BoundaryFacts {
    return {
      isRoot: this.#uid === 0,
      toolchains: this.#toolchains.dirs.length,
      masked: this.#masks.masked().length,
      isSearchWhole: this.#masks.isWhole,
      hasGit: this.#git.length > 0,
      areSocketsOpen: false,
      limits: { ...this.#options.limits(), processesMax: 0 },
      network: { isShared: false, why: "harness has no proxy for commands on macOS" },
    };
  }

  wrap(policy: SandboxPolicy): Wrapper {
    return (inner) => {
      this.#masks.look();
      const profile = this.#dir.file(new TextEncoder().encode(this.#profile(policy)));
      const blocks = Math.ceil(this.#options.limits().fileMaxMb * 1_000_000 / BLOCK_BYTES);
      return {
        program: SANDBOX_EXEC,
        args: [
          ...["-f", profile, "/bin/sh", "-c", INNER, "sh", String(blocks)],
          ...[inner.program, ...inner.args],
        ],
        cwd: inner.cwd,
        env: { ...inner.env, HOME: this.#home, TMPDIR: this.#temporary },
      };
    };
  }

  async close(): Promise<void> {
    await this.#masks.settled();
    await this.#dir.remove();
  }

  get #home(): string {
    return this.#dir.dir("home");
  }

  get #temporary(): string {
    return this.#dir.dir("tmp");
  }

  #profile(policy: SandboxPolicy): string {
    const { roots } = this.#layout;
    return seatbeltProfile({
      layout: this.#layout,
      home: this.#home,
      temporary: this.#temporary,
      readable: [
        ...this.#toolchains.dirs.map(({ from }) => from),
        ...this.#options.visible.flatMap((path) => realPath(path) ?? []),
      ],
      hidden: this.#toolchains.hidden,
      git: this.#git,
      readOnlyFiles: roots.flatMap((root) =>
        this.#options.ruleFiles.map((name) => join(root, name))
      ),
      shownEnvFiles: this.#masks.shown(),
      policy,
    });
  }

  /** Nothing can be mounted here, so the private home has links to where the toolchains are. */
  #linkToolchains(): void {
    const [home] = this.#layout.homes;
    for (const { at, from } of this.#toolchains.dirs) {
      if (home === undefined || !isWithin(at, home)) continue;
      const link = join(this.#home, at.slice(home.length));
      Deno.mkdirSync(dirname(link), { recursive: true, mode: 0o700 });
      Deno.symlinkSync(from, link);
    }
  }
}
