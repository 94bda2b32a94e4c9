/** What a turn's requests cost by themselves: the same calls asked of the same server, by a client that does nothing else. */
import { readNdjson } from "@/provider/ndjson.ts";

const [url = "", model = "", calls = "20"] = Deno.args;
const client = Deno.createHttpClient({});
const messages: unknown[] = [{ role: "user", content: "Read it." }];
for (let call = 0; call <= Number(calls); call++) {
  const response = await fetch(`${url}/api/chat`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model, messages, stream: true }),
    client,
  });
  if (response.body === null || !response.ok) throw new Error(await response.text());
  for await (const line of readNdjson(response.body, new AbortController().signal)) {
    if (!("value" in line)) throw new Error(`The server said ${line.garbage}`);
    const { message } = line.value as { message: { tool_calls?: Record<string, unknown>[] } };
    for (const asked of message.tool_calls ?? []) {
      const id = `call_${call}`;
      messages.push({ ...message, tool_calls: [{ ...asked, id }] });
      messages.push({
        role: "tool",
        tool_name: "read_file",
        tool_call_id: id,
        content: "1:f97|one\n2:b83|two",
      });
    }
  }
}
