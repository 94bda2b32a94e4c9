/**
 * Puts entries in their place through a process of its own, which enters the directory, looks at which one it is in, and
 * works by plain names from then on: what openat would give us. Through the sandbox, while a command of ours lives there that
 * could swap a directory for a link under our hands: were it led elsewhere, nothing outside the workspace can be written from
 * there. Without it where Deno keeps this process from what place.ts needs: links, and places that the person allowed; and
 * for files with attributes, which Deno cannot give to another file, and GNU cp can.
 */
import { basename, dirname } from "@/lib/path.ts";
import { ensureDir, type WriteMode } from "@/lib/atomic_write.ts";
import type { Processes, Wrapper } from "@/sandbox/processes.ts";
import { ChangedSince, PlaceChanged } from "./entry.ts";
import type { LastLook, PlaceOptions, Placing } from "./place.ts";

/** Time that one placement gets, in milliseconds. */
const PLACE_MS = 30_000;

/** How the script says what stopped it. */
const CODES = { moved: 3, changed: 4 } as const;

/**
 * `$seen` is what the last look saw: inode, size and time of the change, or nothing. The temporary name is nobody's but
 * ours; whatever happens, it is gone in the end.
 */
const SCRIPT = `
op=$1 dir=$2 name=$3 temp=$4 seen=$5 mode=$6 target=$7 owner=$8 carrier=$9
command -v stat >/dev/null || { echo "it takes the program stat, which is not on PATH" >&2; exit 5; }
# A name may end in line breaks, which the shell would take away.
cd -P -- "$dir" 2>/dev/null && [ "$(pwd -P; echo .)" = "$dir
." ] || exit ${CODES.moved}
trap 'rm -f -- "./$temp" "./$temp.a"' EXIT
# Milliseconds are cut out, because not every stat takes a precision. GNU and BusyBox first, then macOS and BSD.
is() {
  [ -e "./$1" ] || [ -L "./$1" ] || { [ -z "$seen" ]; return; }
  now=$(stat -c '%i %s %Y %y' -- "./$1" 2>/dev/null || stat -f '%i %z %Fm' -- "./$1" 2>/dev/null)
  part=\${now#*.}
  set -- $now
  [ "$1 $2 \${3%%.*}.\${part%"\${part#???}"}" = "$seen" ]
}
same() { is "$name"; }
# Rename, never into a directory that stands there, nor through a link to one: $1 says how, -f or -n.
put() {
  said=$(mv "$1T" -- "./$2" "./$3" 2>&1) && return
  case $said in *'illegal option'*|*'invalid option'*|*'unrecognized option'*) ;; *) printf '%s\\n' "$said" >&2; return 1 ;; esac
  if [ "$1" = -f ] && [ -L "./$3" ]; then rm -f -- "./$3"; fi
  [ ! -d "./$3" ] || return 1
  mv "$1" -- "./$2" "./$3"
}
# Root replacing somebody's file must not take it from them; anybody else may at least keep the group. Its rights are not for
# another one.
other=
give() { chown -- "$1" "$2" 2>/dev/null || chgrp -- "\${1#*:}" "$2" 2>/dev/null || other=yes; }
# Attributes, access list, label. What gives a program rights may go with its bytes, as it does with any write. Where cp
# does not understand this (macOS, BSD), a copy that has them gets the bytes.
carry() {
  said=$(cp -P --attributes-only --preserve=mode,xattr -- "$1" "$2" 2>&1) && return
  if ! cp --attributes-only --version >/dev/null 2>&1; then
    cp -p -- "$1" "./$temp.a" && cat "$2" >| "./$temp.a" && mv -f -- "./$temp.a" "$2" || exit 5
    return 0
  fi
  said=$(printf '%s\\n' "$said" | grep -vE "'security\\.(capability|ima|evm)'") || return 0
  printf 'what it has beside its bytes, such as extended attributes, cannot be kept (%s)\\n' "\${said##*: }" >&2
  exit 5
}
case $op in
  file)
    set -C
    # An access list that the directory gives to new files counts in the umask's place.
    case $mode in
      new*) cat > "./$temp" ;;
      *) (umask 077; : > "./$temp") && chmod 0600 -- "./$temp" && cat >> "./$temp" ;;
    esac || exit 5
    [ -z "$owner" ] || give "$owner" "./$temp"
    if [ ! -L "./$name" ] && [ -f "./$name" ]; then carry "./$name" "./$temp"
    elif [ -n "$carrier" ] && [ -f "$carrier" ]; then carry "$carrier" "./$temp"; fi
    case $mode in new) ;; newx) chmod +x -- "./$temp" ;; *) chmod -- "$mode" "./$temp" ;; esac || exit 5
    [ -z "$other" ] || chmod g=o -- "./$temp" || exit 5
    sync -- "./$temp" 2>/dev/null
    same || exit ${CODES.changed}
    put -f "$temp" "$name" || exit 5
    [ -z "$carrier" ] || rm -f -- "$carrier" ;;
  link)
    ln -s -- "$target" "./$temp" || exit 5
    same || exit ${CODES.changed}
    put -f "$temp" "$name" || exit 5 ;;
  dir)
    same || exit ${CODES.changed}
    mkdir -- "./$name" || exit 5 ;;
  away)
    same || exit ${CODES.changed}
    if [ -n "$carrier" ] && [ -f "./$name" ] && [ ! -L "./$name" ]; then
      rm -f -- "$carrier" && (umask 077; : > "$carrier") && carry "./$name" "$carrier" || exit 5
      same || exit ${CODES.changed}
    fi
    put -f "$name" "$temp" || exit 5
    # Out of the way first, so that it can be given back if it turns out to be another one.
    is "$temp" && { sync -- . 2>/dev/null; exit 0; }
    put -n "$temp" "$name"
    [ ! -e "./$temp" ] || { trap - EXIT; put -n "$temp" "$name.kept-$temp"; }
    exit ${CODES.changed} ;;
esac
sync -- . 2>/dev/null
exit 0
`;

