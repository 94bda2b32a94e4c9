/** One session over every wire: each goes on with what the others said, and the first one gets its own data back. */
import { deepStrictEqual as equal, ok } from "node:assert/strict";
import type { Message } from "@/protocol/message.ts";
import type { ProviderEvent } from "@/protocol/provider.ts";
import { callsOf, FULL, HELLO, privateStrings, requestFor } from "../support/wire_replies.ts";
import { messageOf, result, user } from "../support/conversation.ts";
import type { FakeApi } from "../support/fake_api.ts";
import { calm, collect, wireOptions } from "../support/wire_options.ts";
import { WIRES, type WireUnderTest } from "../support/wires.ts";

/** The conversation after one more question, with the results of whatever was called. */
function goneOn(messages: readonly Message[], events: readonly ProviderEvent[]): Message[] {
  const results = callsOf(events).map(({ id, name }) => result(id, `result of ${name}`, { name }));
  // Each message goes through the session file.
  return JSON.parse(JSON.stringify([...messages, messageOf(events), ...results]));
}

for (const first of WIRES) {
  Deno.test(`a session that starts on ${first.wire} goes on over every other wire and back`, async () => {
    await using firstApi = first.start([FULL, HELLO]);
    const options = wireOptions(first.provider, first.baseUrl(firstApi.url));
    using _ = options.http;
    const provider = await first.make(options);
    const begun = await collect(provider.stream(requestFor(first), calm()));
    let messages = goneOn([user("Read both files.")], begun);
    const secrets = privateStrings(begun);
    for (const other of WIRES.filter(({ wire }) => wire !== first.wire)) {
      messages = await overOther(other, messages, (api) => {
        const sent = JSON.stringify(api.bodies);
        for (const secret of secrets) {
          ok(
            !sent.includes(JSON.stringify(secret)),
            `${other.wire} was sent private data of ${first.wire}`,
          );
        }
      });
    }
    const back = await collect(
      provider.stream(requestFor(first, [...messages, user("And now?")]), calm()),
    );
    equal(back.at(-1)?.type, "done");
    const sent = JSON.stringify(firstApi.bodies.at(-1));
    for (const secret of secrets) {
      ok(sent.includes(JSON.stringify(secret)), "its own data came back");
    }
  });
}

async function overOther(
  under: WireUnderTest,
  messages: readonly Message[],
  check: (api: FakeApi) => void,
): Promise<Message[]> {
  await using api = under.start([FULL]);
  const options = wireOptions(under.provider, under.baseUrl(api.url));
  using _ = options.http;
  const asked = [...messages, user(`Go on over ${under.wire}.`)];
  const provider = await under.make(options);
  const events = await collect(provider.stream(requestFor(under, asked), calm()));
  check(api);
  // The ids of a session are unique; the fakes always give the same.
  const renamed = events.map((event) =>
    event.type === "tool_call" ? { ...event, id: `${under.wire}_${event.id}` } : event
  );
  return goneOn(asked, renamed);
}
