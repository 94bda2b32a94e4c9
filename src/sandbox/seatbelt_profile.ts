/**
 * The Seatbelt profile of macOS with the promises of the Linux boundary. The last rule that matches decides. It was written
 * from the language's public descriptions and has not run on macOS yet.
 */
import { basename, dirname } from "@/lib/path.ts";
import type { GitDirs } from "@/sandbox/git_dirs.ts";
import type { Layout } from "@/sandbox/layout.ts";
import type { SandboxPolicy } from "@/sandbox/policy.ts";

/** What it is made of. All are real paths. */
export type SeatbeltParts = {
  layout: Layout;
  /** Private home and temporary directory. */
  home: string;
  temporary: string;
  /** Toolchains, and what the person shows besides. */
  readable: readonly string[];
  /** Files in these that stay hidden. */
  hidden: readonly string[];
  git: readonly GitDirs[];
  /** Rule files, existing or not. */
  readOnlyFiles: readonly string[];
  /** `.env` files that may be seen although their name says otherwise. */
  shownEnvFiles: readonly string[];
  policy: SandboxPolicy;
};

/**
 * What programs need to run at all. Terminals of the person's other windows could be read and typed into, so only those
 * that were made inside are open.
 */
const BASE = `(version 1)
(deny default)
(allow process-exec process-fork)
(allow signal process-info* (target same-sandbox))
(allow sysctl-read)
(allow ipc-posix-sem ipc-posix-shm)
(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo"))
(allow mach-lookup (global-name "com.apple.system.logger"))
(allow file-read*)
(deny file-read* file-write* file-ioctl (regex #"^/dev/(r?disk|bpf|cu[.]|tty)"))
(allow pseudo-tty)
(allow file-ioctl file-read* file-write* (literal "/dev/ptmx"))
(allow file-ioctl file-read* file-write*
  (require-all (regex #"^/dev/ttys[0-9]+$") (extension "com.apple.sandbox.pty")))
(allow file-ioctl file-read* file-write-data (literal "/dev/null") (literal "/dev/zero")
  (literal "/dev/random") (literal "/dev/urandom") (regex #"^/dev/fd/"))`;

/** The profile's text. */
export function seatbeltProfile(parts: SeatbeltParts): string {
  const { layout, policy, home, temporary, git } = parts;
  const { roots, hidden, stateDir } = layout;
  const writable = [
    ...(policy.canWriteWorkspace === false
      ? []
      : [...roots, ...git.flatMap((one) => one.writable)]),
    ...(policy.writable ?? []),
    home,
    temporary,
  ];
  const readable = [
    ...parts.readable,
    ...(policy.readable ?? []),
    ...git.flatMap(({ top, writable: dirs }) => [top, ...dirs]),
    ...roots,
    ...writable,
  ];
  const seen = [...roots, ...git.map(({ top }) => top)];
  const pins = git.flatMap(({ writable: dirs, pinned, redirections }) => [
    // Renamed away, a directory would take its rules with it.
    ...dirs.map((path) => literal(path)),
    ...pinned.map((path) => subpath(path)),
    ...redirections.map(anyCase),
  ]);
  return [
    BASE,
    rule("deny file-read* file-write*", [...hidden, ...layout.temporary].map(subpath)),
    // To find one's way to what is shown, each directory above it may be looked at, but not listed.
    rule("allow file-read-metadata", ways(readable).map(literal)),
    rule("allow file-read*", readable.map(subpath)),
    rule("allow file-write*", writable.map(subpath)),
    rule("deny file-read*", [...layout.hiddenFiles, ...parts.hidden].map(literal)),
    rule("deny file-write*", [...pins, ...parts.readOnlyFiles.map(literal)]),
    rule("deny file-read* file-write*", seen.map(envFiles)),
    rule("allow file-read*", [...seen.map(envExamples), ...parts.shownEnvFiles.map(literal)]),
    rule("deny file-read* file-write*", [subpath(stateDir)]),
  ].filter((text) => text !== "").join("\n") + "\n";
}

function rule(action: string, filters: readonly string[]): string {
  const unique = [...new Set(filters)];
  return unique.length === 0 ? "" : `(${action}\n  ${unique.join("\n  ")})`;
}

function subpath(path: string): string {
  return `(subpath ${quoted(path)})`;
}

function literal(path: string): string {
  return `(literal ${quoted(path)})`;
}

function envFiles(root: string): string {
  return `(regex ${quoted(`^${pattern(root)}/(.*/)?\\.${lettersOf("env")}[^/]*$`)})`;
}

function envExamples(root: string): string {
  const ends = "(example|sample|template|dist|defaults|schema)";
  const name = `\\.${lettersOf("env")}[^/]*\\.${ends}`;
  return `(regex ${quoted(`^${pattern(root)}/(.*/)?${name}$`)})`;
}

/** What is not there yet has the spelling that it is made with, and most disks here do not tell cases apart. */
function anyCase(path: string): string {
  return `(regex ${quoted(`^${pattern(dirname(path))}/${lettersOf(basename(path))}$`)})`;
}

function lettersOf(name: string): string {
  return pattern(name).replaceAll(
    /[a-z]/gi,
    (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`,
  );
}

/** A path in a regular expression. */
function pattern(path: string): string {
  return path.replaceAll(/[\\^$.|?*+()[\]{}]/g, "\\$&");
}

function quoted(text: string): string {
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}

/** Every directory above some paths. */
function ways(paths: readonly string[]): string[] {
  const above = new Set<string>();
  for (const path of paths) {
    for (let at = dirname(path); !above.has(at); at = dirname(at)) above.add(at);
  }
  return [...above].sort();
}
