/** Which directories are hidden from commands, which are theirs, and where a boundary makes no sense. */
import { isWithin } from "@/lib/path_within.ts";
import { join } from "@/lib/path.ts";
import { isDirectory, realPath } from "@/sandbox/look.ts";

/**
 * Hidden for everybody: other homes, mounted disks, what services keep and say (sockets: a read-only mount does not stop
 * connect()), and copies of the password file.
 */
const HIDDEN = [
  ...["/home", "/root", "/mnt", "/media", "/run"],
  ...["/var/lib/docker", "/var/lib/containerd", "/var/lib/lxd", "/var/lib/incus", "/var/snap"],
  ...["/var/spool", "/var/mail", "/var/backups", "/etc/ssl/private"],
  // macOS.
  ...["/Users", "/Volumes", "/private/var/root", "/private/var/folders", "/Library/Keychains"],
  ...["/private/var/db/dslocal"],
];

/** Files that only root may read and that root, who is the owner, could read inside as well. */
const HIDDEN_FILES = [
  ...["/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-", "/etc/krb5.keytab"],
  "/etc/master.passwd",
  ...["/etc/ssh/ssh_host_rsa_key", "/etc/ssh/ssh_host_ecdsa_key", "/etc/ssh/ssh_host_ed25519_key"],
];

/** Private to each run. */
const TEMPORARY = ["/tmp", "/var/tmp"];

/** Not files at all. */
const SPECIAL = ["/proc", "/sys", "/dev"];

/** What a boundary is drawn around. */
export type LayoutOptions = {
  /** Real path. */
  workspace: string;
  /** Real paths of further writable directories. */
  added: readonly string[];
  /** The state directory. */
  stateDir: string;
  /** What `stateDir` holds, by name: a workspace that is one of these is not shown. */
  stateNames: readonly string[];
  /** The environment as the person had it. */
  env: Readonly<Record<string, string>>;
  uid: number | null;
};

/** All are real paths. */
export type Layout = {
  /** Writable, none inside another. */
  roots: readonly string[];
  /** Home directories of the person, `HOME` first; may be empty. */
  homes: readonly string[];
  /** `HOME` as commands see it. */
  home: string;
  /** `HOME` as it is spelled, where that is a link. */
  homeLink?: string;
  /** Empty for commands, none inside another. */
  hidden: readonly string[];
  hiddenFiles: readonly string[];
  temporary: readonly string[];
  stateDir: string;
};

/** Find them; a sentence where no boundary can be drawn that hides what has to be hidden. */
export function findLayout(options: LayoutOptions): Layout | { problem: string } {
  const { workspace, added, env, uid } = options;
  const roots = outermost([workspace, ...added]);
  const spelled = env["HOME"] ?? "";
  const homes = [spelled, homeOf(uid)].flatMap((path) => {
    const real = path.startsWith("/") && isDirectory(path) ? realPath(path) : undefined;
    return real === undefined || isSystem(real) ? [] : [real];
  });
  const stateDir = realPath(options.stateDir) ?? options.stateDir;
  const temporary = TEMPORARY.flatMap((path) => isDirectory(path) ? realPath(path) ?? [] : []);
  const known = HIDDEN.flatMap((path) => isDirectory(path) ? realPath(path) ?? [] : []);
  const problem = roots.map((root) =>
    rootProblem(root, { homes, stateDir, options, closed: [...known, ...temporary] })
  ).find((text) => text !== undefined);
  if (problem !== undefined) return { problem };
  const home = homes[0] ?? join(temporary[0] ?? "/tmp", "home");
  return {
    roots,
    homes: [...new Set(homes)],
    home,
    ...(homes[0] !== undefined && homes[0] !== spelled ? { homeLink: spelled } : {}),
    hidden: outermost([...known, ...homes, ...(isDirectory(stateDir) ? [stateDir] : [])])
      .filter((path) => !temporary.some((above) => isWithin(path, above))),
    hiddenFiles: HIDDEN_FILES.map((path) => realPath(path) ?? path),
    temporary,
    stateDir,
  };
}

type RootFacts = {
  homes: readonly string[];
  stateDir: string;
  closed: readonly string[];
  options: LayoutOptions;
};

/** Why a writable directory cannot be shown without showing what has to stay hidden. */
function rootProblem(root: string, facts: RootFacts): string | undefined {
  const { homes, stateDir, closed, options } = facts;
  const doing = `Commands cannot be held inside "${root}"`;
  if (root === "/" || SPECIAL.some((path) => isWithin(root, path))) {
    return `${doing}: it is part of the system. Start in a project's own folder`;
  }
  const home = homes.find((path) => isWithin(path, root));
  if (home !== undefined) {
    return `${doing}: it holds your home folder with all keys in it. Start in a project's own folder`;
  }
  const shared = closed.find((path) => isWithin(path, root));
  if (shared !== undefined) {
    return `${doing}: it holds "${shared}", which programs of others use as well. Start in a folder of its own`;
  }
  const inState = root === stateDir ||
    options.stateNames.some((name) => isWithin(root, join(stateDir, name)));
  return inState
    ? `${doing}: it is where sessions, keys and settings are kept. Start in a project's own folder`
    : undefined;
}

/** Service accounts have homes such as /usr/sbin or /, which cannot be hidden. */
function isSystem(path: string): boolean {
  return path === "/" || /^\/(usr|bin|sbin|lib\w*|etc|dev|proc|sys)(\/|$)/.test(path);
}

/** Paths that are not inside another one of them. */
export function outermost(paths: readonly string[]): string[] {
  const unique = [...new Set(paths)];
  return unique.filter((path) => !unique.some((other) => other !== path && isWithin(path, other)));
}

/** The home directory in the password file: `HOME` may say something else, and both are the person's. */
function homeOf(uid: number | null): string {
  const name = `:${uid}:`;
  for (const line of textOf("/etc/passwd").split("\n")) {
    const fields = line.split(":");
    if (line.includes(name) && fields[2] === String(uid)) return fields[5] ?? "";
  }
  return "";
}

function textOf(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch (error) {
    if (error instanceof Error && "code" in error) return "";
    throw error;
  }
}
