/** Which parts of the program may start processes, print, open connections and read the environment. */
import { onImports } from "./layers.ts";
import { placeOf } from "./place.ts";

/** One thing that only some places may do, found by the global it takes or the module it imports. */
type Reach = {
  /** Objects and their members, "Deno.Command"; a name without a dot is a global that is called or handed on. */
  globals: readonly string[];
  modules: readonly string[];
  /** Where it may stand: files, folders with all below ("web/"), and the files directly in a folder ("src/*"). */
  allowed: readonly string[];
  message: string;
};

const PROCESS: Reach = {
  globals: ["Deno.Command", "Deno.run", "Deno.spawn", "Deno.spawnAndWait", "Deno.spawnAndWaitSync"],
  modules: ["node:child_process", "child_process", "node:cluster"],
  allowed: ["src/sandbox/"],
  message: "Processes start only in src/sandbox/",
};

const CONSOLE: Reach = {
  globals: ["console"],
  modules: ["node:console"],
  allowed: ["src/terminal/", "main.ts"],
  message: "Only src/terminal/ and main.ts print; emit an event or return the text",
};

const NETWORK: Reach = {
  globals: [
    "fetch",
    "globalThis.fetch",
    "WebSocket",
    "EventSource",
    "Deno.createHttpClient",
    "Deno.connect",
    "Deno.connectTls",
    "Deno.connectQuic",
  ],
  modules: ["node:http", "node:https", "node:http2", "node:net", "node:tls", "node:dgram"],
  allowed: ["src/provider/", "src/sandbox/egress/", "src/lib/http_client.ts"],
  message:
    "Connections are opened only in provider/ and sandbox/egress/; tools and MCP take Network.client()",
};

const ENVIRONMENT: Reach = {
  globals: ["Deno.env", "process.env"],
  modules: [],
  allowed: [
    "main.ts",
    "src/entry/",
    "src/compose/place.ts",
    "src/settings/paths.ts",
  ],
  message: "The environment is read once, at the top, and passed in",
};

export const processStart = reachRule(PROCESS);
export const printing = reachRule(CONSOLE);
export const network = reachRule(NETWORK);
export const environment = reachRule(ENVIRONMENT);

function reachRule(reach: Reach): Deno.lint.Rule {
  return {
    create(context) {
      const { area, path } = placeOf(context.filename);
      if (area !== "src" && area !== "main") return {};
      if (reach.allowed.some((place) => covers(place, path))) return {};
      const report = (node: Deno.lint.Node) => context.report({ node, message: reach.message });
      return {
        ...onImports((source, node) => {
          if (reach.modules.includes(source)) report(node);
        }),
        ...onGlobals(reach.globals, report),
      };
    },
  };
}

function covers(place: string, path: string): boolean {
  if (place.endsWith("/")) return path.startsWith(place);
  if (place.endsWith("/*")) return path.slice(0, path.lastIndexOf("/")) === place.slice(0, -2);
  return path === place;
}

function onGlobals(
  globals: readonly string[],
  report: (node: Deno.lint.Node) => void,
): Deno.lint.LintVisitor {
  const reportIfGlobal = (node: Deno.lint.Node | null | undefined) => {
    if (node?.type === "Identifier" && globals.includes(node.name)) report(node);
  };
  return {
    MemberExpression(node) {
      const member = memberName(node);
      if (member !== undefined && globals.includes(member)) report(node);
      reportIfGlobal(node.object);
    },
    CallExpression(node) {
      reportIfGlobal(node.callee);
      node.arguments.forEach(reportIfGlobal);
    },
    NewExpression(node) {
      reportIfGlobal(node.callee);
      node.arguments.forEach(reportIfGlobal);
    },
    VariableDeclarator(node) {
      reportIfGlobal(node.init);
      for (const member of unpackedMembers(node)) if (globals.includes(member)) report(node);
    },
    AssignmentPattern(node) {
      reportIfGlobal(node.right);
    },
    AssignmentExpression(node) {
      reportIfGlobal(node.right);
    },
    Property(node) {
      if (node.parent.type === "ObjectExpression") reportIfGlobal(node.value);
    },
    LogicalExpression(node) {
      reportIfGlobal(node.left);
      reportIfGlobal(node.right);
    },
  };
}

/** "Deno.Command" for `Deno.Command` and `Deno["Command"]`. */
function memberName(node: Deno.lint.MemberExpression): string | undefined {
  if (node.object.type !== "Identifier") return undefined;
  const { property } = node;
  if (!node.computed && property.type === "Identifier") {
    return `${node.object.name}.${property.name}`;
  }
  if (property.type === "Literal") return `${node.object.name}.${property.value}`;
  return undefined;
}

/** "Deno.Command" for `const { Command } = Deno`. */
function unpackedMembers(node: Deno.lint.VariableDeclarator): string[] {
  if (node.init?.type !== "Identifier" || node.id.type !== "ObjectPattern") return [];
  const object = node.init.name;
  return node.id.properties.flatMap((property) =>
    property.type === "Property" && property.key.type === "Identifier"
      ? [`${object}.${property.key.name}`]
      : []
  );
}
