/** The person's own mcp.json, changed by a command. */
import { isObject } from "@/lib/json.ts";
import { type JsonShape, updateJsonFile } from "@/lib/json_file.ts";
import { type CommandResult, done, refused } from "@/terminal/commands/spec.ts";

type OwnFile = Record<string, unknown>;

const shape: JsonShape<OwnFile> = {
  read: (value) => {
    if (!isObject(value)) throw new Error("it is no object");
    return value;
  },
  empty: () => ({}),
};

/** Declare a server. One of that name is replaced only by being removed first. */
export async function addServer(
  file: string,
  { name, words }: { name: string; words: readonly string[] },
): Promise<CommandResult> {
  const [command = "", ...args] = words;
  const isAddress = /^https?:\/\//i.test(command);
  if (isAddress && args.length > 0) {
    return refused(
      "An address stands alone; its headers are written into the file, as ${VARIABLE}",
    );
  }
  const entry = isAddress
    ? { type: "http", url: command }
    : { command, ...(args.length === 0 ? {} : { args }) };
  let isThere = false;
  await update(file, (servers) => {
    isThere = Object.hasOwn(servers, name);
    return isThere ? undefined : { ...servers, [name]: entry };
  });
  return isThere
    ? refused(`A server named "${name}" is in ${file} already; /mcp remove ${name} takes it out`)
    : done(`Declared ${name} in ${file}; /mcp reload connects it`);
}

/** Take one out. */
export async function removeServer(file: string, name: string): Promise<CommandResult> {
  let isThere = false;
  await update(file, (servers) => {
    isThere = Object.hasOwn(servers, name);
    if (!isThere) return undefined;
    return Object.fromEntries(Object.entries(servers).filter(([key]) => key !== name));
  });
  return isThere
    ? done(`Removed ${name} from ${file}; /mcp reload ends it`)
    : refused(`No server named "${name}" is in ${file}`);
}

async function update(
  file: string,
  change: (servers: Record<string, unknown>) => Record<string, unknown> | undefined,
): Promise<void> {
  await updateJsonFile(file, {
    ...shape,
    private: true,
    what: "your MCP servers",
    change: (current) => {
      const key = isObject(current.mcpServers) || !isObject(current.servers)
        ? "mcpServers"
        : "servers";
      const servers = isObject(current[key]) ? current[key] : {};
      const next = change(servers);
      return next === undefined ? undefined : { ...current, [key]: next };
    },
  });
}
