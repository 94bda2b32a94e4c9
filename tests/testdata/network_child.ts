/** Runs the real program in `network_world.sh`, beside a server with a public address. Prints what came of each turn. */
import { join } from "node:path";
import { startFakeOllama } from "../support/fake_ollama.ts";
import { harness } from "../support/program.ts";

const [dir = "", turns = "[]"] = Deno.args;
const PUBLIC = "93.184.216.34";

const hits: string[] = [];
const server = Deno.serve({ hostname: PUBLIC, port: 80, onListen: () => {} }, ({ url }) => {
  hits.push(url);
  return new Response("public page\n");
});
const results: unknown[] = [];
for (const { args, command } of JSON.parse(turns) as { args: string[]; command: string }[]) {
  hits.length = 0;
  let told = "";
  await using api = startFakeOllama((body) => {
    const { messages } = body as { messages: { role: string; content: string }[] };
    const last = messages.at(-1);
    if (last?.role === "tool") told = last.content;
    return last?.role === "tool"
      ? { text: "Done." }
      : { calls: [{ name: "run_cmd", arguments: { command } }] };
  });
  const ran = await harness(
    ["-p", "Do it.", "-m", "ollama/gemma4:e4b", "--output", "json", ...args],
    {
      cwd: join(dir, "project"),
      home: join(dir, "state"),
      env: { OLLAMA_HOST: api.url, HOME: join(dir, "home") },
    },
  );
  const [call] = ran.stdout === "" ? [] : JSON.parse(ran.stdout).calls;
  results.push({ told, stderr: ran.stderr, hits: [...hits], by: call?.by });
}
await server.shutdown();
console.log(JSON.stringify(results));
