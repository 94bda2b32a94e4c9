/** What an import would write, and what of it cannot be taken over: everything that is shown before anything is written. */
import { isObject } from "@/lib/json.ts";
import { HOOK_EVENTS } from "@/hooks/event.ts";
import type { Verdict } from "@/policy/rule.ts";
import type { GrantRule } from "@/protocol/policy.ts";
import { claudeRule, geminiRule, opencodeRules, type Translated } from "./rules.ts";
import { serverEntry } from "./servers.ts";
import { type Read, readSource, type Source, sourcesOf, type Whose } from "./sources.ts";

/** One thing to be written, `said` as it stands where it comes from. */
export type Change =
  & { whose: Whose; from: string; said: string }
  & (
    | { kind: "rules"; verdict: Verdict; rules: readonly GrantRule[] }
    | { kind: "server"; name: string; entry: Record<string, unknown> }
    | { kind: "hook"; event: string; group: Record<string, unknown> }
    | { kind: "instructions"; text: string }
  );

/** `left`: what is not taken, a sentence each; `looked`: the files that were there. */
export type ImportPlan = {
  changes: readonly Change[];
  left: readonly string[];
  looked: readonly string[];
};

const VERDICTS: readonly Verdict[] = ["deny", "ask", "allow"];

/** Collects while files are read. */
class Gathered {
  readonly changes: Change[] = [];
  readonly left: string[] = [];

  rules(
    translated: Translated,
    { source, verdict, said }: { source: Source; verdict: Verdict; said: string },
  ): void {
    if ("why" in translated) return this.leave(source, `${verdict} ${said}: ${translated.why}`);
    const { whose, from } = source;
    this.changes.push({ kind: "rules", verdict, rules: translated.rules, whose, from, said });
  }

  leave({ from }: Pick<Source, "from">, what: string): void {
    this.left.push(`${from}: ${what}`);
  }
}

/** Look at everything. Never throws for what stands in a file. */
export async function planImport(
  places: { home: string | undefined; workspace: string },
): Promise<ImportPlan> {
  const gathered = new Gathered();
  const looked: string[] = [];
  for (const source of sourcesOf(places)) {
    const read = await readSource(source);
    if (read.kind === "absent") continue;
    looked.push(source.from);
    if (read.kind === "skipped") gathered.leave(source, `it is skipped: ${read.why}`);
    else take(source, read, { gathered, workspace: places.workspace });
  }
  return { ...gathered, looked };
}

type Around = { gathered: Gathered; workspace: string };

function take(
  source: Source,
  read: Extract<Read, { kind: "text" | "object" }>,
  { gathered, workspace }: Around,
): void {
  const { whose, from } = source;
  if (read.kind === "text") {
    if (read.text.trim() === "") return;
    const said = "instructions";
    return void gathered.changes.push({ kind: "instructions", text: read.text, whose, from, said });
  }
  const { value } = read;
  switch (source.holds) {
    case "claude":
      claudePermissions(source, value.permissions, gathered);
      hooks(source, value, gathered);
      return;
    case "claude-state": {
      servers(source, value.mcpServers, gathered);
      const projects = isObject(value.projects) ? value.projects : {};
      const own = Object.hasOwn(projects, workspace) ? projects[workspace] : undefined;
      if (isObject(own) && isObject(own.mcpServers) && Object.keys(own.mcpServers).length > 0) {
        gathered.leave(source, "servers of this project alone: declare them with /mcp add");
      }
      return;
    }
    case "codex":
      servers(source, value.mcp_servers, gathered);
      for (const key of ["approval_policy", "sandbox_mode"]) {
        if (value[key] !== undefined) {
          gathered.leave(source, `"${key}" (${shown(value[key])}) is not taken`);
        }
      }
      return;
    case "hooks":
      return hooks(source, value, gathered);
    case "opencode":
      servers(source, value.mcp, gathered);
      return opencode(source, value.permission, gathered);
    case "servers":
      return servers(source, value.mcpServers ?? value.servers, gathered);
    case "gemini":
      servers(source, value.mcpServers, gathered);
      geminiTools(source, value, gathered);
      if (value.hooks === undefined) return;
      return gathered.leave(
        source,
        "hooks: they have other moments there, and times in milliseconds; declare them anew in hooks.json",
      );
    case "text":
      return;
    default:
      source.holds satisfies never;
  }
}

function claudePermissions(source: Source, permissions: unknown, gathered: Gathered): void {
  if (permissions === undefined) return;
  if (!isObject(permissions)) return gathered.leave(source, `"permissions" is no object`);
  for (const verdict of VERDICTS) {
    const list = { source, verdict, name: `permissions.${verdict}`, translate: claudeRule };
    ruleList(permissions[verdict], list, gathered);
  }
  for (const [key, value] of Object.entries(permissions)) {
    if (VERDICTS.some((verdict) => verdict === key)) continue;
    gathered.leave(source, `"permissions.${key}" (${shown(value)}) is not taken`);
  }
}

