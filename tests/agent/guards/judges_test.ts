import { deepStrictEqual as equal } from "node:assert/strict";
import { firstAnswer } from "@/agent/decide.ts";
import { Judges } from "@/agent/guards/judges.ts";
import type { Decision, Guard, Judge } from "@/protocol/policy.ts";
import { commandCall } from "../../support/guarded_call.ts";

type Word = Decision["verdict"] | "nothing";

const guard = (verdict: Word, reason: string): Guard => () =>
  verdict === "nothing" ? undefined : { verdict, by: "rule", reason };

const judge = (word: Word): Judge => ({
  hear: () => Promise.resolve(word === "nothing" ? {} : { decision: said(word) }),
});
const said = (verdict: Decision["verdict"]): Decision => ({
  verdict,
  by: "guard",
  reason: "judge",
});

/** The verdict, and whose reason it has. */
async function decided(judged: readonly Word[], others: Word): Promise<string> {
  const judges = new Judges(judged.map(judge));
  const list = [guard(others === "allow" || others === "deny" ? others : "nothing", "other")];
  const ask = others === "ask" ? [guard("ask", "other")] : [];
  const { verdict, reason } = await firstAnswer(
    judges.over([...list, judges.allows(() => true), ...ask], () => true),
    commandCall("ls"),
  );
  return `${verdict}: ${reason}`;
}

Deno.test("Judges: a no is final, a question stands, a yes is one among others", async () => {
  equal(await decided(["deny"], "allow"), "deny: judge");
  equal(await decided(["ask"], "allow"), "ask: judge");
  equal(await decided(["ask"], "deny"), "deny: other");
  equal(await decided(["ask"], "ask"), "ask: judge; other");
  equal(await decided(["allow"], "deny"), "deny: other");
  equal(await decided(["allow"], "ask"), "allow: judge");
  equal(await decided(["nothing"], "allow"), "allow: other");
  equal(await decided(["allow", "deny", "ask"], "allow"), "deny: judge");
  equal(await decided([], "allow"), "allow: other");
});

Deno.test("Judges are asked once a call, and a yes is taken where it may be", async () => {
  let times = 0;
  let answers = 0;
  const judges = new Judges([{
    hear: () => {
      times += 1;
      return Promise.resolve({ decision: said("allow") });
    },
    beforeQuestion: () => {
      answers += 1;
      return Promise.resolve(said("allow"));
    },
  }]);
  const guards = judges.over([judges.allows(() => false), guard("ask", "other")], () => false);
  const call = commandCall("ls");
  const verdicts = [await firstAnswer(guards, call), await firstAnswer(guards, call)];
  equal(verdicts.map(({ verdict }) => verdict), ["ask", "ask"]);
  equal([times, answers, judges.asks(call)], [1, 1, false]);
});

Deno.test("Judges: a question in the place of a question keeps why there was one", async () => {
  const judges = new Judges([{
    hear: () => Promise.resolve({}),
    beforeQuestion: () => Promise.resolve(said("ask")),
  }]);
  const guards = judges.over([guard("ask", "other")], () => true);
  const { verdict, reason } = await firstAnswer(guards, commandCall("ls"));
  equal([verdict, reason], ["ask", "judge; other"]);
});

Deno.test("Judges: what is to be changed is refused as it was made, and a no leaves nothing to change", async () => {
  const change = { input: { command: "b" }, by: "judge" };
  const changing: Judge = { hear: () => Promise.resolve({ change }) };
  const call = commandCall("ls");
  const judges = new Judges([changing, judge("allow")]);
  equal(await judges.change(call), change);
  const first = await firstAnswer(judges.over([guard("allow", "other")], () => true), call);
  equal([first.verdict, first.reason], ["deny", "judge lets it run with other arguments only"]);
  equal(await new Judges([changing, judge("deny")]).change(call), undefined);
});

Deno.test("Judges that want different arguments are not followed one before the other", async () => {
  const changing = (command: string, by: string): Judge => ({
    hear: () => Promise.resolve({ change: { input: { command }, by } }),
  });
  const call = commandCall("ls");
  const judges = new Judges([changing("a", "one"), changing("b", "another")]);
  equal(await judges.change(call), undefined);
  const { verdict, reason } = await firstAnswer(
    judges.over([guard("allow", "other")], () => true),
    call,
  );
  equal([verdict, reason], ["deny", "one and another do not agree about its arguments"]);
  const agreeing = new Judges([changing("a", "one"), changing("a", "another")]);
  equal(await agreeing.change(call), { input: { command: "a" }, by: "one and another" });
});
