/**
 * A boundary of its own process namespace ends with the first process in it, and a server that a command has left running
 * would end without a word; outside, it would be nobody's. So the first process is one of ours: it tells the end of the
 * command, and stays as long as anything else does.
 */

/**
 * Both outputs of the command go to one pipe; the other one tells its exit code and how many processes it has left. In a
 * namespace those are all but process 1 and this shell; outside, what is below this shell (`sandbox/adopter.ts`). What the
 * shell itself has to say of a signal is nobody's output. A kernel that lists no children tells others what is left.
 */
const SCRIPT = `
trap : TERM HUP INT QUIT
exec 9>&2 2>/dev/null
("$@" 2>&1 9>&-)
code=$?
[ "$PPID" = 1 ] || [ -e /proc/$$/task/$$/children ] || exit $code
below() {
  for list in /proc/$1/task/*/children; do
    more=
    read -r more < "$list"
    for pid in $more; do left=$((left + 1)); below $pid; done
  done
}
look() {
  if [ "$PPID" = 1 ]; then
    set -- /proc/[0-9]*
    left=$(($# - 2))
  else
    left=0
    below $$
  fi
}
look
[ $left -le 0 ] || { sleep 0.1; look; }
echo "ended $code $left" >&9
exec >/dev/null </dev/null 9>&-
while [ $left -gt 0 ]; do sleep 1; look; done
exit $code
`;

/** The program, kept. */
export function kept(
  { program, args = [] }: { program: string; args?: readonly string[] },
): { program: string; args: readonly string[] } {
  return { program: "/bin/sh", args: ["-c", SCRIPT, "sh", program, ...args] };
}

/** How a kept command has ended. */
export type KeptEnd = { code: number; left: number };

/** Reads the second pipe: the end of the command, and what others wrote there. */
export class KeeperPipe {
  #line = "";

  /** The end, if it stands in what has come so far, and the rest of it, which is output. */
  take(text: string): { end?: KeptEnd; output: string } {
    const lines = (this.#line + text).split(/(?<=\n)/);
    this.#line = lines.at(-1)?.endsWith("\n") === false ? lines.pop() ?? "" : "";
    let end: KeptEnd | undefined;
    const output = lines.filter((line) => {
      const said = /^ended (\d+) (-?\d+)\n$/.exec(line);
      if (said !== null) end = { code: Number(said[1]), left: Math.max(0, Number(said[2])) };
      return said === null;
    }).join("");
    return { ...(end === undefined ? {} : { end }), output };
  }

  /** What is left when nothing more comes. */
  rest(): string {
    const rest = this.#line;
    this.#line = "";
    return rest;
  }
}