type RuleList = {
  source: Source;
  verdict: Verdict;
  /** Where it stands. */
  name: string;
  translate(said: string, verdict: Verdict): Translated;
};

function ruleList(
  list: unknown,
  { source, verdict, name, translate }: RuleList,
  gathered: Gathered,
): void {
  if (list === undefined || list === null) return;
  if (!Array.isArray(list)) return gathered.leave(source, `"${name}" is no list`);
  for (const said of list as unknown[]) {
    if (typeof said !== "string") {
      gathered.leave(source, `${verdict} ${shown(said)}: a rule is a text`);
    } else gathered.rules(translate(said, verdict), { source, verdict, said });
  }
}

/** Under "tools", or at the top as older versions wrote them. */
function geminiTools(source: Source, value: Record<string, unknown>, gathered: Gathered): void {
  const tools = isObject(value.tools) ? value.tools : {};
  const lists = [
    ["deny", "tools.exclude", tools.exclude],
    ["deny", "excludeTools", value.excludeTools],
    ["allow", "tools.allowed", tools.allowed],
    ["allow", "allowedTools", value.allowedTools],
  ] as const;
  for (const [verdict, name, list] of lists) {
    ruleList(list, { source, verdict, name, translate: geminiRule }, gathered);
  }
  for (const [name, core] of [["tools.core", tools.core], ["coreTools", value.coreTools]]) {
    if (core === undefined) continue;
    gathered.leave(source, `"${name}" is not taken: a profile says which tools there are`);
  }
}

function opencode(source: Source, permission: unknown, gathered: Gathered): void {
  if (permission === undefined) return;
  const kinds = typeof permission === "string" ? { "*": permission } : permission;
  if (!isObject(kinds)) return gathered.leave(source, `"permission" is no object`);
  for (const [kind, value] of Object.entries(kinds)) {
    const patterns = isObject(value) ? Object.entries(value) : [[undefined, value] as const];
    for (const [pattern, word] of patterns) {
      const said = `${kind}${pattern === undefined ? "" : ` ${pattern}`}`;
      const verdict = VERDICTS.find((one) => one === word);
      if (verdict === undefined) gathered.leave(source, `${said}: ${shown(word)} is no verdict`);
      else gathered.rules(opencodeRules(kind, pattern, verdict), { source, verdict, said });
    }
  }
}

function servers(source: Source, declared: unknown, gathered: Gathered): void {
  if (declared === undefined) return;
  if (!isObject(declared)) return gathered.leave(source, "its servers are no object");
  for (const [name, written] of Object.entries(declared)) {
    const made = serverEntry(written);
    if (made.kind === "none") {
      gathered.leave(source, `server ${name}: ${made.why}`);
      continue;
    }
    const { whose, from } = source;
    const { entry } = made;
    const said = `server ${name}: ${
      [entry.command ?? entry.url, entry.args ?? []].flat(2).map(String).join(" ")
    }`;
    gathered.changes.push({ kind: "server", name, entry, whose, from, said });
    if (made.left.length > 0) {
      gathered.leave(
        source,
        `server ${name}: ${made.left.map((key) => `"${key}"`).join(", ")} not taken`,
      );
    }
  }
}

function hooks(source: Source, value: Record<string, unknown>, gathered: Gathered): void {
  if (value.hooks === undefined) return;
  if (value.disableAllHooks === true) {
    return gathered.leave(source, "hooks: they are switched off there");
  }
  if (!isObject(value.hooks)) return gathered.leave(source, `"hooks" is no object`);
  for (const [event, groups] of Object.entries(value.hooks)) {
    if (!HOOK_EVENTS.some((one) => one === event)) {
      gathered.leave(source, `hooks of ${event}: harness has no such moment`);
      continue;
    }
    if (!Array.isArray(groups)) {
      gathered.leave(source, `hooks of ${event}: they are no list`);
      continue;
    }
    for (const group of groups as unknown[]) {
      if (!isObject(group) || !Array.isArray(group.hooks)) {
        gathered.leave(source, `hooks of ${event}: ${shown(group)} is no group of hooks`);
        continue;
      }
      const commands = group.hooks.map((one: unknown) => isObject(one) ? lineOf(one) : "?");
      const of = typeof group.matcher === "string" && group.matcher !== ""
        ? ` ${group.matcher}`
        : "";
      const said = `hook ${event}${of}: ${commands.join(", ")}`;
      const { whose, from } = source;
      gathered.changes.push({ kind: "hook", event, group, whose, from, said });
    }
  }
}

/** The whole of it: it is what would be run. */
function lineOf({ command, args, type }: Record<string, unknown>): string {
  return command === undefined ? `of type ${shown(type)}` : [command, args ?? []].flat().join(" ");
}

const SHOWN_CHARS = 100;

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? "nothing").slice(0, SHOWN_CHARS);
}
