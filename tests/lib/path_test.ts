/** Paths give what node:path gives. */
import { deepStrictEqual as equal } from "node:assert";
import * as node from "node:path";
import { fc } from "../support/property.ts";
import * as ours from "@/lib/path.ts";
import * as posix from "@/lib/path_posix.ts";

/** Paths made of what matters in one. */
const piece = fc.constantFrom("/", "//", ".", "..", "a", "b.c", ".d", "ü", " ", "\\", "\n", "-");
const path = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""));
const runs = { numRuns: 3000 };

Deno.test("path_posix dirname(), normalize() and isAbsolute() are those of node:path/posix", () => {
  fc.assert(
    fc.property(path, (one) => {
      equal(posix.dirname(one), node.posix.dirname(one), `dirname ${JSON.stringify(one)}`);
      equal(posix.normalize(one), node.posix.normalize(one), `normalize ${JSON.stringify(one)}`);
      equal(posix.isAbsolute(one), node.posix.isAbsolute(one));
    }),
    runs,
  );
});

Deno.test("path_posix basename() is that of node:path/posix, with a suffix too", () => {
  const suffix = fc.constantFrom("", "a", ".c", "b.c", ".d", "c", "/a");
  fc.assert(
    fc.property(path, suffix, (one, end) => {
      equal(posix.basename(one), node.posix.basename(one), JSON.stringify(one));
      // With a suffix, and only then, Node calls the root itself a name.
      if (!end.includes("/") && node.posix.basename(one) !== "") {
        equal(posix.basename(one, end), node.posix.basename(one, end), JSON.stringify([one, end]));
      }
    }),
    runs,
  );
});

Deno.test("path_posix join(), resolve() and relative() are those of node:path/posix", () => {
  fc.assert(
    fc.property(fc.array(path, { maxLength: 4 }), (all) => {
      equal(posix.join(...all), node.posix.join(...all), JSON.stringify(all));
      const [from = "", to = ""] = all;
      if (Deno.build.os === "windows") return;
      equal(posix.resolve(...all), node.posix.resolve(...all), JSON.stringify(all));
      equal(posix.relative(from, to), node.posix.relative(from, to), JSON.stringify([from, to]));
    }),
    runs,
  );
});

Deno.test("path.ts is node:path of this system", () => {
  for (const one of ["/a/b.c", "a//b/../c/", "", ".", "//x", "C:\\a\\b", "\\\\host\\share\\x"]) {
    equal(ours.basename(one), node.basename(one));
    equal(ours.dirname(one), node.dirname(one));
    equal(ours.join(one, "x"), node.join(one, "x"));
    equal(ours.resolve("/r", one), node.resolve("/r", one));
    equal(ours.relative("/r", one), node.relative("/r", one));
    equal(ours.isAbsolute(one), node.isAbsolute(one));
    equal(ours.rootOf(one), node.parse(one).root);
  }
  equal([ours.sep, ours.delimiter], [node.sep, node.delimiter]);
});
