/** Nothing in the person's shell acts on the program when a task starts it, and commands still get what was set. */
import { deepStrictEqual as assertEquals } from "node:assert";
import { fileURLToPath } from "node:url";
import { personEnv, SET_ASIDE } from "@/sandbox/person_env.ts";
import { withWorkspace } from "../support/workspace.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

const PROBE = `
console.log("a line that telemetry would export");
await (await fetch(Deno.args[0])).text();
await Deno.writeTextFile(Deno.args[1], JSON.stringify(Deno.env.toObject()));
`;

/** With any value of it, the task runner ends before it has read the task unless a broker answers. */
const ENDS_THE_RUNNER = "DENO_PERMISSION_BROKER_PATH";

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
    const variables = hostile(dir);
    assertEquals([...Object.keys(variables), ENDS_THE_RUNNER], SET_ASIDE);

    const { code } = await new Deno.Command(Deno.execPath(), {
      args: ["task", "-q", "clear-env", "run", "-q", "--no-prompt", "--allow-env"]
        .concat("--allow-read", `--allow-write=${dir}/env.json`, `--allow-net=127.0.0.1`)
        .concat(`${dir}/probe.ts`, `${url}/ours`, `${dir}/env.json`),
      cwd: ROOT,
      env: {
        ...variables,
        OTEL_EXPORTER_OTLP_ENDPOINT: url,
        OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      },
    }).output();

    assertEquals(code, 0);
    assertEquals(seen, ["/ours"]);
    const files = [...Deno.readDirSync(dir)].map(({ name }) => name).sort();
    // The task runner itself creates the audit file; what our program did is not in it.
    assertEquals(files, ["audit", "env.json", "probe.ts", "required.cjs"]);
    assertEquals(await Deno.readTextFile(`${dir}/audit`), "");
    await assertHandedBack(`${dir}/env.json`, variables);
  });
});

async function assertHandedBack(path: string, variables: Record<string, string>): Promise<void> {
  const ours: Record<string, string> = JSON.parse(await Deno.readTextFile(path));
  assertEquals(SET_ASIDE.filter((name) => name in ours), []);
  const person = personEnv(ours);
  for (const [name, value] of Object.entries(variables)) {
    assertEquals(person[name], value, name);
  }
}
