/** What `/mcp` does. */
import { counted } from "@/lib/counted.ts";
import { describe } from "@/lib/describe.ts";
import { visible } from "@/lib/visible.ts";
import { promptText } from "@/mcp/result.ts";
import type { Server } from "@/mcp/server.ts";
import type { McpRequest } from "@/terminal/commands/lent/mcp.ts";
import { type CommandResult, done, refused } from "@/terminal/commands/spec.ts";
import { resourceLines } from "@/tools/list_mcp_resources.ts";
import { notThere } from "@/tools/use_mcp_server.ts";
import type { Attached } from "./attached.ts";
import { addServer, removeServer } from "./own_file.ts";

const NONE =
  "No MCP server is declared. A project declares them in .mcp.json, you in mcp.json of the state directory: /mcp add NAME COMMAND|URL";

/** The servers, read and connected when they are needed, and where the person declares their own. */
export type Reached = { attached(): Promise<Attached>; personalFile: string };

/** Whether what a command answers says how each server stands. */
export function showsAll(request: McpRequest): boolean {
  switch (request.do) {
    case "list":
    case "reload":
      return true;
    case "turn":
      return request.isOn;
    case "tools":
    case "resources":
    case "prompts":
      return request.server === undefined;
    default:
      return false;
  }
}

/** Do it. What cannot be done is said, with what would work. */
export async function act(
  { attached, personalFile }: Reached,
  request: McpRequest,
): Promise<CommandResult> {
  switch (request.do) {
    case "add":
      return await addServer(personalFile, request);
    case "remove":
      return await removeServer(personalFile, request.name);
    default:
      return await actOn(await attached(), request);
  }
}

async function actOn(
  attached: Attached,
  request: Exclude<McpRequest, { do: "add" | "remove" }>,
): Promise<CommandResult> {
  switch (request.do) {
    case "list":
      return await list(attached);
    case "tools":
    case "resources":
    case "prompts":
      return await offered(attached, request);
    case "prompt":
      return await prompt(attached, request);
    case "reload":
      await attached.read();
      return await list(attached);
    case "connect": {
      const server = attached.servers.find(request.server);
      if (server === undefined) return refused(notThere(request.server, attached.servers));
      await attached.reconnect(server);
      return stateResult(server);
    }
    case "login":
    case "logout":
      return await sign(attached, request);
    case "turn":
      await attached.turn(request.isOn);
      return request.isOn
        ? await list(attached)
        : done("MCP servers are detached: /mcp on attaches them again");
    default:
      return request satisfies never;
  }
}

/** In or out; then the server is connected as what the person is now. */
async function sign(
  attached: Attached,
  { do: way, server: name }: Extract<McpRequest, { do: "login" | "logout" }>,
): Promise<CommandResult> {
  await attached.settled();
  const server = attached.servers.find(name);
  if (server === undefined) return refused(notThere(name, attached.servers));
  const { login, logout } = await import("./sign_in.ts");
  const signed = way === "login"
    ? await login(server, attached.signing)
    : await logout(server, attached.signing);
  if (!signed.ok) return signed;
  await attached.reconnect(server);
  const lines = [signed.text, ...rowsOf(server)].join("\n");
  return way === "logout" || server.state.kind === "ready" ? done(lines) : refused(lines);
}

async function list(attached: Attached): Promise<CommandResult> {
  await attached.settled();
  const { all } = attached.servers;
  if (all.length === 0) return done(NONE);
  const text = all.flatMap(rowsOf).join("\n");
  return all.some(isBroken) ? refused(text) : done(text);
}

function isBroken({ state }: Server): boolean {
  return state.kind === "failed" || state.kind === "lost";
}

function rowsOf(server: Server): readonly string[] {
  const { entry, facts } = server;
  const name = visible(entry.name, { oneLine: true });
  const about = facts === undefined
    ? ""
    : ` (${facts.title} ${facts.version}, MCP ${facts.protocol})`;
  return [
    `${name}: ${stateText(server)}`,
    `  ${reachText(server)}, from ${entry.label}${visible(about, { oneLine: true })}`,
  ];
}

