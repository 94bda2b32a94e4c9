/**
 * A boundary of its own process namespace ends with the first process in it, and a server that a command has left running
 * would end without a word. So that first process is one of ours: it tells the end of the command, and stays as long as
 * anything else does.
 */

/**
 * Both outputs of the command go to one pipe; the other one tells its exit code and how many processes it has left. In the
 * namespace are process 1, this shell, and the others. Without a namespace there is nothing to stay for.
 */
const SCRIPT = `
"$@" 2>&1
code=$?
[ "$PPID" = 1 ] || exit $code
set -- /proc/[0-9]*
[ $# -le 2 ] || { sleep 0.1; set -- /proc/[0-9]*; }
echo "ended $code $(($# - 2))" >&2
exec >/dev/null 2>&1 </dev/null
while [ $# -gt 2 ]; do sleep 1; set -- /proc/[0-9]*; done
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
