/**
 * Outside a process namespace, a process that loses its parent goes to the first one of the system; with its session left
 * and its environment cleared, nothing tells any more whose it was. Linux gives it to the nearest ancestor that asks for
 * such (PR_SET_CHILD_SUBREAPER, which outlasts an exec). No shell has a way to ask; Perl and Python have.
 */
import { delimiter, join } from "@/lib/path.ts";
import { kindAt, statOf } from "@/sandbox/look.ts";

/** A program that asks, and its arguments, given the number of the system call. */
export type Asker = { path: string; script(prctl: number): readonly string[] };

/** Never looked up on a `PATH`; Perl starts several times as fast. */
export const ASKERS: readonly Asker[] = [
  { path: "/usr/bin/perl", script: perl },
  { path: "/usr/bin/python3", script: python },
];

const SUBREAPER = 36;
const PRCTL: Readonly<Record<string, number>> = { x86_64: 157, aarch64: 167 };

function perl(prctl: number): string[] {
  const told = 'print STDERR "$ARGV[0]: $!\\n"; exit 127';
  return ["-e", `syscall ${prctl}, ${SUBREAPER}, 1, 0, 0, 0; exec { $ARGV[0] } @ARGV; ${told}`];
}

function python(): string[] {
  const ask = `ctypes.CDLL(None).prctl(${SUBREAPER}, 1, 0, 0, 0)`;
  return ["-I", "-S", "-c", `import ctypes, os, sys; ${ask}; os.execvp(sys.argv[1], sys.argv[1:])`];
}

/**
 * Runs the program; what is left of it then ends, and so does this shell in the same way. What was killed stays listed until
 * a wait takes it.
 */
const ENDING = `
trap : TERM HUP INT QUIT
exec 9>&2 2>/dev/null
("$@" 2>&9 9>&-)
code=$?
exec </dev/null >/dev/null 9>&-
for round in 1 2 3 4 5 6 7 8 9; do
  left=
  read -r left < /proc/$$/task/$$/children
  [ -n "$left" ] || break
  kill -s KILL $left
  sleep 0.02
done
trap - TERM HUP INT QUIT
ulimit -c 0
[ $code -le 128 ] || kill -s "$(kill -l $code)" $$
exit $code
`;

/** What becomes of what a program has left when it ends itself. `stay`: whoever is started takes care of that. */
export type Orphans = "end" | "stay";

type Program = { program: string; args: readonly string[] };

let found: { asker: Asker | undefined } | undefined;

/** Whether this machine has what it takes. */
export function canAdopt(): boolean {
  return askerHere() !== undefined;
}

function askerHere(): Asker | undefined {
  if (Deno.build.os !== "linux" || PRCTL[Deno.build.arch] === undefined) return undefined;
  found ??= { asker: ASKERS.find(({ path }) => isProgram(path)) };
  return found.asker;
}

/**
 * The program with a first process that what loses its parent goes to. Undefined where there is none, and for what will not
 * start, so that whoever starts it hears why. `path` is the `PATH` that it is looked up on.
 */
export function adopting(
  { program, args }: Program,
  { orphans, path, asker = askerHere() }: { orphans: Orphans; path: string; asker?: Asker },
): Program | undefined {
  if (asker === undefined || !isThere(program, path)) return undefined;
  const ending = orphans === "end" ? ["/bin/sh", "-c", ENDING, "sh"] : [];
  const asking = asker.script(PRCTL[Deno.build.arch] ?? 0);
  return { program: asker.path, args: [...asking, ...ending, program, ...args] };
}

function isThere(program: string, path: string): boolean {
  if (program.includes("/")) return program.startsWith("/") && isProgram(program);
  return path.split(delimiter).some((dir) => dir.startsWith("/") && isProgram(join(dir, program)));
}

function isProgram(path: string): boolean {
  if (kindAt(path) === "none") return false;
  const info = statOf(() => Deno.statSync(path));
  return info?.isFile === true && ((info.mode ?? 0) & 0o111) !== 0;
}
