/** The servers that are declared: `.mcp.json` of the project, then the person's own file. The first entry of a name counts. */
import * as z from "zod";
import { isObject } from "@/lib/json.ts";
import { parsedJsonc } from "@/lib/jsonc.ts";
import { expand, missingText } from "./expand.ts";

/** Whose word an entry is; "client": of an editor that drives us, whoever told it. */
export type Origin = "project" | "person" | "client";

/** A file that declares servers. */
export type ServerFile = { label: string; origin: Origin; text: string };

/** How a server is reached. */
export type ServerStart =
  | {
    kind: "stdio";
    command: string;
    args: readonly string[];
    /** Set on top of what every command is given. */
    env: Readonly<Record<string, string>>;
    cwd?: string;
    /** Directories that it may change, as written; "." is the workspace. */
    writes: readonly string[];
    /** Directories that it may read although the sandbox hides them, as written. */
    reads: readonly string[];
    /** Whether the person lets it run outside the sandbox. */
    isOutside: boolean;
  }
  | {
    kind: "http" | "sse";
    url: string;
    headers: Readonly<Record<string, string>>;
    /** Whether the entry says the kind; a guess may turn out to be the older one. */
    isStated: boolean;
    /** What its sign-in knows harness as, where that was arranged beforehand. */
    oauth?: ArrangedClient;
  };

/** A client that was registered with the sign-in of a server by hand, with the port that its redirect leads to. */
export type ArrangedClient = { clientId: string; clientSecret?: string; callbackPort?: number };

/** One declared server. */
export type ServerEntry = {
  /** As it was written. */
  name: string;
  origin: Origin;
  /** The file that it comes from. */
  label: string;
  /** Absent where the entry is of no use: `problem` says why. */
  start?: ServerStart;
  problem?: string;
  isDisabled: boolean;
  /** What one call gets, in seconds. */
  timeoutS?: number;
  /** Tools that run unasked, by the server's own names; "*" is all of them. */
  autoApprove: readonly string[];
  /** Whether all of its tools run unasked, and what it says of them is believed. */
  isTrusted: boolean;
  /** The only tools that are taken; absent for all. */
  onlyTools?: readonly string[];
  /** Tools that are not taken. */
  withoutTools: readonly string[];
};

/** What the files declare, and what is wrong with the files themselves. */
export type Declared = { servers: readonly ServerEntry[]; problems: readonly string[] };

/** The name of the variable that stands for the workspace, as other programs write it. */
const WORKSPACE_NAMES = ["workspaceFolder", "CLAUDE_PROJECT_DIR"];

const names = z.array(z.string());
const texts = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean()]).transform(String),
);

const arranged = z.looseObject({
  clientId: z.string().min(1).optional(),
  clientSecret: z.string().min(1).optional(),
  callbackPort: z.int().min(1).max(65_535).optional(),
});

/** What an entry may say, in the words of the programs that share these files. Unknown keys are somebody else's. */
const entrySchema = z.looseObject({
  command: z.union([z.string(), z.array(z.string()).min(1)]).optional(),
  args: z.array(z.union([z.string(), z.number()]).transform(String)).optional(),
  env: texts.optional(),
  cwd: z.string().optional(),
  url: z.string().optional(),
  httpUrl: z.string().optional(),
  serverUrl: z.string().optional(),
  headers: texts.optional(),
  // Others switch their sign-in on or off here.
  oauth: z.union([arranged, z.boolean()]).optional(),
  type: z.string().optional(),
  transport: z.string().optional(),
  disabled: z.boolean().optional(),
  enabled: z.boolean().optional(),
  timeout: z.number().positive().optional(),
  autoApprove: names.optional(),
  alwaysAllow: names.optional(),
  trust: z.boolean().optional(),
  enabledTools: names.optional(),
  includeTools: names.optional(),
  disabledTools: names.optional(),
  excludeTools: names.optional(),
  sandbox: z.boolean().optional(),
  writes: names.optional(),
  reads: names.optional(),
});
/** The keys of an entry. */
export const SERVER_KEYS: readonly string[] = Object.keys(entrySchema.shape);
type Written = z.infer<typeof entrySchema>;

const KINDS: Readonly<Record<string, ServerStart["kind"]>> = {
  stdio: "stdio",
  local: "stdio",
  process: "stdio",
  http: "http",
  "streamable-http": "http",
  streamablehttp: "http",
  streamable: "http",
  remote: "http",
  sse: "sse",
};

