import { deepStrictEqual as equal } from "node:assert/strict";
import { switchOf } from "@/lend/switch.ts";
import { ModeCycle } from "@/talk/mode_cycle.ts";
import { modeOf } from "@/terminal/mode_of.ts";

function modes(isAuto = false) {
  return { automode: switchOf({ isOn: isAuto }), planmode: switchOf({ isOn: false }) };
}

Deno.test("ModeCycle goes through ask, auto and plan", () => {
  const [cycle, all] = [new ModeCycle(), modes()];
  const seen = [1, 2, 3, 4].map(() => {
    cycle.step(all, 0);
    return modeOf(all);
  });
  equal(seen, ["auto", "plan", "ask", "auto"]);
});

Deno.test("ModeCycle: plan mode that ends gives back the mode in which the person was", () => {
  const ended = (isAuto: boolean, turns: readonly number[]) => {
    const [cycle, all] = [new ModeCycle(), modes(isAuto)];
    for (const turn of turns) cycle.step(all, turn);
    equal(modeOf(all), "plan");
    all.planmode.turn(false);
    return modeOf(all);
  };
  // Automode is only passed on the way.
  equal(ended(false, [3, 3]), "ask");
  // A turn was made in it, or it was there before.
  equal(ended(false, [3, 4]), "auto");
  equal(ended(true, [3]), "auto");
});

Deno.test("ModeCycle: what a command has switched between two steps counts as where the person is", () => {
  const [cycle, all] = [new ModeCycle(), modes()];
  for (let step = 0; step < 3; step += 1) cycle.step(all, 0);
  all.automode.turn(true);
  cycle.step(all, 0);
  all.planmode.turn(false);
  equal(modeOf(all), "auto");
});