/** What it needs: a process, and the boundary around it. */
export type InsideParts = { processes: Pick<Processes, "run" | "ownPath">; wrap?: Wrapper };

type Step = PlaceOptions & {
  op: "file" | "link" | "dir" | "away";
  mode?: string;
  target?: string;
  owner?: readonly [number, number] | undefined;
  bytes?: Uint8Array;
};

/** As place.ts does it in this process. */
export function placingInside(parts: InsideParts): Placing {
  return {
    file: (path, bytes, { mode, ...options }) =>
      step(parts, path, { ...options, op: "file", bytes, mode: newMode(mode), owner: mode.owner }),
    dir: (path, options) => step(parts, path, { ...options, op: "dir" }),
    link: (path, target, options) => step(parts, path, { ...options, op: "link", target }),
    away: (path, options) => step(parts, path, { ...options, op: "away" }),
  };
}

/** For a file that is not there yet; one that is there keeps its own. */
function newMode({ mode, newMode: asked, private: isPrivate }: WriteMode): string {
  if (mode !== undefined) return octal(mode);
  if (isPrivate === true) return "0600";
  return asked !== undefined && (asked & 0o100) !== 0 ? "newx" : "new";
}

function octal(mode: number): string {
  return (mode & 0o7777).toString(8).padStart(4, "0");
}

async function step(
  { processes, wrap }: InsideParts,
  path: string,
  { op, temp, look, carrier, mode = "", target = "", owner, bytes }: Step,
): Promise<void> {
  const seen = await look();
  // What is inside a boundary has no way to the journal.
  const carried = wrap === undefined ? carrier ?? "" : "";
  if (carried !== "") await ensureDir(dirname(carried), { mode: 0o700 });
  const kept = seen?.isFile && seen.mode !== null && /^new/.test(mode) ? octal(seen.mode) : mode;
  const { code, ended, stderr } = await processes.run({
    program: "/bin/sh",
    args: [
      ...["-c", SCRIPT, "sh", op, dirname(path), basename(path), temp],
      ...[asSeen(seen), kept, target, asOwner(seen, owner), carried],
    ],
    cwd: "/",
    env: { LC_ALL: "C", PATH: processes.ownPath },
    ...(wrap === undefined ? {} : { wrap }),
    ...(bytes === undefined ? {} : { stdin: bytes }),
  }, { timeoutMs: PLACE_MS });
  if (ended === "exited" && code === 0) return;
  if (code === CODES.moved) throw new PlaceChanged(path);
  if (code === CODES.changed) throw new ChangedSince(path, "was changed just now");
  throw new Error(`Cannot change "${path}": ${reason(stderr.text(), ended)}`);
}

/** Of the file that is there, else of the one that comes back. */
function asOwner(
  seen: Awaited<ReturnType<LastLook>>,
  owner: readonly [number, number] | undefined,
): string {
  if (seen?.isFile) return `${seen.uid}:${seen.gid}`;
  return owner === undefined ? "" : owner.join(":");
}

function asSeen(seen: Awaited<ReturnType<LastLook>>): string {
  if (seen === undefined) return "";
  const { ino, size, mtime } = seen;
  const ms = mtime?.getTime() ?? 0;
  const seconds = Math.floor(ms / 1_000);
  return `${ino} ${size} ${seconds}.${String(ms - seconds * 1_000).padStart(3, "0")}`;
}

/** Why the process inside could not do it, and what would work. */
function reason(said: string, ended: string): string {
  const line = said.trim().split("\n").at(-1)?.split(": ").at(-1) ?? "";
  if (/busy|read-only/i.test(line)) {
    return "it is held in place while a command runs in the sandbox. Nothing was written; end the command first " +
      "(end_process), then try again";
  }
  return line === "" ? `the process that was to do it ${ended.replace("_", " ")}` : line;
}
