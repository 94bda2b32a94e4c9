/** From a server's entry to how it is reached: a process in the sandbox, or an address over the network. */
import { isAbsolute, join } from "@/lib/path.ts";
import { StdioTransport } from "@/mcp/stdio.ts";
import type { Reach } from "@/mcp/client.ts";
import type { ServerEntry, ServerStart } from "@/mcp/config.ts";
import type { Diagnostics } from "@/mcp/stdio_lines.ts";
import { clientIn, SignIn } from "@/mcp/sign_in.ts";
import type { SignIns } from "@/mcp/sign_ins.ts";
import type { SandboxOnDemand } from "@/sandbox/mod.ts";
import type { Processes } from "@/sandbox/processes.ts";

export type ReachParts = {
  processes: Pick<Processes, "start" | "find">;
  sandbox: Pick<SandboxOnDemand, "ready">;
  workspace: string;
  home: string | undefined;
  /** HTTP for servers: what it may reach is decided there. */
  http(url: string | URL, init?: RequestInit): Promise<Response>;
  signIns: SignIns;
};

/** Nobody was asked about a server that an editor brings; inside the boundary that does no harm. */
const UNHELD = "your editor brings it, and nothing on this machine would contain it; declare it " +
  "in your own mcp.json to have it run with your rights";

/** Find it. Throws with a sentence where the entry asks for what is not there. */
export async function reachOf(
  entry: ServerEntry,
  diagnostics: Diagnostics,
  parts: ReachParts,
): Promise<Reach> {
  const { start } = entry;
  if (start === undefined) throw new Error(entry.problem ?? "it is not declared");
  if (start.kind !== "stdio") {
    const { kind, url, headers, isStated } = start;
    const authProvider = await signedIn(entry.name, start, parts);
    const reach = { kind, url, headers, fetch: parts.http, mayBeOlder: !isStated };
    if (authProvider === undefined) return reach;
    return { ...reach, authProvider, hide: (text) => authProvider.hide(text) };
  }
  const command = await commandOf(start, { ...parts, isOfClient: entry.origin === "client" });
  return {
    kind: "stdio",
    open: () => new StdioTransport({ processes: parts.processes, command, diagnostics }),
  };
}

/** What the person is signed in with. A token of the entry's own goes before; without either nobody is asked to sign in. */
async function signedIn(
  name: string,
  start: Extract<ServerStart, { kind: "http" | "sse" }>,
  { signIns }: ReachParts,
): Promise<SignIn | undefined> {
  const { url, headers } = start;
  if (Object.keys(headers).some((header) => header.toLowerCase() === "authorization")) return;
  const { port, tokens } = await signIns.of(url);
  if (tokens === undefined) return undefined;
  return new SignIn({ name, url, signIns, port: port ?? 0, ...clientIn(start) });
}

async function commandOf(
  start: Extract<ServerStart, { kind: "stdio" }>,
  { processes, sandbox, workspace, home, isOfClient }: ReachParts & { isOfClient: boolean },
) {
  const place = (path: string) => placeOf(path, workspace, home);
  const cwd = start.cwd === undefined ? workspace : place(start.cwd);
  const { command: program, args, env } = start;
  // Inside, a shell would say so, and not which of all it is.
  if (!/[\\/]/.test(program) && await processes.find(program) === undefined) {
    throw new Error(`there is no program "${program}" on PATH`);
  }
  const own = { program: program.startsWith("~/") ? place(program) : program, args, cwd, env };
  if (start.isOutside) return own;
  const opened = await sandbox.ready();
  if (!opened.isProven && isOfClient) throw new Error(UNHELD);
  if (!opened.isProven) return own;
  const writes = await realPaths(start.writes.map(place));
  const reads = await realPaths(start.reads.map(place));
  const canWriteWorkspace = writes.includes(workspace);
  // The boundary is drawn with each start, from what is there then.
  const wrap = opened.wrap({
    canWriteWorkspace,
    writable: writes.filter((path) => path !== workspace),
    readable: reads,
  });
  return { ...own, wrap, onlyReadsWorkspace: !canWriteWorkspace };
}

function placeOf(path: string, workspace: string, home: string | undefined): string {
  if (home !== undefined && (path === "~" || path.startsWith("~/"))) {
    return join(home, path.slice(1));
  }
  return isAbsolute(path) ? path : join(workspace, path);
}

async function realPaths(paths: readonly string[]): Promise<readonly string[]> {
  return await Promise.all(paths.map(async (path) => {
    try {
      return await Deno.realPath(path);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
      throw new Error(`its entry names "${path}", which does not exist`, { cause: error });
    }
  }));
}
