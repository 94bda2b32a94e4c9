import { deepStrictEqual as assertEquals } from "node:assert";
import { fileURLToPath } from "node:url";
import { layerProblem } from "./layers.ts";
import plugin from "./lint_plugin.ts";
import { FILE_LINES_MAX, FUNCTION_LINES_MAX } from "./size.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Names of the rules that a file breaks. */
function broken(path: string, source: string): string[] {
  const found = Deno.lint.runPlugin(plugin, `${ROOT}${path}`, source);
  return found.map(({ id }) => id.slice(id.indexOf("/") + 1));
}

type Case = [path: string, source: string];

/** One test a rule: each of `hits` breaks it exactly once and nothing else, none of `misses` breaks anything. */
function rule(name: string, hits: readonly Case[], misses: readonly Case[]): void {
  Deno.test(`${name} is reported where it is broken`, () => {
    for (const [path, source] of hits) {
      assertEquals(broken(path, source), [name], `${path}: ${source}`);
    }
  });
  Deno.test(`${name} is not reported where it is kept`, () => {
    for (const [path, source] of misses) {
      assertEquals(broken(path, source), [], `${path}: ${source}`);
    }
  });
}

rule("layers", [
  ["src/protocol/event.ts", `import { a } from "@/lib/jsonl.ts";`],
  ["src/lib/jsonl.ts", `import { a } from "@/settings/paths.ts";`],
  ["src/settings/store.ts", `import type { A } from "@/policy/rule.ts";`],
  ["src/workspace/edit.ts", `import { a } from "@/session/log.ts";`],
  ["src/workspace/edit.ts", `import { a } from "@/shell/command.ts";`],
  ["src/sandbox/spawn.ts", `import { a } from "@/policy/shell.ts";`],
  ["src/tools/run_cmd.ts", `import { a } from "@/agent/turn.ts";`],
  ["src/tools/run_cmd.ts", `export * from "@/terminal/card.ts";`],
  ["src/agent/turn.ts", `import { a } from "@/tools/run_cmd.ts";`],
  ["src/agent/turn.ts", `import { a } from "@/tools/mod.ts";`],
  ["src/agent/turn.ts", `import { a } from "@/provider/ollama.ts";`],
  ["src/agent/turn.ts", `import { a } from "@/provider/mod.ts";`],
  ["src/agent/turn.ts", `const a = await import("@/terminal/screen.ts");`],
  ["src/agent/turn.ts", `type A = import("@/terminal/screen.ts").A;`],
  ["src/terminal/card.ts", `import { a } from "@/tools/spec.ts";`],
  ["src/terminal/card.ts", `import { a } from "@/workspace/git.ts";`],
  ["src/terminal/card.ts", `import { a } from "@/agent/harness.ts";`],
  ["src/terminal/commands/undo.ts", `import { a } from "@/tools/mod.ts";`],
  ["src/terminal/commands/undo.ts", `import { a } from "@/agent/turn.ts";`],
  ["src/terminal/card.ts", `export { a } from "./commands/undo.ts";`],
  ["src/agent/turn.ts", `import { a } from "@/app.ts";`],
  ["src/agent/turn.ts", `import { a } from "@/features/mod.ts";`],
  ["src/terminal/commands/undo.ts", `import { a } from "@/lend/undo.ts";`],
  ["src/compose/loop.ts", `import { a } from "@/features/mod.ts";`],
  ["src/compose/loop.ts", `import { a } from "@/lend/policy_check.ts";`],
  ["src/lend/mod.ts", `import { a } from "@/app.ts";`],
  ["src/features/undo.ts", `import type { A } from "@/app.ts";`],
  ["src/talk/converse.ts", `import { a } from "@/entry/enter.ts";`],
  ["src/novel/thing.ts", `import { a } from "@/protocol/event.ts";`],
], [
  ["src/protocol/event.ts", `import { a } from "./message.ts"; import * as z from "zod";`],
  [
    "src/workspace/edit.ts",
    `import { a } from "@/sandbox/spawn.ts"; import { b } from "./git.ts";`,
  ],
  ["src/verify/run_check.ts", `import { a } from "@/sandbox/processes.ts";`],
  [
    "src/tools/run_cmd.ts",
    `import { a } from "@/shell/command.ts"; import { b } from "./spec.ts";`,
  ],
  [
    "src/agent/turn.ts",
    `import { a } from "@/tools/spec.ts"; import { b } from "@/session/fold.ts";`,
  ],
  ["src/agent/turn.ts", `import { retry } from "@/provider/retry.ts";`],
  ["src/terminal/commands/undo.ts", `import { a } from "@/workspace/undo.ts";`],
  ["src/terminal/commands/undo.ts", `import { a } from "@/agent/harness.ts";`],
  ["src/features/undo.ts", `import { a } from "@/lend/undo.ts";`],
  ["src/talk/converse.ts", `import { a } from "@/app.ts";`],
  ["src/app.ts", `import { a } from "@/provider/ollama.ts"; import { b } from "@/repl.ts";`],
  ["main.ts", `import { a } from "./src/cli.ts";`],
  ["tests/agent/turn_test.ts", `import { a } from "@/agent/turn.ts";`],
]);

