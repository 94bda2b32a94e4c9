import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { prepareEdit } from "@/workspace/file_edit.ts";
import { row } from "@/workspace/hashline.ts";
import { placeNow, type Span, tellingWindow } from "@/workspace/moved_lines.ts";
import { Readings } from "@/workspace/readings.ts";
import { fc } from "../support/property.ts";
import { withWorkspace } from "../support/workspace.ts";

const shownOf = (texts: readonly string[]) => new Map(texts.map((text, at) => [at + 1, text]));
const span = (from: number, to = from): Span => ({ from, to });

Deno.test("placeNow() follows lines that moved, by as much around them as tells them apart", () => {
  const shown = ["f {", "  a", "}", "g {", "  b", "}", ""];
  const now = ["// new", ...shown];
  equal(placeNow(now, shownOf(shown), span(5)), span(6));
  equal(placeNow(now, shownOf(shown), span(6)), span(7), "one of two braces");
  equal(placeNow(shown, shownOf(shown), span(6)), span(6));
  equal(placeNow(now.toSpliced(6, 1), shownOf(shown), span(6)), "none", "what told it is gone");
  equal(placeNow(now, new Map([[6, "}"]]), span(6)), "none");
  equal(placeNow(now, new Map(), span(6)), "unknown");
});

Deno.test("placeNow() names no other place than the one that moved, whatever else repeats", () => {
  const line: fc.Arbitrary<string> = fc.constantFrom("a", "b", "}", "");
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1, maxLength: 30 }),
      fc.array(fc.constantFrom("x", "y"), { maxLength: 4 }),
      fc.nat(),
      fc.nat(),
      (texts, more, put, meant) => {
        const at = put % (texts.length + 1);
        const from = 1 + meant % texts.length;
        const place = placeNow(texts.toSpliced(at, 0, ...more), shownOf(texts), span(from));
        if (typeof place === "string") return;
        equal(place.from, from > at ? from + more.length : from);
      },
    ),
  );
});

Deno.test("tellingWindow() is as large as it has to be, and no larger than the file", () => {
  const texts = ["a", "}", "b", "}", "c"];
  equal(tellingWindow(texts, span(2), 0), span(1, 3));
  equal(tellingWindow(texts, span(3), 0), span(3));
  equal(tellingWindow(["x", "x"], span(1), 0), span(1, 2));
});

/** A file that was read as `shown` and is `now`. */
function withFile(
  { shown, now }: { shown: readonly string[]; now: readonly string[] },
  body: (edit: (old: string, text: string) => ReturnType<typeof prepareEdit>) => Promise<void>,
): Promise<void> {
  return withWorkspace(async (dir) => {
    const path = join(dir, "f.c");
    await Deno.writeTextFile(path, now.join("\n"));
    const readings = new Readings();
    readings.note(path, shown.map((text, at) => ({ line: at + 1, text })));
    readings.noteWhole(path, new TextEncoder().encode(shown.join("\n")));
    await body(async (old, text) => {
      const request = { path: "f.c", old, new: text };
      const prepared = await prepareEdit(readings, { path, spelled: "f.c" }, request);
      if (prepared.kind === "refused") readings.note(path, prepared.shown ?? []);
      return prepared;
    });
  });
}

const anchor = (line: number, text: string) => row({ line, text }).split("|")[0] ?? "";

Deno.test("an anchor that fits another line like it is refused in a file that somebody changed", () =>
  withFile({
    shown: ["f {", "  a", "}", "}", "end", ""],
    now: ["x", "f {", "  a", "}", "}", "end", ""],
  }, async (edit) => {
    // Line 4 was the outer brace and now is the inner one.
    const refused = await edit(anchor(4, "}"), "};");
    ok(refused.kind === "refused");
    match(refused.sentence, /f\.c was changed after you read it.* more than once/);
    const again = await edit(anchor(5, "}"), "};");
    equal(again.kind, "ready", "what was handed back is enough for the second try");
  }));

Deno.test("a refused anchor comes back with the place where its line stands now", () =>
  withFile({
    shown: ["one", "two", "three", ""],
    now: ["new", "new", "new", "new", "new", "new", "one", "two", "three", ""],
  }, async (edit) => {
    const refused = await edit(`${anchor(2, "two")}-${anchor(3, "three")}`, "2");
    ok(refused.kind === "refused");
    match(refused.sentence, /What you were shown as lines 2 and 3 now stands at 8:\n/);
    ok(refused.sentence.includes(`  ${row({ line: 9, text: "three" })}`), refused.sentence);
    const again = await edit(`${anchor(8, "two")}-${anchor(9, "three")}`, "2");
    equal(again.kind, "ready");
  }));

Deno.test("a change elsewhere in the file leaves anchors of lines that stand once as they are", () =>
  withFile({
    shown: ["one", "two", "}", "}"],
    now: ["one", "two", "} // changed", "}"],
  }, async (edit) => {
    equal((await edit(anchor(2, "two"), "2")).kind, "ready");
  }));
