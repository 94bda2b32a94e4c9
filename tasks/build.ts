/** `deno task build [--out FILE] [--level 1-9]`: makes the single file for the machine it runs on. */
import { gzipSync } from "node:zlib";
import { parseArgs } from "node:util";
import { dirname, resolve } from "node:path";
import { SCOPE_FILE } from "@/release/scope.ts";
import { singleFile } from "@/release/single_file.ts";
import { tar } from "@/release/tar.ts";
import { builtVersion } from "./built_version.ts";
import { bundle, ROOT } from "./bundle.ts";

const { values } = parseArgs({
  args: Deno.args,
  options: {
    out: { type: "string", default: `${ROOT}dist/harness` },
    level: { type: "string", default: "9" },
  },
});
const out = resolve(values.out);

if (Deno.build.os === "windows") {
  console.error(
    "The single file starts with a shell script, which Windows does not run; task compile makes a file for it",
  );
  Deno.exit(1);
}
await Deno.mkdir(dirname(out), { recursive: true });
const scratch = await Deno.makeTempDir({ dir: dirname(out), prefix: ".build-" });
try {
  const level = Number(values.level);
  const version = await builtVersion();
  const app = `${scratch}/app`;
  await bundle({ version, way: "file" }, { dir: app, scratch });
  const bytes = singleFile({
    version,
    target: Deno.build.target,
    denoVersion: Deno.version.deno,
    app: gzipSync(tar([...await filesBelow(app, "app"), SCOPE_FILE]), { level }),
    deno: gzipSync(await Deno.readFile(Deno.execPath()), { level }),
  });
  await Deno.writeFile(`${scratch}/harness`, bytes, { mode: 0o755 });
  await Deno.rename(`${scratch}/harness`, out);
  console.log(`${out}: harness ${version}, ${(bytes.length / 1e6).toFixed(1)} MB`);
} finally {
  await Deno.remove(scratch, { recursive: true });
}

/** The files of a folder, under `name`, in order. */
async function filesBelow(
  dir: string,
  name: string,
): Promise<{ path: string; bytes: Uint8Array }[]> {
  const files: { path: string; bytes: Uint8Array }[] = [];
  const entries = await Array.fromAsync(Deno.readDir(dir));
  for (const entry of entries.sort((a, b) => a.name < b.name ? -1 : 1)) {
    const [from, path] = [`${dir}/${entry.name}`, `${name}/${entry.name}`];
    if (entry.isDirectory) files.push(...await filesBelow(from, path));
    else files.push({ path, bytes: await Deno.readFile(from) });
  }
  return files;
}
