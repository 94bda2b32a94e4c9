/** What a transcript leaves out of sight or puts in order: attached images, instructions that were told, calls side by side. */
import { deepStrictEqual as equal, match } from "node:assert/strict";
import type { Event } from "@/protocol/event.ts";
import { withoutStyles } from "@/lib/width.ts";
import { called, finished, said, testView } from "../../support/transcript_view.ts";

const COLUMNS = 80;

function plain(text: string): string[] {
  return withoutStyles(text).split("\n").slice(0, -1);
}

Deno.test("an image that came with a message is named once", async () => {
  const { view } = await testView();
  const content = [
    { type: "text" as const, text: "what is @a.png?" },
    { type: "text" as const, text: "\n[Attached image: a.png, 640x480]" },
    { type: "image" as const, mime: "image/png", data: new Uint8Array([1, 2]) },
  ];
  const message = { role: "user" as const, content, origin: "person" as const };
  const shown = plain(
    finished(view, [{ type: "turn_start", turn: 1 }, { type: "message", message }]),
  );
  equal(shown.filter((row) => row.includes("+")), ["  + [Attached image: a.png, 640x480]"]);
});

Deno.test("an instruction that the notice before it announced is shown only where everything is", async () => {
  const { view } = await testView();
  const notice = {
    type: "notice" as const,
    level: "info" as const,
    text: "Deepthink 1/6: Plan",
    about: "deepthink",
  };
  const instruction = (title: string): Event => ({
    type: "message",
    message: {
      role: "user",
      content: [{ type: "text", text: `[${title}]\nWork it out.` }],
      origin: "hook",
    },
  });
  const shown = plain(finished(view, [...said("hi"), notice, instruction("Deepthink 1/6 - Plan")]));
  equal(shown.slice(2), ["    · Deepthink 1/6: Plan"]);
  equal(view.open(2)?.length, 2);
  const other = plain(finished(view, [notice, instruction("System")]));
  equal(other, ["    · Deepthink 1/6: Plan", "    · [System]", "      Work it out."]);
});

Deno.test("cards of calls that run side by side stand in the order of the calls", async () => {
  const { view } = await testView();
  const first = called({ id: "c1", name: "spawn", before: "one", after: "one is done" });
  const second = called({ id: "c2", name: "spawn", before: "two", after: "two is done" });
  const end = (events: readonly Event[]) => events.slice(-2);
  const rest = (events: readonly Event[]) => events.slice(0, -2);
  equal(
    finished(view, [...said("hi"), ...rest(first), ...rest(second), ...end(second)]).includes(
      "two",
    ),
    false,
  );
  match(withoutStyles(view.tail(COLUMNS, 10).join("\n")), /one[\s\S]*✓ spawn · two is done/);
  const shown = plain(finished(view, end(first)));
  equal(shown.map((row) => row.split(" ")[4]), ["one", "two"]);
  equal(view.tail(COLUMNS, 10), []);
});
