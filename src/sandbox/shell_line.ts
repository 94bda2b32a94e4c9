/** A line that the person wrote for a shell, as a program with its arguments. */

/** By the shell that every system of its kind has. */
export function shellLine(line: string): { program: string; args: readonly string[] } {
  return Deno.build.os === "windows"
    ? { program: "cmd.exe", args: ["/d", "/s", "/c", line] }
    : { program: "/bin/sh", args: ["-c", line] };
}
