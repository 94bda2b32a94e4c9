/** Who may import whom. The table of src/README.md, as a rule: a file imports downward only. */
import { placeOf } from "./place.ts";

/** Capability folders: each does one thing and knows no other, except `sandbox/`, which starts processes. */
const CAPABILITIES = [
  "sandbox",
  "policy",
  "provider",
  "session",
  "workspace",
  "shell",
  "verify",
  "python",
  "web",
  "mcp",
  "hooks",
  "skills",
  "memory",
  "channel",
  "profile",
] as const;

const BASE = ["protocol", "lib", "settings", "workers"] as const;

/** The face that slash commands and ACP see of the agent. */
const AGENT_FACE = ["agent/harness.ts", "agent/mod.ts"] as const;

/** What the agent may know of `provider/`: shared machinery, never a concrete provider or the list of them. */
const PROVIDER_MACHINERY = ["errors", "retry", "cache", "quirks", "text_protocol", "think_filter"]
  .map((name) => `provider/${name}.ts`);

/** Everything below the composition. */
const BELOW = [...BASE, ...CAPABILITIES, "tools", "agent", "terminal", "terminal/commands"];

/** Layer → what it may import besides itself: folders, or single files. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  protocol: [],
  lib: ["protocol"],
  settings: ["protocol", "lib"],
  workers: ["protocol", "lib"],
  ...Object.fromEntries(CAPABILITIES.map((name) => [name, [...BASE, "sandbox"]])),
  tools: [...BASE, ...CAPABILITIES],
  agent: [
    ...BASE,
    ...CAPABILITIES.filter((name) => name !== "provider"),
    ...PROVIDER_MACHINERY,
    "tools/spec.ts",
  ],
  terminal: ["protocol", "lib", "settings", "terminal/commands/spec.ts"],
  "terminal/commands": ["terminal", ...BASE, ...CAPABILITIES, ...AGENT_FACE],
  acp: [...BASE, ...CAPABILITIES, ...AGENT_FACE],
  release: ["protocol", "lib", "settings", "sandbox"],
  // The rooms of the composition, each with those that it builds on.
  compose: [...BELOW, "version.ts"],
  lend: [...BELOW, "compose"],
  features: [...BELOW, "compose", "lend"],
  talk: [...BELOW, "compose", "app.ts", "repl.ts"],
  entry: [...BELOW, "compose", "talk", "app.ts"],
  subcommands: [...BELOW, "compose", "lend", "talk", "entry", "acp", "app.ts", "version.ts"],
  command_line: [...BELOW, "compose", "entry", "subcommands", "version.ts"],
};

/** A rule of its own for each direction that can go wrong, in one sentence each. */
export const layers: Deno.lint.Rule = {
  create(context) {
    const { area, path } = placeOf(context.filename);
    if (area !== "src") return {};
    const from = path.slice("src/".length);
    return onImports((source, node) => {
      const target = resolve(source, from);
      if (target === undefined) return;
      const problem = layerProblem(from, target);
      if (problem !== undefined) context.report({ node, message: problem });
    });
  },
};

/** Why `from` may not import `target` (both relative to src/), or undefined. */
export function layerProblem(from: string, target: string): string | undefined {
  const own = layerOf(from);
  const theirs = layerOf(target);
  if (own === theirs || own === "") return undefined; // The files directly in src/ import everything.
  const allowed = MAY_IMPORT[own];
  if (theirs === "" && allowed?.includes(target) !== true) {
    return `src/${target} is imported by nobody; pass in what is needed from it`;
  }
  if (allowed === undefined) {
    return `src/${own}/ stands in no layer; add it to tests/quality/layers.ts`;
  }
  if (allowed.includes(theirs) || allowed.includes(target)) return undefined;
  return `src/${own}/ may not import src/${target}; an import that goes up or sideways wants a parameter`;
}

function layerOf(path: string): string {
  if (path.startsWith("terminal/commands/")) return "terminal/commands";
  const slash = path.indexOf("/");
  return slash < 0 ? "" : path.slice(0, slash);
}

function resolve(source: string, from: string): string | undefined {
  if (source.startsWith("@/")) return source.slice(2);
  if (!source.startsWith(".")) return undefined;
  return new URL(source, `file:///${from}`).pathname.slice(1);
}

/** How a project file is named in an import: "@/…" from anywhere, "./…" and "../…" inside one folder of src/. */
export const importPaths: Deno.lint.Rule = {
  create(context) {
    const { area, path } = placeOf(context.filename);
    if (area === "other") return {};
    return onImports((source, node, bare) => {
      if (area === "src" && source.startsWith("../") && leavesItsFolder(source, path)) {
        context.report({ node, message: `Import by "@/" instead of "${source}"` });
      }
      if (area !== "src" && area !== "main" && /^\.\.?\/(.*\/)?src\//.test(source)) {
        context.report({ node, message: `Import the program by "@/" instead of "${source}"` });
      }
      if (area === "src" && source.includes("tests/")) {
        context.report({ node, message: `The program does not import tests ("${source}")` });
      }
      if (bare) {
        context.report({ node, message: `"${path}" imports "${source}" for a side effect only` });
      }
    });
  },
};

function leavesItsFolder(source: string, path: string): boolean {
  const from = path.slice("src/".length);
  const target = resolve(source, from) ?? "";
  return layerOf(from) !== layerOf(target);
}

/** Calls back for every import, re-export and `import()` with a literal source; `bare` is an import of nothing. */
export function onImports(
  seen: (source: string, node: Deno.lint.Node, bare: boolean) => void,
): Deno.lint.LintVisitor {
  return {
    ImportDeclaration(node) {
      seen(node.source.value, node, node.specifiers.length === 0);
    },
    ExportNamedDeclaration(node) {
      if (node.source) seen(node.source.value, node, false);
    },
    ExportAllDeclaration(node) {
      seen(node.source.value, node, false);
    },
    ImportExpression(node) {
      if (node.source.type === "Literal") seen(String(node.source.value), node, false);
    },
    TSImportType(node) {
      const argument = node.argument;
      if (argument.type === "TSLiteralType" && argument.literal.type === "Literal") {
        seen(String(argument.literal.value), node, false);
      }
    },
  };
}
