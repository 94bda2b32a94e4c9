/** Nothing in the person's shell acts on the program when a task starts it, and commands still get what was set. */
import { deepStrictEqual as assertEquals } from "node:assert";
import { fileURLToPath } from "node:url";
import { OURS, personEnv, SET_ASIDE } from "@/sandbox/person_env.ts";
import { withWorkspace } from "../support/workspace.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

const PROBE = `
console.log("a line that telemetry would export");
await (await fetch(Deno.args[0])).text();
await new Promise((resolve) => setTimeout(resolve, 800)); // After 500 ms Deno asks for its newest version.
await Deno.writeTextFile(Deno.args[1], JSON.stringify(Deno.env.toObject()));
`;

/** With any value of these, the task runner itself ends or waits before it has read the task. */
const STOPS_THE_RUNNER = ["DENO_PERMISSION_BROKER_PATH", "DENO_UNSTABLE_CONTROL_SOCK"];

/** A value for each variable under which the task runner still starts; each does something where it is obeyed. */
function hostile(dir: string): Record<string, string> {
  return {
    OTEL_DENO: "true",
    OTEL_DENO_TRACING: "true",
    OTEL_DENO_METRICS: "true",
    OTEL_DENO_CONSOLE: "capture",
    NODE_OPTIONS: `--require ${dir}/required.cjs`,
    DENO_V8_FLAGS: "--max-old-space-size=900",
    DENO_COVERAGE_DIR: `${dir}/coverage`,
    DENO_LOG: "error",
    DENO_AUTH_TOKENS: "token@registry.invalid",
    DENO_AUDIT_PERMISSIONS: `${dir}/audit`,
    DENO_NO_UPDATE_CHECK: "theirs",
  };
}

Deno.test("a task starts our code with no telemetry, no foreign script and nothing written", async () => {
  await withWorkspace(async (dir) => {
    await Deno.writeTextFile(`${dir}/probe.ts`, PROBE);
    const required = `require("node:fs").writeFileSync(${JSON.stringify(`${dir}/ran`)}, "");`;
    await Deno.writeTextFile(`${dir}/required.cjs`, required);
    const seen: string[] = [];
    await using server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen() {} },
      (request) => {
        seen.push(new URL(request.url).pathname);
        return new Response("{}");
      },
    );
    const url = `http://127.0.0.1:${server.addr.port}`;
    using proxy = countConnections();
    const variables = hostile(dir);
    assertEquals([...Object.keys(variables), ...STOPS_THE_RUNNER].sort(), SET_ASIDE.toSorted());

    const { code } = await new Deno.Command(Deno.execPath(), {
      args: ["task", "-q", "clear-env", "run", "-q", "--no-prompt", "--allow-env"]
        .concat("--allow-read", `--allow-write=${dir}/env.json`, `--allow-net=127.0.0.1`)
        .concat(`${dir}/probe.ts`, `${url}/ours`, `${dir}/env.json`),
      cwd: ROOT,
      env: {
        ...variables,
        OTEL_EXPORTER_OTLP_ENDPOINT: url,
        OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
        HTTPS_PROXY: proxy.url,
      },
    }).output();

    assertEquals(code, 0);
    assertEquals(seen, ["/ours"]);
    assertEquals(proxy.count(), 0);
    const files = [...Deno.readDirSync(dir)].map(({ name }) => name).sort();
    // The task runner itself creates the audit file; what our program did is not in it.
    assertEquals(files, ["audit", "env.json", "probe.ts", "required.cjs"]);
    assertEquals(await Deno.readTextFile(`${dir}/audit`), "");
    await assertHandedBack(`${dir}/env.json`, variables);
  });
});

/** A proxy that answers nothing, and how many asked it. */
function countConnections(): { url: string; count(): number } & Disposable {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  let count = 0;
  const accepting = (async () => {
    for await (const connection of listener) {
      count += 1;
      connection.close();
    }
  })();
  return {
    url: `http://127.0.0.1:${listener.addr.port}`,
    count: () => count,
    [Symbol.dispose]() {
      listener.close();
      void accepting;
    },
  };
}

async function assertHandedBack(path: string, variables: Record<string, string>): Promise<void> {
  const ours: Record<string, string> = JSON.parse(await Deno.readTextFile(path));
  const left = SET_ASIDE.flatMap((name) => ours[name] === undefined ? [] : [[name, ours[name]]]);
  assertEquals(Object.fromEntries(left), OURS);
  const person = personEnv(ours);
  for (const [name, value] of Object.entries(variables)) {
    assertEquals(person[name], value, name);
  }
}
