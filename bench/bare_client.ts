/** What a turn's requests cost by themselves: the same bytes sent to the same server, by a client that does nothing else. */
import { readNdjson } from "@/provider/ndjson.ts";

const [url = "", file = ""] = Deno.args;
const bodies: readonly string[] = JSON.parse(await Deno.readTextFile(file));
const client = Deno.createHttpClient({});
for (const body of bodies) {
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${url}/api/chat`, { method: "POST", headers, body, client });
  if (response.body === null || !response.ok) throw new Error(await response.text());
  for await (const line of readNdjson(response.body, new AbortController().signal)) {
    if (!("value" in line)) throw new Error(`The server said ${line.garbage}`);
  }
}
