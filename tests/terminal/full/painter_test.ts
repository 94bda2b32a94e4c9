/** When the screen is drawn. */
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