/** Read all files, in the order of their right. Never throws for what they say. */
export function readServers(
  files: readonly ServerFile[],
  { env, workspace }: { env: Readonly<Record<string, string>>; workspace: string },
): Declared {
  const servers = new Map<string, ServerEntry>();
  const problems: string[] = [];
  const variables = {
    ...env,
    ...Object.fromEntries(WORKSPACE_NAMES.map((name) => [name, workspace])),
  };
  for (const file of files) {
    const declared = declaredIn(file.text);
    if (declared === undefined) {
      problems.push(
        `No server of ${file.label} is started: it is not JSON with "mcpServers" in it`,
      );
      continue;
    }
    for (const [name, entry] of Object.entries(declared)) {
      if (!servers.has(name)) servers.set(name, readEntry(name, entry, { file, variables }));
    }
  }
  return { servers: [...servers.values()], problems };
}

/** The entries of a file by name; undefined where there are none to be read. */
export function declaredIn(text: string): Record<string, unknown> | undefined {
  const json = parsedJsonc(text);
  if (!isObject(json)) return undefined;
  const servers = json.mcpServers ?? json.servers ?? {};
  return isObject(servers) ? servers : undefined;
}

type Around = { file: ServerFile; variables: Readonly<Record<string, string>> };

function readEntry(name: string, entry: unknown, { file, variables }: Around): ServerEntry {
  const { origin, label } = file;
  const known = { name, origin, label };
  const missing: string[] = [];
  // An editor has put in what it meant; what is left is no variable of ours.
  const meant = origin === "client" ? entry : expanded(entry, variables, missing);
  const read = entrySchema.safeParse(meant);
  if (!read.success) {
    const [issue] = read.error.issues;
    const where = issue?.path.join(".") ?? "";
    const problem = `its entry is not understood (${
      where === "" ? "" : `${where}: `
    }${issue?.message})`;
    return {
      ...known,
      isDisabled: false,
      autoApprove: [],
      isTrusted: false,
      withoutTools: [],
      problem,
    };
  }
  const written = read.data;
  const only = written.enabledTools ?? written.includeTools;
  const common = {
    ...known,
    isDisabled: written.disabled === true || written.enabled === false,
    ...(written.timeout === undefined ? {} : { timeoutS: written.timeout }),
    autoApprove: written.autoApprove ?? written.alwaysAllow ?? [],
    isTrusted: written.trust === true,
    ...(only === undefined ? {} : { onlyTools: only }),
    withoutTools: written.disabledTools ?? written.excludeTools ?? [],
  };
  if (missing.length > 0) return { ...common, problem: missingText(missing) };
  const start = startOf(written, origin);
  return typeof start === "string" ? { ...common, problem: start } : { ...common, start };
}

/** How it is reached, or why that cannot be told. */
function startOf(written: Written, origin: Origin): ServerStart | string {
  const [program, ...before] = [written.command ?? []].flat();
  const url = written.url ?? written.httpUrl ?? written.serverUrl;
  const stated = (written.type ?? written.transport)?.toLowerCase();
  const kind = stated === undefined
    ? program === undefined ? "http" : "stdio"
    : Object.hasOwn(KINDS, stated)
    ? KINDS[stated]
    : undefined;
  if (kind === undefined) {
    return `its type "${stated}" is not known; the types are stdio, http and sse`;
  }
  if (kind === "stdio") {
    if (program === undefined || program === "") return "it has no command";
    return {
      kind,
      command: program,
      args: [...before, ...written.args ?? []],
      env: written.env ?? {},
      ...(written.cwd === undefined ? {} : { cwd: written.cwd }),
      writes: written.writes ?? [],
      reads: written.reads ?? [],
      // A project cannot take its servers out of the sandbox, whoever trusts it.
      isOutside: origin === "person" && written.sandbox === false,
    };
  }
  if (url === undefined) return "it has neither a command nor a url";
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? "")) {
    return "its url is no http: or https: address";
  }
  const isStated = stated !== undefined;
  return { kind, url, headers: written.headers ?? {}, isStated, ...clientOf(written) };
}

function clientOf({ oauth }: Written): { oauth?: ArrangedClient } {
  if (oauth === undefined || typeof oauth === "boolean" || oauth.clientId === undefined) return {};
  const { clientId, clientSecret, callbackPort } = oauth;
  return {
    oauth: {
      clientId,
      ...(clientSecret === undefined ? {} : { clientSecret }),
      ...(callbackPort === undefined ? {} : { callbackPort }),
    },
  };
}

/** All texts of an entry with their variables replaced; names that are not set are added to `missing`. */
function expanded(
  value: unknown,
  variables: Readonly<Record<string, string>>,
  missing: string[],
): unknown {
  if (typeof value === "string") {
    const result = expand(value, variables);
    missing.push(...result.missing);
    return result.value;
  }
  if (Array.isArray(value)) return value.map((item) => expanded(item, variables, missing));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, expanded(item, variables, missing)]),
  );
}
