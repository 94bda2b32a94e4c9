/** The launcher on disks that take nothing: a full one, and one that is read-only. */
import { deepStrictEqual as equal, match } from "node:assert";
import { writeProgram } from "../support/program_file.ts";
import { namesIn, probeFile, started } from "../support/single_file.ts";
import { canFillDisk } from "../support/small_disk.ts";
import { withWorkspace } from "../support/workspace.ts";

const ignore = !canFillDisk();

/** A command line that mounts something over a folder first; after the program it lists the folder. */
function mounted(flags: readonly string[], folder: string, file: string): [string, ...string[]] {
  const script = 'XDG_CACHE_HOME="$1" "$0"; echo "exit $?"; ls -A "$1" "$1/harness" 2> /dev/null';
  return ["bwrap", "--dev-bind", "/", "/", ...flags, "--", "sh", "-c", script, file, folder];
}

Deno.test(
  "the launcher on a full disk says what is missing and leaves nothing",
  { ignore },
  async () => {
    await withWorkspace(async (dir) => {
      const file = `${dir}/harness`;
      await writeProgram(file, probeFile({ appBytes: 200_000 }));
      await Deno.mkdir(`${dir}/full`);
      const flags = ["--size", "65536", "--tmpfs", `${dir}/full`];
      const { stdout, stderr } = await started(mounted(flags, `${dir}/full`, file));
      equal(stdout, `exit 1\n${dir}/full:\nharness\n\n${dir}/full/harness:\n`);
      match(stderr, /harness: Cannot unpack into ".*full\/harness": 135 MB are needed there\. /);
    });
  },
);

Deno.test(
  "the launcher in a read-only cache says so, unless it was unpacked before",
  { ignore },
  async () => {
    await withWorkspace(async (dir) => {
      const file = `${dir}/harness`;
      const cache = `${dir}/cache`;
      await writeProgram(file, probeFile());
      await Deno.mkdir(cache);
      const readOnly = mounted(["--ro-bind", cache, cache], cache, file);
      const refused = await started(readOnly);
      equal(refused.stdout, `exit 1\n${cache}:\n`);
      match(
        refused.stderr,
        /harness: Cannot unpack into ".*": no folder can be made there\. Set XDG_/,
      );

      await started([file], { env: { XDG_CACHE_HOME: cache } });
      const { stdout, stderr } = await started(readOnly);
      equal([stdout.includes("main.js\0exit 0\n"), stderr], [true, ""]);
      equal(namesIn(cache), ["harness"]);
    });
  },
);
