import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { passagesOf } from "@/web/passages.ts";
import { rank } from "@/web/rank.ts";
import { distil, identifiersOf, isCodeQuery, termsOf, tokensOf } from "@/web/terms.ts";
import { fc } from "../support/property.ts";

Deno.test("distil() keeps a query that is fillers alone", () => {
  equal(distil("how to do this"), "how to do this");
  equal(distil("What is C++?"), "C++");
});

Deno.test("tokensOf() keeps identifiers whole and split, and makes pairs where no blanks are written", () => {
  equal(tokensOf("__init__ parseJSON 파이썬 비동기"), [
    "__init__",
    "parsejson",
    "parse",
    "j",
    "s",
    "o",
    "n",
    "파이",
    "이썬",
    "비동",
    "동기",
  ]);
  equal(termsOf("파이썬의 asyncio"), ["파이", "이썬", "썬의", "asyncio"]);
});

Deno.test("identifiersOf() and isCodeQuery() tell code from prose", () => {
  equal(identifiersOf("set max_tokens and useEffect"), ["max_tokens", "useeffect"]);
  equal(["weather in Seoul", "list.append(x)", "`foo`", "KeyError", "terror"].map(isCodeQuery), [
    false,
    true,
    true,
    true,
    true,
  ]);
});

Deno.test("passagesOf() loses no line and cuts one without end", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ maxLength: 40 })),
      fc.integer({ min: 5, max: 60 }),
      (lines, min) => {
        const text = lines.join("\n");
        const flat = (one: string) => one.replace(/\s+/g, "");
        const passages = passagesOf(text, min);
        equal(flat(passages.join("\n")), flat(text));
        ok(passages.slice(0, -1).every((passage) => passage.length >= min));
      },
    ),
  );
  ok(passagesOf("x".repeat(1_000_000), 900).every(({ length }) => length <= 1_800));
});

Deno.test("rank() gives a passage nothing for words that all have, and keeps none without a word of the query", () => {
  const { scores, kept } = rank("rust", ["go", "java"]);
  equal([scores, kept], [[0, 0], []]);
  equal(rank("anything", []).kept, []);
});