Deno.test("layerProblem() says which way the import goes", () => {
  assertEquals(
    layerProblem("agent/turn.ts", "terminal/card.ts"),
    "src/agent/ may not import src/terminal/card.ts; an import that goes up or sideways wants a parameter",
  );
});

rule("import-paths", [
  ["src/tools/a.ts", `import { a } from "../lib/clip.ts";`],
  ["src/tools/a.ts", `import "./spec.ts";`],
  ["tests/tools/a_test.ts", `import { ok } from "../../src/tools/spec.ts";`],
  ["tasks/a.ts", `import { ok } from "../src/tools/spec.ts";`],
], [
  ["tests/tools/a_test.ts", `import { a } from "../support/workspace.ts";`],
  ["src/provider/demo/tour.ts", `import { a } from "../demo.ts";`],
  [
    "src/tools/a.ts",
    `import { ok } from "./spec.ts"; import text from "./a.txt" with { type: "text" };`,
  ],
]);

const functionOf = (lines: number) => `function long() {\n${"  a();\n".repeat(lines - 2)}}\n`;

rule("light-imports", [
  ["src/lib/jsonl.ts", `import { join } from "node:path";`],
  ["src/workspace/edit.ts", `import { createHash } from "node:crypto";`],
  ["src/workspace/edit.ts", `import { z } from "zod";`],
  ["src/workspace/edit.ts", `import * as z from "zod"; make(z);`],
  ["src/workspace/edit.ts", `import * as z from "zod"; const { int } = z;`],
  ["main.ts", `import * as os from "node:os";`],
], [
  ["src/lib/jsonl.ts", `import { join } from "@/lib/path.ts";`],
  ["src/lib/hash.ts", `const { createHash } = await import("node:crypto");`],
  ["src/workspace/edit.ts", `import * as z from "zod"; import type { Buffer } from "node:buffer";`],
  ["src/workspace/edit.ts", `import * as z from "zod"; type A = z.infer<typeof B>; f(z.int);`],
  ["src/release/tar.ts", `import { gzipSync } from "node:zlib";`],
  ["tests/lib/hash_test.ts", `import { join } from "node:path"; import { z } from "zod";`],
]);

rule("light-features", [
  ["src/features/memory.ts", `import { Memory } from "@/memory/mod.ts";`],
  ["src/features/memory.ts", `import { type A, Memory } from "@/memory/mod.ts";`],
  ["src/features/memory.ts", `import { work } from "./memory/work.ts";`],
  ["src/features/memory.ts", `import * as z from "zod";`],
], [
  ["src/features/memory.ts", `import type { Memory } from "@/memory/mod.ts";`],
  ["src/features/memory.ts", `import { type Memory } from "@/memory/mod.ts";`],
  ["src/features/memory.ts", `import { once } from "@/lib/once.ts";`],
  ["src/features/memory.ts", `import { memoryPart } from "@/lend/memory.ts";`],
  ["src/features/memory.ts", `const { Memory } = await import("@/memory/mod.ts");`],
  ["src/features/mod.ts", `import { memory } from "./memory.ts";`],
  ["src/features/memory/work.ts", `import { Memory } from "@/memory/mod.ts";`],
]);

