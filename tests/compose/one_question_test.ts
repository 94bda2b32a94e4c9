import { deepStrictEqual as equal, rejects } from "node:assert/strict";
import { oneQuestion } from "@/compose/one_question.ts";
import { Slots } from "@/lib/slots.ts";
import { commandCall } from "../support/guarded_call.ts";

/** A screen that answers when it is told to. */
function slowScreen() {
  const up: string[] = [];
  let settle = () => {};
  const put = <T>(what: string, answer: T) => {
    up.push(what);
    return new Promise<T>((resolve) => settle = () => resolve(answer));
  };
  const screen = oneQuestion({
    approver: () => put("call", { answer: "yes" }),
    asker: () => put("options", ["a"]),
    secret: () => put("secret", "s"),
    sinks: [],
  }, new Slots(() => 1));
  /** Let whoever waits come up. */
  const settled = () => new Promise((resolve) => setTimeout(resolve, 0));
  const next = async () => {
    settle();
    await settled();
  };
  return { screen, up, next, settled };
}

const question = { text: "?", options: ["a"], freeText: false };

Deno.test("oneQuestion() puts questions of every kind one after another", async () => {
  const { screen, up, next, settled } = slowScreen();
  const { signal } = new AbortController();
  const answers = Promise.all([
    screen.approver(commandCall("x"), "", [], signal),
    screen.asker([question], signal),
    screen.secret?.("?"),
  ]);
  await settled();
  const seen: string[][] = [];
  for (let n = 0; n < 3; n += 1) {
    seen.push([...up]);
    await next();
  }
  equal(seen, [["call"], ["call", "options"], ["call", "options", "secret"]]);
  equal(await answers, [{ answer: "yes" }, ["a"], "s"]);
});

Deno.test("oneQuestion() never puts a question that was given up while it waited", async () => {
  const { screen, up, next, settled } = slowScreen();
  const first = screen.approver(commandCall("x"), "", [], new AbortController().signal);
  await settled();
  const over = new AbortController();
  const second = screen.asker([question], over.signal);
  over.abort(new Error("over"));
  await rejects(second, /over/);
  await next();
  equal([await first, up], [{ answer: "yes" }, ["call"]]);
});
