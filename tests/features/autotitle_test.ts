import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { nameSession } from "@/features/autotitle/name_session.ts";
import type { Message } from "@/protocol/message.ts";
import { until } from "../support/until.ts";
import { withApp } from "../support/whole_app.ts";

const AUTO = { run: { auto: true, set: ["AUTO_TITLE=on"] } };

Deno.test("a new session is named by the model after its first exchange, once", () =>
  withApp(
    [{ text: "r1" }, { text: '**Title: "Fix the parser"**' }, { text: "r2" }],
    async ({ app, api, events }) => {
      await app.say("the parser is broken");
      await until(() => app.facts().id === "fix-the-parser");
      const { messages } = api.bodies[1] as { messages: { content: string }[] };
      match(messages.at(-1)?.content ?? "", /User: the parser is broken\n\nAssistant: r1$/);
      match((await app.slash("/title")).text, /^Fix the parser\nid fix-the-parser,/);
      const paid = events.flatMap((event) => event.type === "usage" ? [event.purpose] : []);
      equal(paid, ["turn", "title"]);
      await app.say("go on");
      equal(api.bodies.length, 3);
    },
    AUTO,
  ));

Deno.test("no title is asked for after /autotitle off, /title NAME, or without a terminal", async () => {
  await withApp([{ text: "r1" }, { text: "r2" }], async ({ app, api }) => {
    ok((await app.slash("/autotitle off")).ok);
    await app.say("one");
    await app.slash("/autotitle on");
    await app.slash("/title Mine");
    await app.say("two");
    equal([api.bodies.length, app.facts().id], [2, "mine"]);
  }, AUTO);
  await withApp([{ text: "r1" }], async ({ app, api }) => {
    await app.say("one");
    equal(api.bodies.length, 1);
  }, { ...AUTO, isInteractive: false });
});

Deno.test("a model that gives no title leaves the session as it was", () =>
  withApp([{ text: "r1" }, { text: "..." }], async ({ app, api, events }) => {
    await app.say("one");
    await until(() => events.some((event) => event.type === "usage" && event.purpose === "title"));
    equal([api.bodies.length, events.some(({ type }) => type === "title")], [2, false]);
  }, AUTO));

Deno.test("nameSession() asks the model only where there is room for it", async () => {
  const [hi, hello] = ["hi", "hello"].map((text) => [{ type: "text" as const, text }]);
  const messages: Message[] = [
    { role: "user", content: hi ?? [], origin: "person" },
    { role: "assistant", content: hello ?? [], stop: "end" },
  ];
  for (const hasRoom of [false, true]) {
    let asked = 0;
    const parts = {
      live: {
        harness: { messages: () => messages },
        work: () => Promise.resolve({ features: { hasRoom: () => Promise.resolve(hasRoom) } }),
      },
      model: {
        current: {
          name: { model: "m" },
          provider: {
            stream: () => {
              asked += 1;
              throw new Error("nothing is said");
            },
          },
        },
      },
      settings: { current: { SESSION_TITLE_MAX_LEN: 60 } },
      conversation: { title: "" },
    } as unknown as Parameters<typeof nameSession>[0];
    await nameSession(parts, new AbortController().signal);
    equal(asked, hasRoom ? 1 : 0);
  }
});
