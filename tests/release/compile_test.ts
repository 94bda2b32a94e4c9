/** `task compile` ends with an error rather than with a file that is something else. */
import { deepStrictEqual as equal, match } from "node:assert";
import { fileURLToPath } from "node:url";
import { OURS } from "@/sandbox/person_env.ts";
import { namesIn } from "../support/single_file.ts";
import { withWorkspace } from "../support/workspace.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Runs the task's script; every download ends at a closed port. */
async function compile(
  out: string,
  env: Record<string, string>,
  more: readonly string[] = [],
): Promise<{ code: number; stderr: string }> {
  const flags = ["-q", "--no-prompt", "--no-remote", "--allow-read", "--allow-write"]
    .concat("--allow-env", "--allow-run", "--allow-sys");
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", ...flags, `${ROOT}tasks/compile.ts`, "--out", out, ...more],
    env: { ...OURS, NO_COLOR: "1", HTTPS_PROXY: "http://127.0.0.1:1", ...env },
    stdin: "null",
  }).output();
  return { code, stderr: new TextDecoder().decode(stderr) };
}

Deno.test("task compile refuses a plain Deno in the place of its runtime", async () => {
  await withWorkspace(async (dir) => {
    const { code, stderr } = await compile(`${dir}/out/harness`, { DENORT_BIN: Deno.execPath() });
    equal([code, namesIn(`${dir}/out`)], [1, []]);
    match(stderr, /Nothing was compiled: the result is not harness, it calls itself "deno 2\./);
    match(stderr, /DENORT_BIN has to be the denort/);
  });
});

Deno.test("task compile says where the runtime comes from when it cannot be fetched", async () => {
  await withWorkspace(async (dir) => {
    const { code, stderr } = await compile(`${dir}/out/harness`, { DENORT_BIN: `${dir}/none` });
    equal([code, namesIn(`${dir}/out`)], [1, []]);
    match(stderr, /Nothing was compiled\. Deno takes its runtime from DENORT_BIN, from \$DENO_DIR/);
  });
});

Deno.test("task compile takes no runtime of the person's for another system", async () => {
  await withWorkspace(async (dir) => {
    const other = Deno.build.os === "windows"
      ? "x86_64-unknown-linux-gnu"
      : "x86_64-pc-windows-msvc";
    const env = { DENORT_BIN: Deno.execPath() };
    const { code, stderr } = await compile(`${dir}/out/harness`, env, ["--target", other]);
    equal([code, namesIn(`${dir}/out`)], [1, []]);
    match(stderr, /cannot be tried here; unset DENORT_BIN/);
  });
});
