import { deepStrictEqual as equal } from "node:assert/strict";
import { locate, type Located, namedLines } from "@/workspace/anchors.ts";
import { fingerprint, row } from "@/workspace/hashline.ts";

const TEXTS = ["def f():", "    a = 1", "    b = 2", "    return a", "", "x|y", ""];

const at = (line: number) => `${line}:${fingerprint(TEXTS[line - 1] ?? "")}`;
const place = (from: number, to: number, quoted: number[] = []): Located => ({
  kind: "place",
  place: { from, to, quoted },
});

Deno.test("locate() reads every spelling that names lines", () => {
  const cases: [string, Located][] = [
    [at(2), place(2, 2)],
    [`  ${at(2)}  `, place(2, 2)],
    [at(2).toUpperCase(), place(2, 2)],
    [at(2).replace(":", " : "), place(2, 2)],
    [`${at(2)}|`, place(2, 2)],
    [row({ line: 2, text: "    a = 1" }), place(2, 2, [2])],
    [row({ line: 2, text: "    a = 1  " }), place(2, 2, [2])],
    ["2:fff|    a = 1", place(2, 2, [2])],
    [`${at(2)}\n\n${at(3)}\n`, place(2, 3)],
    [`${at(2)}\n3:fff|    b = 2`, place(2, 3, [3])],
    [`${at(2)}-${at(4)}`, place(2, 4)],
    [`${at(2)} - ${at(4)}\n`, place(2, 4)],
    [`${at(2)}-${at(4)}|`, place(2, 4)],
    [`${at(2)}-${at(4)}|    return a`, place(2, 4)],
    [`${at(2)}|    a = 1-${at(4)}|    return a`, place(2, 4)],
    [`${at(2)}|-${at(4)}|`, place(2, 4)],
    ["2     a = 1", place(2, 2, [2])],
    ["2|    a = 1", place(2, 2, [2])],
    ["     2\t    a = 1\n     3\t    b = 2", place(2, 3, [2, 3])],
    ["6|x|y", place(6, 6, [6])],
    [at(7), place(7, 7)],
  ];
  for (const [old, expected] of cases) equal(locate(old, TEXTS), expected, JSON.stringify(old));
});

Deno.test("locate() complains of anchors that do not describe the file", () => {
  const codeOf = (old: string) => {
    const located = locate(old, TEXTS);
    return located.kind === "complaint" ? located.complaint.code : located.kind;
  };
  const cases: [string, string][] = [
    ["2:fff", "mismatch"],
    [`2:${fingerprint("    a = 1").slice(0, 2)}`, "mismatch"],
    [row({ line: 2, text: "    a = 1" }).replace("a = 1", "a = 2"), "mismatch"],
    [`${at(2)}|a = 1`, "mismatch"],
    [`${at(3)}-${at(2)}`, "backwards"],
    [`${at(3)}\n${at(2)}`, "backwards"],
    [`${at(2)}\n${at(4)}`, "not-contiguous"],
    [`${at(2)}\n${at(2)}`, "not-contiguous"],
    ["0:d41", "no-such-line"],
    ["8:d41", "no-such-line"],
    [`${at(2)}-99:aaa`, "no-such-line"],
  ];
  for (const [old, code] of cases) equal(codeOf(old), code, JSON.stringify(old));
});

Deno.test("locate() takes for text what is not anchors through and through", () => {
  for (
    const old of ["    a = 1", `${at(2)}\n    b = 2`, "2:zz|    a = 1", "2 retries", "", "2:8e01"]
  ) {
    equal(locate(old, TEXTS).kind, "text", old);
  }
  // Rows without a hash that do not fit are text; the lines they name can be shown.
  equal(locate("2     a = 2\n3     b = 2", TEXTS), { kind: "text", lines: [2, 3] });
});

Deno.test("locate() reads a lone quoted row as one line although its text ends like a span", () => {
  const texts = ["p", `s-2:${fingerprint("q")}`, "q"];
  equal(locate(row({ line: 2, text: texts[1] ?? "" }), texts), place(2, 2, [2]));
});

Deno.test("namedLines() names the lines of anchors and plain spans only", () => {
  equal(namedLines("2:abc\n3:def|x"), [2, 3]);
  equal(namedLines("2:abc-4:def"), [2, 3, 4]);
  equal(namedLines("2:abc-4:def|"), undefined);
  equal(namedLines("2 x"), undefined);
});