rule("file-length", [
  ["src/lib/a.ts", "a();\n".repeat(FILE_LINES_MAX + 1)],
  ["tests/lib/a_test.ts", "a();\n".repeat(FILE_LINES_MAX + 1)],
], [
  ["src/lib/a.ts", "a();\n".repeat(FILE_LINES_MAX)],
  ["tests/testdata/a.ts", "a();\n".repeat(FILE_LINES_MAX + 1)],
]);

rule("function-length", [
  ["src/lib/a.ts", functionOf(FUNCTION_LINES_MAX + 1)],
  ["src/lib/a.ts", `const f = () => {\n${"a();\n".repeat(FUNCTION_LINES_MAX)}};`],
  ["src/lib/a.ts", `class A { m() {\n${"a();\n".repeat(FUNCTION_LINES_MAX)}} }`],
], [
  ["src/lib/a.ts", functionOf(FUNCTION_LINES_MAX)],
]);

rule("process-start", [
  ["src/shell/command.ts", `new Deno.Command("ls");`],
  ["src/shell/command.ts", `new Deno["Command"]("ls");`],
  ["src/shell/command.ts", `const { Command } = Deno;`],
  ["src/shell/command.ts", `const { spawn } = await import("node:child_process");`],
  ["main.ts", `new Deno.Command("ls");`],
], [
  ["src/sandbox/spawn.ts", `new Deno.Command("ls");`],
  ["src/shell/command.ts", `import { spawn } from "@/sandbox/spawn.ts"; spawn("Deno.Command");`],
  ["tests/e2e/start_test.ts", `new Deno.Command(Deno.execPath());`],
]);

rule("printing", [
  ["src/agent/turn.ts", `console.log("a");`],
  ["src/cli.ts", `const { log } = console;`],
  ["src/lib/a.ts", `run(console);`],
], [
  ["src/terminal/plain.ts", `console.log("a");`],
  ["main.ts", `console.error("a");`],
  ["src/agent/turn.ts", `emit({ console: 1 }); host.console();`],
]);

rule("network", [
  ["src/agent/turn.ts", `await fetch("http://localhost");`],
  ["src/agent/turn.ts", `await globalThis.fetch("http://localhost");`],
  ["src/tools/get_url.ts", `const go = fetch;`],
  ["src/tools/get_url.ts", `load({ get: fetch });`],
  ["src/tools/get_url.ts", `function load(get = fetch) { return get; }`],
  ["src/web/fetch.ts", `await fetch("https://example.com");`],
  ["src/mcp/client.ts", `await fetch("https://example.com");`],
  ["src/lib/a.ts", `new WebSocket("ws://localhost");`],
  ["src/lib/a.ts", `await Deno.connect({ port: 1 });`],
  ["src/lib/a.ts", `const { request } = await import("node:https");`],
], [
  ["src/provider/connection.ts", `await fetch(Deno.createHttpClient({}));`],
  ["src/sandbox/egress/egress.ts", `await Deno.connect({ port: 1 });`],
  ["src/tools/get_url.ts", `await web.fetch("https://example.com");`],
]);

rule("environment", [
  ["src/agent/turn.ts", `Deno.env.get("HOME");`],
  ["src/agent/turn.ts", `const { env } = Deno;`],
  ["src/agent/turn.ts", `process.env.HOME;`],
  ["src/features/undo.ts", `Deno.env.get("HOME");`],
], [
  ["src/entry/once.ts", `Deno.env.get("HOME");`],
  ["src/compose/place.ts", `Deno.env.toObject();`],
  ["src/settings/paths.ts", `Deno.env.get("HOME");`],
  ["main.ts", `Deno.env.toObject();`],
]);

