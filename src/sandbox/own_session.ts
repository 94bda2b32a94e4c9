/**
 * How a program gets a session of its own without a copy of us. `detached` makes Deno fork (2.9.6), which takes 2 to 3 ms for
 * each 100 MB that we hold, and nothing else happens meanwhile. On Linux `setsid` (util-linux, BusyBox) is started by
 * `posix_spawn`, makes the session and becomes the program: the process, its number and its environment are the same ones.
 */

/** Never looked up on a `PATH`, on which anybody may have put one. */
const SETSID = ["/usr/bin/setsid", "/bin/setsid"];

const ELF = [0x7f, 0x45, 0x4c, 0x46];

let found: { path: string | undefined } | undefined;

/**
 * The absolute path of what starts `program` in a session of its own, given the program and its arguments; undefined where
 * `detached` has to. That is so for everything that may not start: `setsid` would tell it to the child's standard error.
 */
export function sessionStarter(program: string): string | undefined {
  if (Deno.build.os !== "linux" || !program.startsWith("/")) return undefined;
  found ??= { path: SETSID.find(isBinary) };
  return found.path !== undefined && isBinary(program) ? found.path : undefined;
}

/** A file in the system's own format that everybody may run: it starts. A script's interpreter may be missing. */
function isBinary(path: string): boolean {
  try {
    using file = Deno.openSync(path);
    const { isFile, mode } = file.statSync();
    const start = new Uint8Array(ELF.length);
    file.readSync(start);
    return isFile && ((mode ?? 0) & 0o111) === 0o111 && ELF.every((byte, at) => start[at] === byte);
  } catch {
    return false; // Whoever starts it says why it cannot be.
  }
}
