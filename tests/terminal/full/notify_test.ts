import { deepStrictEqual as equal } from "node:assert/strict";
import { Notifier, type NotifyWay } from "@/terminal/full/notify.ts";

function notifier(way: NotifyWay = "bell") {
  const clock = { now: 0 };
  const sent: string[] = [];
  const made = new Notifier({
    write: (text) => void sent.push(text),
    way: () => way,
    now: () => clock.now,
  });
  return { made, clock, sent };
}

Deno.test("Notifier signs when the person is needed, unless the terminal says that they are here", () => {
  const { made, clock, sent } = notifier();
  made.needed();
  equal(sent, ["\x07"]);
  made.focus(true);
  made.seen();
  clock.now = 9_000;
  made.needed();
  equal(sent.length, 1);
  clock.now = 20_000;
  made.needed();
  equal(sent.length, 2);
  made.seen();
  made.focus(false);
  made.needed();
  equal(sent.length, 3);
});

Deno.test("Notifier signs the end of a turn that took ten seconds, and of no shorter one", () => {
  const { made, sent } = notifier("osc9");
  made.done(9_999);
  equal(sent, []);
  made.done(10_000);
  equal(sent, ["\x1b]9;harness is done\x1b\\"]);
});

Deno.test("Notifier is silent when it is off", () => {
  const { made, sent } = notifier("off");
  made.needed();
  made.done(60_000);
  equal(sent, []);
});
