/** A single file as the build makes it, with a small shell script in the place of Deno, and what a start of it did. */
import { gzipSync } from "node:zlib";
import { SCOPE_FILE } from "@/release/scope.ts";
import { singleFile } from "@/release/single_file.ts";
import { tar } from "@/release/tar.ts";

/** Stands in for Deno: shows its arguments and environment, or does what DO asks. */
const PROBE = `#!/bin/sh
[ "$1" != --version ] || exit 0
case \${DO-} in
  wait) echo "pid $$"; exec sleep 30 ;;
  env) env -0 ;;
  stdin) cat ;;
  exit) exit 7 ;;
  *) printf '%s\\0' "$@" ;;
esac
`;

/** Bytes that do not compress, the same each time. */
function noise(size: number): Uint8Array {
  let state = 1;
  return Uint8Array.from({ length: size }, () => {
    state = (state * 48_271) % 0x7fffffff;
    return state & 0xff;
  });
}

/** The bytes of such a file. `appBytes` is what our code takes besides. */
export function probeFile({ appBytes = 1000, probe = PROBE } = {}): Uint8Array<ArrayBuffer> {
  const main = { path: "app/main.js", bytes: new TextEncoder().encode("// main") };
  const files = [main, SCOPE_FILE, { path: "app/more.js", bytes: noise(appBytes) }];
  return singleFile({
    version: "1.2.3+abc",
    target: "some-target",
    denoVersion: "9.9.9",
    app: gzipSync(tar(files)),
    deno: gzipSync(new TextEncoder().encode(probe)),
  });
}

export type Started = { code: number; signal: string | null; stdout: string; stderr: string };

/** Start a command with exactly this environment (PATH besides) and wait for its end. */
export async function started(
  [file, ...args]: readonly [string, ...string[]],
  { env = {}, stdin, cwd }: { env?: Record<string, string>; stdin?: string; cwd?: string } = {},
): Promise<Started> {
  const child = new Deno.Command(file, {
    args,
    clearEnv: true,
    env: { PATH: Deno.env.get("PATH") ?? "/usr/bin:/bin", ...env },
    stdin: stdin === undefined ? "null" : "piped",
    stdout: "piped",
    stderr: "piped",
    ...(cwd === undefined ? {} : { cwd }),
  }).spawn();
  if (stdin !== undefined) {
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(stdin));
    await writer.close();
  }
  const { code, signal, stdout, stderr } = await child.output();
  const text = new TextDecoder();
  return { code, signal, stdout: text.decode(stdout), stderr: text.decode(stderr) };
}

/** Names in a folder, in order; none where there is no folder. */
export function namesIn(dir: string): string[] {
  try {
    return [...Deno.readDirSync(dir)].map(({ name }) => name).sort();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}