function stateText(server: Server): string {
  const { state, tools, facts } = server;
  switch (state.kind) {
    case "ready": {
      const offers = [
        counted(tools.length, "tool"),
        ...(facts?.hasResources === true ? ["resources"] : []),
        ...(facts?.hasPrompts === true ? ["prompts"] : []),
      ];
      return `attached, ${offers.join(", ")}`;
    }
    case "connecting":
      return "connecting";
    case "lost":
      return `${state.why}; the next call connects it again`;
    case "off":
    case "failed":
    case "waiting":
      return visible(`not attached: ${state.why}`, { oneLine: true });
    default:
      return state satisfies never;
  }
}

function stateResult(server: Server): CommandResult {
  const text = rowsOf(server).join("\n");
  return server.state.kind === "ready" ? done(text) : refused(text);
}

function reachText({ entry: { start } }: Server): string {
  if (start === undefined) return "no way to reach it";
  if (start.kind !== "stdio") return `${start.kind} ${visible(start.url, { oneLine: true })}`;
  const line = [start.command, ...start.args].join(" ");
  const where = start.isOutside ? "outside the sandbox: " : "";
  return `${where}${visible(line, { oneLine: true })}`;
}

async function offered(
  attached: Attached,
  { do: what, server: name }: Extract<McpRequest, { do: "tools" | "resources" | "prompts" }>,
): Promise<CommandResult> {
  await attached.settled();
  const { servers } = attached;
  const one = name === undefined ? undefined : servers.find(name);
  if (name !== undefined && one?.isAttached !== true) return refused(notThere(name, servers));
  if (servers.all.length === 0) return done(NONE);
  const asked = one === undefined ? servers.all.filter(({ isAttached }) => isAttached) : [one];
  if (asked.length === 0) return refused((await list(attached)).text);
  const lines = await Promise.all(asked.map(async (server) => {
    if (what === "tools") return toolLines(attached, server);
    return what === "resources" ? await resourceLines(server) : await promptLines(server);
  }));
  const others = name === undefined
    ? servers.all.filter(({ state }) => state.kind !== "ready" && state.kind !== "off")
    : [];
  const text = [...lines.flat(), ...others.flatMap(rowsOf)].join("\n");
  return others.some(isBroken) ? refused(text) : done(text);
}

function toolLines(attached: Attached, server: Server): readonly string[] {
  const rows = attached.tools.filter((tool) => tool.server === server).map(({ named, remote }) => {
    const [about = ""] = remote.description.split("\n");
    return `  ${named.name}  ${visible(about, { oneLine: true })}`;
  });
  return [
    `${visible(server.entry.name, { oneLine: true })}:`,
    ...(rows.length === 0 ? ["  no tools"] : rows),
  ];
}

async function promptLines(server: Server): Promise<readonly string[]> {
  const name = visible(server.entry.name, { oneLine: true });
  try {
    const prompts = await server.prompts();
    const rows = prompts.map((prompt) => {
      const takes = (prompt.arguments ?? []).map((argument) =>
        argument.required === true ? `${argument.name}=…` : `[${argument.name}=…]`
      );
      const line = [prompt.name, ...takes].join(" ");
      return visible(`  ${line}  ${prompt.description ?? ""}`, { oneLine: true });
    });
    return [`${name}:`, ...(rows.length === 0 ? ["  no prompts"] : rows)];
  } catch (error) {
    return [`${name}: ${describe(error)}`];
  }
}

async function prompt(
  attached: Attached,
  { server: name, name: wanted, args }: Extract<McpRequest, { do: "prompt" }>,
): Promise<CommandResult> {
  await attached.settled();
  const server = attached.servers.find(name);
  if (server?.isAttached !== true) return refused(notThere(name, attached.servers));
  try {
    const text = promptText(await server.prompt(wanted, { ...args }));
    return done("", { say: text });
  } catch (error) {
    return refused(`${describe(error)}\n${(await promptLines(server)).join("\n")}`);
  }
}
