import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { childEnvironment } from "@/sandbox/env.ts";
import { machineEnv, sh, withProcesses } from "../support/processes.ts";

Deno.test("childEnvironment() passes on what is listed and nothing else", () => {
  const built = childEnvironment({
    PATH: "/usr/bin:/bin",
    HOME: "/home/jo",
    LC_TIME: "ko_KR.UTF-8",
    NODE_OPTIONS: "--max-old-space-size=4096",
    VIRTUAL_ENV: "/home/jo/venv",
    HARNESS_HOME: "/home/jo/.harness",
    EDITOR: "vim",
    SOMETHING: "else",
    BASH_ENV: "/tmp/evil",
  });
  const kept = ["PATH", "HOME", "LC_TIME", "NODE_OPTIONS", "VIRTUAL_ENV", "SOMETHING", "BASH_ENV"];
  equal(kept.map((name) => built[name]), [
    "/usr/bin:/bin",
    "/home/jo",
    "ko_KR.UTF-8",
    "--max-old-space-size=4096",
    "/home/jo/venv",
    undefined,
    undefined,
  ]);
  equal([built.EDITOR, built.TERM, built.HARNESS_HOME], ["false", "dumb", undefined]);
});

Deno.test("childEnvironment() keeps every secret out", () => {
  const canary = "canary-5b1f";
  const secrets = {
    ANTHROPIC_API_KEY: canary,
    OPENAI_API_KEY: canary,
    GITHUB_TOKEN: canary,
    NPM_TOKEN: canary,
    AWS_SECRET_ACCESS_KEY: canary,
    DATABASE_URL: `postgres://u:${canary}@h/db`,
    DENO_AUTH_TOKENS: `${canary}@host`,
    OTEL_EXPORTER_OTLP_HEADERS: `authorization=${canary}`,
    HTTPS_PROXY: `http://u:${canary}@proxy:3128`,
    GOPROXY: `https://u:${canary}@proxy`,
    LC_API_KEY: canary,
    SSH_AUTH_SOCK: `/tmp/${canary}`,
  };
  ok(!JSON.stringify(childEnvironment(secrets)).includes(canary));
});

Deno.test("childEnvironment() passes on a proxy that carries no password", () => {
  equal(childEnvironment({ HTTPS_PROXY: "http://proxy:3128" }).HTTPS_PROXY, "http://proxy:3128");
});

Deno.test("childEnvironment() passes on a name that the person gave, loader variables never", () => {
  const person = {
    MY_TOKEN: "x",
    LD_PRELOAD: "/evil.so",
    DYLD_INSERT_LIBRARIES: "y",
    DENO_DIR: "/d",
  };
  const also = Object.keys(person);
  const built = childEnvironment(person, { also });
  equal(also.map((name) => built[name]), ["x", undefined, undefined, undefined]);
});

Deno.test("childEnvironment() drops empty and relative entries of PATH", () => {
  equal(childEnvironment({ PATH: ":.:bin:/usr/bin::./x:/bin:" }).PATH, "/usr/bin:/bin");
  const windows = childEnvironment({ Path: "C:\\Windows;.;\\bin;bin;D:\\git" }, {
    isWindows: true,
  });
  equal(windows.Path, "C:\\Windows;D:\\git");
});

Deno.test("childEnvironment() keeps what nothing starts without on Windows", () => {
  const built = childEnvironment({ SystemRoot: "C:\\Windows", Path: "C:\\x" }, { isWindows: true });
  equal([built.SystemRoot, built.Path], ["C:\\Windows", "C:\\x"]);
});

Deno.test("a child sees the built environment only", async () => {
  await withProcesses(async (processes) => {
    const { stdout } = await processes.run({ ...sh("env"), env: { EXTRA: "1" } });
    const names = stdout.text().split("\n").map((line) => line.split("=")[0] ?? "");
    const expected = new Set([
      ...Object.keys(childEnvironment(machineEnv())),
      ...["", "EXTRA", "HARNESS_CHILD_OF", "PWD", "_", "OLDPWD", "SHLVL"],
    ]);
    equal(names.filter((name) => !expected.has(name)), []);
    ok(names.includes("EXTRA") && names.includes("HARNESS_CHILD_OF"));
  }, { ANTHROPIC_API_KEY: "canary" });
});
