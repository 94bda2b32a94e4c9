/** Counting rows that are out of sight: exactly where it can be known, and never too many. */
import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { fc } from "../../support/property.ts";
import { heightOfAll, hiddenOf, withHidden } from "@/terminal/full/hidden.ts";

Deno.test("hiddenOf() takes whole rows, and the part of the one that the edge goes through", () => {
  equal(hiddenOf([10, 25, 0, 10], 0, 10), { rows: [], half: 0 });
  equal(hiddenOf([10, 25, 0, 10], 1, 10), { rows: [10], half: 0 });
  equal(hiddenOf([10, 25, 0, 10], 3, 10), { rows: [10], half: 18 });
  equal(hiddenOf([10, 25, 0, 10], 5, 10), { rows: [10, 25, 0], half: 0 });
  equal(hiddenOf([10], 7, 10), { rows: [10], half: 0 });
});

Deno.test("withHidden() joins what is written to the row that is half out of sight, but not an empty row", () => {
  equal(withHidden({ rows: [10], half: 0 }, [3, 4], false), [10, 3, 4]);
  equal(withHidden({ rows: [10], half: 18 }, [3, 4], false), [10, 21, 4]);
  equal(withHidden({ rows: [10], half: 18 }, [0, 4], true), [10, 18, 0, 4]);
  equal(withHidden({ rows: [10], half: 18 }, [], false), [10]);
});

Deno.test("what is hidden is never counted for more than it is, at any later width", () => {
  const widths = fc.integer({ min: 1, max: 50 });
  fc.assert(
    fc.property(
      fc.array(fc.nat(120)),
      fc.nat(60),
      widths,
      widths,
      (cells, count, before, after) => {
        const hidden = hiddenOf(cells, count, before);
        ok(heightOfAll(withHidden(hidden, [0], true), before) - 1 <= count);
        ok(heightOfAll(hidden.rows, after) <= heightOfAll(cells, after));
      },
    ),
  );
});
