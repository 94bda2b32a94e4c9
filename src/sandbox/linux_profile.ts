/** What a command sees on Linux, mount by mount. Behind each line stands what was seen without it. */
import { isWithin } from "@/lib/path_within.ts";
import { basename, join } from "@/lib/path.ts";
import type { GitDirs } from "@/sandbox/git_dirs.ts";
import { isDirectory, isFile, realPath, statOf } from "@/sandbox/look.ts";
import type { KeptCache } from "@/sandbox/kept_cache.ts";
import { MountPlan } from "@/sandbox/mount_plan.ts";
import type { Layout } from "@/sandbox/layout.ts";
import type { SandboxPolicy } from "@/sandbox/policy.ts";
import type { PrivateDir } from "@/sandbox/private_dir.ts";
import type { Shown } from "@/sandbox/toolchains.ts";

/** What the profile is made of. It holds until something of it changes. */
export type ProfileParts = {
  layout: Layout;
  private: PrivateDir;
  toolchains: Shown;
  /** Caches that outlive the run. */
  kept: readonly KeptCache[];
  /** Repositories of the writable directories. */
  git: readonly GitDirs[];
  /** Real paths of files to be shown empty. */
  masked: readonly string[];
  /** Existing files, by path, that stay as they are. */
  readOnlyFiles: readonly string[];
  /** Real paths of Unix sockets. */
  sockets: readonly string[];
  policy: SandboxPolicy;
};

/** Namespaces and rights. */
export const ISOLATION: readonly string[] = [
  // Own user namespace also as root, so that no capability of the real one is left.
  ...["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts"],
  ...["--cap-drop", "ALL"],
  // Without it three background children outlived a killed harness; the PID namespace ends with it, setsid and nohup included.
  "--die-with-parent",
  // Without it a command typed into the parent's terminal (TIOCSTI); the system call filter refuses that as well.
  "--new-session",
];

/** Build it. Directories may be made in the private directory and, for git, in `.git`. */
export function linuxProfile(parts: ProfileParts): MountPlan {
  const { layout, policy } = parts;
  const plan = new MountPlan(parts.private);
  plan.system();
  plan.special("--dev", "/dev");
  showSystem(plan);
  for (const path of layout.temporary) plan.own(path);
  hideHomes(plan, parts);
  showHome(plan, parts);
  const canWrite = policy.canWriteWorkspace !== false;
  for (const { at, isWritable } of sorted(openDirectories(parts))) {
    if (isWritable && (canWrite || !isProject(at, parts))) plan.write(at);
    else plan.show(at);
  }
  pinGit(plan, parts, canWrite);
  // Existing rule files; one that is made later gives no right until the person has trusted its content.
  for (const path of parts.readOnlyFiles) if (plan.isVisible(path)) plan.show(path);
  // An empty regular file: with /dev/null, `git add -A` failed ("can only add regular files").
  const empty = parts.private.file(new Uint8Array());
  for (const path of parts.masked) if (plan.isVisible(path)) plan.show(empty, path);
  for (const path of parts.sockets) plan.blank(path, empty);
  hideState(plan, parts);
  // After that: it may be a scratch directory of ours in there.
  for (const at of policy.writable ?? []) plan.write(at);
  return plan;
}

function showSystem(plan: MountPlan): void {
  plan.special("--proc", "/proc");
  // As uid 0 a command could write /proc/sys/kernel/core_pattern, a way to root on the machine: bubblewrap skips its own
  // cover where access(W_OK) on the directory says no. Read-only as a whole covers sysrq-trigger, irq and bus as well,
  // and the memory of bubblewrap's own process 1, which runs without our system call filter.
  plan.freeze("/proc");
  plan.empty("/sys");
  plan.freeze("/sys");
}

/** Empty instead of a list of secrets, which misses the one that nobody listed. */
function hideHomes(plan: MountPlan, { layout, private: dir }: ProfileParts): void {
  const ours = plan.isVisible(dir.path) &&
    !layout.hidden.some((path) => isWithin(dir.path, path));
  for (const path of [...layout.hidden, ...(ours ? [dir.path] : [])]) plan.empty(path);
  if (layout.homeLink !== undefined && !plan.isVisible(layout.homeLink)) {
    plan.link(layout.homeLink, layout.home);
  }
  const system = realPath("/run/current-system");
  // NixOS: `PATH` goes through it.
  if (system !== undefined) plan.link("/run/current-system", system);
}

