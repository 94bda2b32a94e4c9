/** `deno task npm [--out DIR]`: makes the npm package. */
import { parseArgs } from "node:util";
import { dirname, resolve } from "node:path";
import { NOTICES, packageFiles } from "@/release/npm_package.ts";
import { VERSION } from "@/version.ts";
import config from "../deno.json" with { type: "json" };
import { builtVersion } from "./built_version.ts";
import { bundle, ROOT } from "./bundle.ts";
import { noticeText } from "./notice_text.ts";
import { shippedPackages } from "./shipped.ts";

const { values } = parseArgs({
  args: Deno.args,
  options: { out: { type: "string", default: `${ROOT}dist/npm` } },
});
const out = resolve(values.out);
const scratch = await makeScratch();
try {
  const dir = `${scratch}/package`;
  await Deno.mkdir(dir);
  await bundle({ version: await builtVersion(), way: "npm" }, { dir: `${dir}/app`, scratch });
  const { name, license } = config;
  const facts = { name, license, version: VERSION, denoVersion: Deno.version.deno };
  for (const { path, bytes } of packageFiles(facts)) {
    await Deno.mkdir(dirname(`${dir}/${path}`), { recursive: true });
    await Deno.writeFile(`${dir}/${path}`, bytes, {
      mode: path.startsWith("bin/") ? 0o755 : 0o644,
    });
  }
  for (const name of ["README.md", "recording.svg", "LICENSE"]) {
    await Deno.copyFile(ROOT + name, `${dir}/${name}`);
  }
  await Deno.writeTextFile(`${dir}/${NOTICES}`, await noticeText(await shippedPackages()));
  await Deno.remove(out, { recursive: true }).catch(unlessMissing);
  await Deno.rename(dir, out);
  console.log(`${out}: ${name} ${VERSION}. To pack it: cd ${out} && npm pack`);
} finally {
  await Deno.remove(scratch, { recursive: true });
}

async function makeScratch(): Promise<string> {
  await Deno.mkdir(dirname(out), { recursive: true });
  return await Deno.makeTempDir({ dir: dirname(out), prefix: ".npm-" });
}

function unlessMissing(error: unknown): void {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
}
