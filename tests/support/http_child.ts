/**
 * Sends one request with the environment and URL of its argument and prints what came of it, as JSON. A process of
 * its own, because the tests themselves may reach this machine by its usual names only.
 */
import { ConnectionFailure, Http, readText } from "@/provider/http.ts";

const { signal } = new AbortController();
const { url, env } = JSON.parse(Deno.args[0] ?? "{}");
using http = new Http({ env, offline: false });
try {
  const response = await http.send({ url, headers: {} }, signal);
  print({ status: response.status, text: await readText(response, { signal }) });
} catch (error) {
  if (!(error instanceof ConnectionFailure)) throw error;
  print({ problem: error.problem, variable: error.variable });
}

function print(value: unknown): void {
  Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(value)));
}
