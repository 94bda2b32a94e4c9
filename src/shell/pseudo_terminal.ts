/** A command in a terminal of its own, for programs that do nothing without one. */

/** What such a command is started with. */
export type TerminalStart = {
  /** Absolute path of `script`, which makes the terminal. */
  script: string;
  shell: string;
  command: string;
};

const SIZE = "stty rows 40 cols 120 2>/dev/null";

/** The program and its arguments; undefined where nobody knows how. */
export function inTerminal(
  { script, shell, command }: TerminalStart,
): { program: string; args: readonly string[]; env: Readonly<Record<string, string>> } | undefined {
  // A terminal made here has no size, and programs divide by it.
  const line = `${SIZE}\n${command}`;
  switch (Deno.build.os) {
    case "linux":
      // It runs the line with $SHELL. -q says nothing, -e ends with the command's code, -f passes on at once.
      return { program: script, args: ["-qefc", line, "/dev/null"], env: { SHELL: shell } };
    case "darwin":
    case "freebsd":
      return { program: script, args: ["-q", "/dev/null", shell, "-c", line], env: {} };
    default:
      return undefined;
  }
}
