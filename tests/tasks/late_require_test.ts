/** What each start of a built program would load, and does not. */
import { deepStrictEqual as equal, throws } from "node:assert";
import { pathToFileURL } from "node:url";
import { lateRequire } from "../../tasks/late_require.ts";

const AT_ONCE = 'import{createRequire as made} from "node:module";var m=made(import.meta.url);';

Deno.test("lateRequire() leaves a require that works, and no import of Node's layer", async () => {
  const late = lateRequire(`var a=1;${AT_ONCE}export{m as require};`);
  equal(late.includes("import{"), false);
  const dir = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${dir}/chunk.js`, late);
    const { require } = await import(pathToFileURL(`${dir}/chunk.js`).href);
    equal(require("node:path").posix.join("a", "b"), "a/b");
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});

Deno.test("lateRequire() leaves a file without one as it is", () => {
  const code = 'import{join as j}from"node:path";export{j};';
  equal(lateRequire(code), code);
});

Deno.test("lateRequire() refuses a require in a form that it does not know", () => {
  throws(
    () => lateRequire('import { createRequire } from "node:module"; const r = createRequire();'),
    /form that is not known/,
  );
});
