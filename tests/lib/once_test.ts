import { deepStrictEqual as equal, throws } from "node:assert/strict";
import { once } from "@/lib/once.ts";

Deno.test("once() makes a thing when it is first asked for, and keeps it", () => {
  let made = 0;
  const get = once(() => {
    made += 1;
    return undefined;
  });
  equal(made, 0);
  equal([get(), get(), made], [undefined, undefined, 1]);
});

Deno.test("once() tries again after a failure", () => {
  let tries = 0;
  const get = once(() => {
    tries += 1;
    if (tries === 1) throw new Error("not yet");
    return "made";
  });
  throws(get, /not yet/);
  equal(get(), "made");
});
