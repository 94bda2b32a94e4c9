/**
 * Unix sockets of the machine, wherever they stand: a read-only mount does not stop connect(), so that each is covered by
 * itself. Deno may not read `/proc`, so one small helper does.
 */
import { dirname } from "@/lib/path.ts";
import { realPath, statOf } from "@/sandbox/look.ts";
import { readAll } from "@/sandbox/read_all.ts";
import { type Launch, launch } from "@/sandbox/spawn.ts";

/** More than any machine has outside of the directories that are hidden whole. */
const SOCKETS_MAX = 500;

/** Bound in this network namespace, and those of others that were mounted into this one (`docker run -v …/docker.sock`). */
const SCRIPT = "cat /proc/net/unix /proc/self/mountinfo 2>/dev/null; exit 0";

/** Real paths of sockets that stand there now and can be come to without root's rights, which nobody has inside. */
export async function findSockets(
  helperEnv: Launch["env"],
  { isRoot }: { isRoot: boolean },
): Promise<string[]> {
  const child = launch({
    program: "/bin/sh",
    args: ["-c", SCRIPT],
    cwd: "/",
    env: helperEnv,
    stdin: "null",
  });
  const { stdout } = await readAll(child);
  const real = socketPaths(new TextDecoder().decode(stdout)).flatMap((path) =>
    realPath(path) ?? []
  );
  // Whoever is not root could not have resolved the path otherwise.
  const isReached = (path: string) => isSocket(path) && (!isRoot || isOpenWithoutRights(path));
  return [...new Set(real)].filter(isReached).sort().slice(0, SOCKETS_MAX);
}

/** Whether root comes there as the owner of files alone. */
function isOpenWithoutRights(path: string): boolean {
  for (let at = dirname(path);; at = dirname(at)) {
    const info = statOf(() => Deno.statSync(at));
    if (info === undefined) return false;
    const mode = info.mode ?? 0;
    const bit = info.uid === 0 ? 0o100 : info.gid === 0 ? 0o010 : 0o001;
    if ((mode & bit) === 0) return false;
    if (dirname(at) === at) return true;
  }
}

/** Absolute paths in what the kernel lists: places of sockets, and of mounts, which may be anything. */
export function socketPaths(text: string): string[] {
  const bound = text.matchAll(/^[0-9a-f]+: [0-9A-F]+(?: [0-9A-F]+){4} +\d+ (\/.*)$/gm);
  const mounted = text.matchAll(/^\d+ \d+ \d+:\d+ \S+ (\/\S*) /gm);
  return [
    ...[...bound].map(([, path = ""]) => path),
    ...[...mounted].map(([, path = ""]) =>
      path.replaceAll(/\\([0-7]{3})/g, (_, octal) => String.fromCharCode(parseInt(octal, 8)))
    ),
  ];
}

/** Whether a socket stands at a path, links not followed. */
export function isSocket(path: string): boolean {
  return statOf(() => Deno.lstatSync(path))?.isSocket === true;
}