function showHome(plan: MountPlan, { layout, private: dir, toolchains, kept }: ProfileParts): void {
  plan.own(layout.home);
  for (const { at, from } of toolchains.dirs) {
    if (!layout.roots.some((root) => isWithin(at, root))) plan.show(from, at);
  }
  for (const { at, from } of kept) {
    const place = join(layout.home, at);
    if (!layout.roots.some((root) => isWithin(place, root))) plan.keep(from, place);
  }
  const empty = dir.file(new Uint8Array());
  const hidden = [...layout.hiddenFiles, ...toolchains.hidden];
  for (const path of hidden.filter(isFile)) {
    const copies = toolchains.dirs.filter(({ from }) => isWithin(path, from))
      .map(({ at, from }) => at + path.slice(from.length));
    for (const at of new Set([path, ...copies])) if (plan.isVisible(at)) plan.show(empty, at);
  }
}

type Open = { at: string; isWritable: boolean };

/** Projects, their repositories where they lie elsewhere, and what the caller adds. */
function openDirectories({ layout, git, policy }: ProfileParts): Open[] {
  const readable = [...git.map(({ top }) => top), ...(policy.readable ?? [])];
  return [
    ...readable.filter((path) => !layout.roots.some((root) => isWithin(path, root)))
      .map((at) => ({ at, isWritable: false })),
    ...layout.roots.map((at) => ({ at, isWritable: true })),
  ];
}

function isProject(at: string, { layout }: ProfileParts): boolean {
  return layout.roots.includes(at);
}

/** What lies above comes first, or it would cover what lies below. */
function sorted(open: readonly Open[]): Open[] {
  const unique = [...new Map(open.map((one) => [one.at, one])).values()];
  return unique.sort((one, other) => one.at.length - other.at.length);
}

/**
 * `.git` is a mount of its own: with only the parts of it protected, `mv .git .git2` succeeded and the protection was
 * gone. Hooks and config are what git runs; index, objects and refs stay writable, so that commits work.
 */
function pinGit(plan: MountPlan, { git, private: dir }: ProfileParts, canWrite: boolean): void {
  const steps = git.flatMap(({ writable, pinned }) => [
    ...writable.map((at) => ({ at, isWritable: canWrite })),
    ...pinned.map((at) => ({ at, isWritable: false })),
  ]);
  for (const { at, isWritable } of sorted(steps)) {
    if (isWritable) {
      plan.write(at);
      continue;
    }
    const redacted = basename(at) === "config" ? withoutCredentials(at) : undefined;
    if (redacted === undefined) plan.show(at);
    else plan.show(dir.file(redacted), at);
  }
}

const CONFIG_BYTES_MAX = 1024 * 1024;

/** A config without the passwords in addresses and headers; undefined where there are none. */
function withoutCredentials(path: string): Uint8Array | undefined {
  const size = statOf(() => Deno.statSync(path))?.size ?? 0;
  const text = size > CONFIG_BYTES_MAX ? "" : statOf(() => Deno.readTextFileSync(path)) ?? "";
  const clean = text.replaceAll(/(https?:\/\/)[^/\s"@]+@/gi, "$1")
    // A key may stand behind the head of its section, and its value go on after a backslash.
    .replaceAll(/(\bextraheader[ \t]*=)(?:.*\\\r?\n)*.*$/gim, "$1");
  return clean === text ? undefined : new TextEncoder().encode(clean);
}

/** Last, because a workspace may have been shown around it. */
function hideState(plan: MountPlan, { layout }: ProfileParts): void {
  const { stateDir, homes } = layout;
  const holdsHome = [layout.home, ...homes, ...layout.roots].some((path) =>
    isWithin(path, stateDir)
  );
  if (isDirectory(stateDir) && plan.isVisible(stateDir) && !holdsHome) plan.empty(stateDir);
}
