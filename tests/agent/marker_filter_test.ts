import { deepStrictEqual as equal } from "node:assert/strict";
import { MarkerFilter, withoutMarkers } from "@/agent/marker_filter.ts";
import type { Provider, ProviderEvent } from "@/protocol/provider.ts";
import { requestOf, user } from "../support/conversation.ts";
import { fc } from "../support/property.ts";
import { calls, says, scriptedProvider } from "../support/scripted_provider.ts";

const MARKER = "MORE_WORK";

async function heardIn(inner: Provider): Promise<{ text: string; heard: number }> {
  let heard = 0;
  const listening = { marker: MARKER, instead: "There is more.", heard: () => void (heard += 1) };
  const provider = withoutMarkers(inner, () => listening);
  let text = "";
  const request = requestOf("m", [user("hi")], {});
  for await (const event of provider.stream(request, new AbortController().signal)) {
    if (event.type === "delta") text += event.text;
    if (event.type === "retry" && event.discarded) text = "";
  }
  return { text, heard };
}

Deno.test("withoutMarkers() takes the marker out and says that it was there", async () => {
  equal(await heardIn(scriptedProvider([says(`half\n${MARKER}`)])), { text: "half\n", heard: 1 });
  equal(await heardIn(scriptedProvider([says("whole")])), { text: "whole", heard: 0 });
});

Deno.test("withoutMarkers() leaves no reply empty", async () => {
  equal((await heardIn(scriptedProvider([says(MARKER)]))).text, "There is more.");
  equal((await heardIn(scriptedProvider([calls([{ name: "x" }], { text: MARKER })]))).text, "");
});

Deno.test("withoutMarkers() forgets what a broken try had said", async () => {
  const events: ProviderEvent[] = [
    { type: "delta", channel: "text", text: `${MARKER} MORE` },
    { type: "retry", reason: "lost", attempt: 1, waitMs: 0, discarded: true },
    ...says("all done").events,
  ];
  equal(await heardIn(scriptedProvider([{ events }])), { text: "all done", heard: 0 });
});

Deno.test("MarkerFilter: whatever the pieces, the text comes through without the marker", () => {
  const word = fc.constantFrom("MORE", "_", "WORK", MARKER, "M", " ", "a\n");
  fc.assert(fc.property(fc.array(word), fc.array(fc.nat({ max: 12 })), (words, cuts) => {
    const text = words.join("");
    const filter = new MarkerFilter(MARKER);
    let shown = "";
    let at = 0;
    for (const length of [...cuts, text.length]) {
      shown += filter.take(text.slice(at, at + length));
      at += length;
    }
    shown += filter.flush();
    equal([shown, filter.isHeard], [text.split(MARKER).join(""), text.includes(MARKER)]);
  }));
});
