import { deepStrictEqual as equal, throws } from "node:assert/strict";
import { memo } from "@/lib/memo.ts";

Deno.test("memo() makes one value for each object, also where that is undefined", () => {
  const asked: object[] = [];
  const get = memo((key: { n?: number }) => {
    asked.push(key);
    return key.n;
  });
  const [one, none] = [{ n: 1 }, {}];
  equal([get(one), get(none), get(one), get(none)], [1, undefined, 1, undefined]);
  equal(asked, [one, none]);
  equal(get({ n: 1 }), 1, "another object with the same contents is another key");
  equal(asked.length, 3);
});

Deno.test("memo() keeps no failure", () => {
  let tries = 0;
  const get = memo(() => {
    tries += 1;
    if (tries === 1) throw new Error("not yet");
    return "made";
  });
  const key = {};
  throws(() => get(key), /not yet/);
  equal(get(key), "made");
});
