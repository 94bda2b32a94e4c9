/**
 * Proves that the sandbox holds on this machine: a program inside tries what it must not be able to do. Settings of the
 * kernel are no evidence (with namespaces used up, `max_user_namespaces` still read 2147483647), and neither is an exit
 * code: a `bwrap` that does nothing exits 0 as well.
 */
import { randomHex } from "@/lib/random.ts";
import type { Processes, Wrapper } from "@/sandbox/processes.ts";
import { StartError } from "@/sandbox/spawn.ts";

/** Time that each try gets, in milliseconds: a machine under load is slow, and no less safe for that. */
const TRIES_MS = [10_000, 60_000];

/** What is wrong, as the end of a sentence, or open files that were handed down to us and from us to what runs inside. */
export type ProbeOutcome = { problem?: string; inherited?: readonly number[] };

/** What is tried. All are absolute paths. */
export type ProbeTargets = {
  /** A file that is there only inside: the private home is in its place. */
  marker: string;
  /** Files that must not be seen: in the state directory, in home, and one of our own. */
  hidden: readonly string[];
  /** A place where a file must not come to be, because it lies outside. */
  outside: string;
};

/**
 * Shell builtins only, so that it costs one process. Says `$1` (another text each time) and then what is wrong, a word
 * each. `-ef` compares files by number, which for namespaces says whether they are the same.
 */
export const LINUX_PROBE = `
nonce=$1 marker=$2 outside=$3; shift 3; bad=
[ / -ef / ] && [ -e /proc/self/fd/9 ] || bad="$bad unable"
for pair in user:5 mount:6 process:7 network:8 ipc:9; do
  name=\${pair%:*} fd=\${pair#*:}
  case $name in mount) ns=mnt ;; process) ns=pid ;; network) ns=net ;; *) ns=$name ;; esac
  [ -e /proc/self/ns/$ns ] || bad="$bad $name-namespace"
  [ /proc/self/ns/$ns -ef /proc/self/fd/$fd ] && bad="$bad $name-namespace"
done
[ -e "$marker" ] || bad="$bad home"
for path in "$@"; do [ -e "$path" ] && bad="$bad files"; done
{ true > "$outside"; } 2>/dev/null
{ true >> /etc/passwd; } 2>/dev/null && bad="$bad root"
{ true >> /proc/sys/kernel/core_pattern; } 2>/dev/null && bad="$bad kernel-settings"
{ read -r pid rest < /proc/self/stat; } 2>/dev/null; [ "$pid" = $$ ] || bad="$bad processes"
[ -e /proc/net/route ] && while read -r device rest; do
  [ "$device" = Iface ] || bad="$bad network-routes"
done < /proc/net/route
filter= privileges= rights=
while read -r key value; do
  case $key$value in
    Seccomp:2) filter=yes ;; NoNewPrivs:1) privileges=yes ;; CapEff:0000000000000000) rights=yes ;;
  esac
done < /proc/self/status
[ $filter$privileges$rights = yesyesyes ] || bad="$bad filter"
for path in /proc/self/fd/*; do
  case \${path##*/} in [0-2]|[5-9]) ;; *) [ -e "$path" ] && bad="$bad fd:\${path##*/}" ;; esac
done
echo "$nonce$bad"
`;

/**
 * Run it, and once more with more time if it did not answer. `wrap` is the boundary as every command gets it. Never rejects
 * for what the machine lacks.
 */
export async function probeLinux(
  processes: Processes,
  wrap: Wrapper,
  targets: ProbeTargets,
  triesMs: readonly number[] = TRIES_MS,
): Promise<ProbeOutcome> {
  let last: ProbeOutcome = {};
  for (const timeoutMs of triesMs) {
    const { isLoaded, ...outcome } = await tryOnce(processes, wrap, targets, timeoutMs);
    last = outcome;
    if (!isLoaded) break;
  }
  return last;
}

/** `isLoaded`: the machine was short of something, which says nothing about the boundary. */
type Tried = ProbeOutcome & { isLoaded?: boolean };

async function tryOnce(
  processes: Processes,
  wrap: Wrapper,
  { marker, hidden, outside }: ProbeTargets,
  timeoutMs: number,
): Promise<Tried> {
  const nonce = randomHex(16);
  const args = ["-c", LINUX_PROBE, "sh", nonce, marker, outside, ...hidden];
  try {
    const { ended, stdout, stderr } = await processes.run(
      { program: "/bin/sh", args, cwd: "/", wrap },
      { timeoutMs },
    );
    if (exists(outside)) return { problem: "what runs in it can write outside" };
    const [first, ...wrong] = stdout.text().trim().split(" ");
    if (first === nonce) return outcome(wrong);
    if (ended === "timed_out") return { problem: "it did not answer in time", isLoaded: true };
    const reason = stderr.text().trim().split("\n").at(-1) ?? "";
    return {
      isLoaded: SHORT.test(reason),
      problem: reason === "" ? "it ran nothing" : `it fails with "${reason.slice(0, 200)}"`,
    };
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return { problem: error.message };
  }
}

/** Too many processes, or too little memory. */
const SHORT = /resource temporarily unavailable|cannot allocate memory/i;

function outcome(wrong: readonly string[]): ProbeOutcome {
  const inherited = wrong.flatMap((word) => /^fd:(\d+)$/.exec(word)?.[1] ?? []).map(Number);
  const others = new Set(wrong.filter((word) => !word.startsWith("fd:")));
  if (others.size > 0) return { problem: `it does not separate: ${[...others].join(", ")}` };
  return inherited.length === 0 ? {} : { inherited };
}

function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
