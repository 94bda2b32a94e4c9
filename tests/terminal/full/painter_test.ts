/** When the screen is drawn. */
import { deepStrictEqual as equal } from "node:assert/strict";
import { Painter } from "@/terminal/full/painter.ts";
import { until } from "../../support/until.ts";

Deno.test("a terminal that took nothing for five minutes is drawn on as soon as it takes something", async () => {
  let [now, frames] = [0, 0];
  const painter = new Painter({
    size: () => ({ columns: 80, rows: 24 }),
    draw: () => {
      frames += 1;
      now += 300_000;
    },
    resized: () => Promise.resolve(true),
    moves: () => undefined,
    now: () => now,
  });
  painter.flush();
  painter.request();
  await until(() => frames === 2);
  painter.stop();
});

Deno.test("a frame between two changes of the window was cut, unless the terminal says that it had the size already", async () => {
  for (const agrees of [undefined, false, true]) {
    let [size, frames] = [{ columns: 80, rows: 24 }, 0];
    const cut: boolean[] = [];
    const painter = new Painter({
      size: () => size,
      draw: () => {
        frames += 1;
      },
      resized: (_size, { isCut }) => {
        cut.push(isCut);
        return Promise.resolve(true);
      },
      ...(agrees !== undefined && { agrees: () => Promise.resolve(agrees) }),
      moves: () => undefined,
      // Whatever happens, it is the same series of changes.
      now: () => frames,
    });
    for (const columns of [60, 70]) {
      size = { columns, rows: 24 };
      painter.resize();
      await until(() => frames === cut.length && cut.length === (columns === 60 ? 1 : 2));
    }
    painter.stop();
    equal(cut, [false, agrees !== true]);
  }
});
