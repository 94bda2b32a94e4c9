import { deepStrictEqual as equal, match } from "node:assert/strict";
import { elicit } from "@/mcp/elicit.ts";
import type { Question } from "@/protocol/policy.ts";

const DECLINE = "Decline: tell the server nothing";

/** A person who answers these, one after the other. */
function person(...answers: (string | undefined)[]) {
  const asked: Question[] = [];
  const ask = (question: Question) => {
    asked.push(question);
    return Promise.resolve(answers.shift());
  };
  return { asked, ask };
}

function form(properties: Record<string, unknown>, required: string[] = []) {
  // The SDK has checked its shape.
  const requestedSchema = { type: "object", properties, required } as never;
  return { message: "Tell me", requestedSchema };
}

Deno.test("elicit() asks field by field, in the type that is asked for", async () => {
  const { asked, ask } = person("x", "3", "Yes", "Green", "Red, Blue");
  const answer = await elicit(
    "s",
    form({
      name: { type: "string", title: "Name", description: "who" },
      count: { type: "integer" },
      sure: { type: "boolean" },
      color: { type: "string", enum: ["r", "g"], enumNames: ["Red", "Green"] },
      several: {
        type: "array",
        items: { anyOf: [{ const: "r", title: "Red" }, { const: "b", title: "Blue" }] },
      },
    }, ["name"]),
    ask,
  );
  equal(answer, {
    action: "accept",
    content: { name: "x", count: 3, sure: true, color: "g", several: ["r", "b"] },
  });
  match(asked[0]?.text ?? "", /^MCP server "s" asks: Tell me\nName: who$/);
  equal(asked[3]?.options, ["Red", "Green", DECLINE]);
  equal(asked.every(({ options }) => options.includes(DECLINE)), true);
});

Deno.test("elicit() takes nothing as the default, leaves out what may be, and asks again for what is needed", async () => {
  const { asked, ask } = person("", "", "", "x");
  const answer = await elicit(
    "s",
    form({
      size: { type: "number", default: 2 },
      note: { type: "string" },
      name: { type: "string" },
    }, ["name"]),
    ask,
  );
  equal(answer, { action: "accept", content: { size: 2, name: "x" } });
  match(asked[0]?.text ?? "", /nothing means 2/);
  match(asked[3]?.text ?? "", /^name is needed/);
});

Deno.test("elicit() tells a wrong answer from a right one, and gives up after three", async () => {
  const fields = form({ count: { type: "integer", minimum: 1, maximum: 9 } });
  const cases = [["x", "no whole number"], ["1.5", "no whole number"], ["0", "less than 1"], [
    "10",
    "more than 9",
  ]];
  for (const [wrong, why] of cases) {
    const { asked, ask } = person(wrong, "5");
    equal(await elicit("s", fields, ask), { action: "accept", content: { count: 5 } });
    match(asked[1]?.text ?? "", new RegExp(why ?? ""));
  }
  equal(await elicit("s", fields, person("x", "x", "x", "5").ask), { action: "cancel" });
});

Deno.test("elicit() declines and cancels as the person does, also when there is none", async () => {
  const fields = form({ a: { type: "string" } });
  equal(await elicit("s", fields, person(DECLINE).ask), { action: "decline" });
  equal(await elicit("s", fields, person("decline").ask), { action: "decline" });
  equal(await elicit("s", fields, person(undefined).ask), { action: "cancel" });
  equal(await elicit("s", form({}), person("Yes").ask), { action: "accept", content: {} });
  equal(await elicit("s", form({}), person(DECLINE).ask), { action: "decline" });
});

Deno.test("elicit() shows an address whole, with its host, and opens nothing", async () => {
  const request = (url: string) => ({
    mode: "url" as const,
    message: "Sign in",
    url,
    elicitationId: "1",
  });
  const url = "https://example.com/a?very=long#x";
  const { asked, ask } = person("I have opened it", "no");
  equal(await elicit("s", request(url), ask), { action: "accept" });
  match(asked[0]?.text ?? "", /https:\/\/example\.com\/a\?very=long#x\nIts host is example\.com$/);
  equal(await elicit("s", request(url), ask), { action: "decline" });
  const odd = person("no");
  await elicit("s", request("https://аpple.com/"), odd.ask);
  match(odd.asked[0]?.text ?? "", /xn--.*letters of another script/s);
  const never = person();
  equal(await elicit("s", request("file:///usr/bin/touch"), never.ask), { action: "decline" });
  equal(never.asked, []);
});
