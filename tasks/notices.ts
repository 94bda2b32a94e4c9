/** `deno task notices [--out FILE]`: writes the licences of what comes with the program, for its archives. */
import { parseArgs } from "node:util";
import { dirname, resolve } from "node:path";
import { ROOT } from "./bundle.ts";
import { noticeText } from "./notice_text.ts";
import { shippedPackages } from "./shipped.ts";

const { values } = parseArgs({
  args: Deno.args,
  options: { out: { type: "string", default: `${ROOT}dist/THIRD_PARTY_NOTICES` } },
});
const out = resolve(values.out);
const shipped = await shippedPackages();
await Deno.mkdir(dirname(out), { recursive: true });
await Deno.writeTextFile(out, await noticeText(shipped));
console.log(`${out}: the licences of ${shipped.length} packages`);
