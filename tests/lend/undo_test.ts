/** What `/undo` and `/redo` do to a conversation. */
import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { sent, withApp } from "../support/whole_app.ts";

const write = (filepath: string, content: string) => ({
  calls: [{ name: "write_file", arguments: { filepath, content } }],
});

Deno.test("/undo and /redo tell the model what went, and a refusal tells it nothing", () =>
  withApp(
    [
      ...[write("a.txt", "a\n"), write("b.txt", "b\n"), { text: "r1" }],
      ...[{ text: "r2" }, { text: "r3" }, { text: "r4" }],
    ],
    async ({ app, api }) => {
      const told = () =>
        sent(api.bodies.at(-1)).texts.flatMap((text) =>
          text.match(/The person \w+ back .*/g) ?? []
        );
      const rest = "Read what you need of them again before you change it";
      await app.say("one");
      ok((await app.slash("/undo")).ok);
      await app.say("two");
      equal(told(), [`The person took back your newest changes of: b.txt. ${rest}`]);
      ok((await app.slash("/redo")).ok);
      ok((await app.slash("/undo turn")).ok);
      await app.say("three");
      equal(told().slice(1), [
        `The person brought back your newest changes of: b.txt. ${rest}`,
        `The person took back your newest changes of: b.txt, a.txt. ${rest}`,
      ]);
      equal((await app.slash("/undo")).ok, false);
      await app.say("four");
      equal(told().length, 3);
    },
  ));
