/**
 * `deno task conformance [REVISION…]`: the official suite of the Model Context Protocol against our own client, for each revision
 * what that requires. Prints what failed and the count; 1 when a required scenario failed.
 */
import config from "../deno.json" with { type: "json" };
import { ROOT } from "../tests/quality/project.ts";

const REVISIONS = ["2025-11-25", "2026-07-28"];
const SUITE = config.imports["@modelcontextprotocol/conformance"];
const DRIVER =
  `"${Deno.execPath()}" run -A -q --config "${ROOT}deno.json" "${ROOT}tests/conformance/client.ts"`;

let isGood = true;
for (const revision of Deno.args.length > 0 ? Deno.args : REVISIONS) {
  const results = await Deno.makeTempDir({ prefix: "harness-conformance-" });
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "-q", "--config", `${ROOT}deno.json`, SUITE, "client"]
      .concat("--requirements", revision, "--command", DRIVER, "--timeout", "120000"),
    cwd: results,
    stdin: "null",
    stderr: "null",
  }).output();
  const text = new TextDecoder().decode(stdout).replaceAll(/\x1b\[[0-9;]*m/g, "");
  const [scored = "", others = ""] = (text.split("=== SUITE SUMMARY ===")[1] ?? "").split(
    "Not scored",
  );
  const notScored = [...others.matchAll(/✗ (\S+)/g)].map(([, name]) => name);
  const rows = [...scored.matchAll(/^([✓✗]) (\S+):.*$/gm)]
    .filter(([, , name]) => !notScored.includes(name));
  const failed = rows.filter(([, mark]) => mark === "✗");
  for (const [row] of failed) console.log(row);
  console.log(
    `${revision}: ${rows.length - failed.length} of ${rows.length} required scenarios passed`,
  );
  if (code !== 0 || failed.length > 0 || rows.length === 0) isGood = false;
  await Deno.remove(results, { recursive: true });
}
Deno.exit(isGood ? 0 : 1);