rule("empty-catch", [
  ["src/lib/a.ts", `try { a(); } catch {}`],
  ["src/lib/a.ts", `try { a(); } catch (_error) { /* It may fail. */ }`],
  ["src/lib/a.ts", `a().catch(() => {});`],
  ["tests/lib/a_test.ts", `a().catch(function () {});`],
], [
  ["src/lib/a.ts", `try { a(); } catch (error) { report(error); }`],
  ["src/lib/a.ts", `a().catch(() => undefined); a().then(() => {});`],
]);

rule("named-exports", [
  ["src/lib/a.ts", `export default function f() {}`],
  ["src/lib/a.ts", `export { f as default } from "./b.ts";`],
], [
  ["src/lib/a.ts", `export function f() {}`],
]);

rule("documented-exports", [
  ["src/protocol/a.ts", `export type A = string;`],
  ["src/protocol/a.ts", `/** A. */\nexport type A = string;\nexport type B = string;`],
  ["src/protocol/a.ts", `/* Not a doc comment. */\nexport type A = string;`],
  ["src/tools/mod.ts", `/** */\nexport const tools = [];`],
], [
  ["src/protocol/a.ts", `/** A name, at most 64 characters. */\nexport type A = string;`],
  [
    "src/protocol/a.ts",
    `/** Both ways. */\nexport function f(a: 1): 1;\nexport function f(a: 2): 2;`,
  ],
  ["src/tools/mod.ts", `export { a } from "./a.ts";`],
  ["src/lib/a.ts", `export type A = string;`],
]);

rule("file-names", [
  ["src/lib/utils.ts", `a();`],
  ["src/lib/atomicWrite.ts", `a();`],
  ["tests/support/helpers.ts", `a();`],
], [
  ["src/lib/atomic_write.ts", `a();`],
  ["tests/testdata/Some-Project.ts", `a();`],
]);

rule("joined-command", [
  ["src/shell/a.ts", "spawn('bash', ['-c', `rm ${file}`]);"],
  ["src/shell/a.ts", `const argv = ["/bin/sh", "-lc", "rm " + file];`],
  ["src/shell/a.ts", `spawn("sh", ["-c", words.join(" ")]);`],
], [
  ["src/shell/a.ts", `spawn("bash", ["-c", command]);`],
  ["src/workspace/git.ts", "spawn('git', ['-c', `core.hooksPath=${none}`, 'commit']);"],
]);

rule("using-kept", [
  ["src/lib/a.ts", `function f() { using file = open(); return file.lock(); }`],
  ["src/lib/a.ts", `async function f() { await using file = open(); g(); await read(file); }`],
], [
  ["src/lib/a.ts", `function f() { using file = open(); if (file.lock()) file.write(); }`],
  ["src/lib/a.ts", `function f() { using _held = hold(); g(); }`],
  ["src/lib/a.ts", `function f() { const file = open(); return file.lock(); }`],
]);

Deno.test("the rules leave files outside the project alone", () => {
  assertEquals(broken("dist/src/agent/turn.ts", `console.log("a");`), []);
  assertEquals(
    Deno.lint.runPlugin(plugin, "/elsewhere/src/agent/turn.ts", `console.log("a");`),
    [],
  );
});

rule("linear-regex", [
  ["src/lib/a.ts", String.raw`export const a = /\s+$/;`],
  ["src/lib/a.ts", String.raw`export const a = /\r*\n/g;`],
  ["src/lib/a.ts", String.raw`export const a = /[ \t]+\n/g;`],
  ["src/lib/a.ts", String.raw`export const a = /^\s*name =/m;`],
  ["src/lib/a.ts", String.raw`export const a = /^(\s*name) =/gim;`],
  ["src/lib/a.ts", String.raw`export const a = /a|^\s*name =/m;`],
], [
  ["src/lib/a.ts", String.raw`export const a = /\s+/g;`],
  ["src/lib/a.ts", String.raw`export const a = /(?<!\s)\s+$/;`],
  ["src/lib/a.ts", String.raw`export const a = /^\s*name =/;`],
  ["src/lib/a.ts", String.raw`export const a = /^[ \t]*name =/m;`],
  ["src/lib/a.ts", String.raw`export const a = /a+|b/;`],
  ["tests/lib/a_test.ts", String.raw`export const a = /\s+$/;`],
]);
