/** The forty things that a wire has to get right: each has a test that names it, "(check 7)" or "(checks 8 and 10)". */
import { deepStrictEqual as equal } from "node:assert/strict";

const CHECKS = Array.from({ length: 40 }, (_, at) => at + 1);

Deno.test("each of the forty checks has a test that names it", async () => {
  const named = new Set<number>();
  const here = new URL(".", import.meta.url);
  for await (const { name } of Deno.readDir(here)) {
    if (!name.endsWith("_test.ts")) continue;
    const text = await Deno.readTextFile(new URL(name, here));
    for (const [, numbers = ""] of text.matchAll(/\(checks? (\d+(?: and \d+)*)\)[`"],/g)) {
      for (const number of numbers.split(" and ")) named.add(Number(number));
    }
  }
  equal(CHECKS.filter((check) => !named.has(check)), []);
});
