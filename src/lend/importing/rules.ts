/**
 * Rules of other harnesses in our words. What allows is only ever taken over as narrow as it was or narrower, what refuses or
 * asks as wide or wider; what cannot be said so is listed.
 */
import type { GrantRule } from "@/protocol/policy.ts";
import type { Verdict } from "@/policy/rule.ts";

/** One rule in our words; or why there is none, as the end of a sentence. */
export type Translated = { rules: readonly GrantRule[] } | { why: string };

const CHANGES = ["edit_file", "write_file", "create_dir", "copy_file", "delete_file"];
/** Whatever shows a file shows what a rule lets `read_file` show; a copy could be read under another name. */
const READS = ["read_file", "list_dir", "search_in_file", "view_image", "copy_file"];
const RUNS = ["run_cmd", "run_python"];

type FileTools = { allow: readonly string[]; refuse: readonly string[] };

/** Their tools that are about files: ours that an allow of theirs means at most, and all that a refusal may mean. */
const FILES = {
  Read: { allow: ["read_file"], refuse: READS },
  Grep: { allow: ["search_in_file"], refuse: ["search_in_file"] },
  Glob: { allow: ["list_dir"], refuse: ["list_dir", "search_in_file"] },
  LS: { allow: ["list_dir"], refuse: ["list_dir"] },
  Write: { allow: ["write_file"], refuse: CHANGES },
  Edit: { allow: ["edit_file", "write_file"], refuse: CHANGES },
  MultiEdit: { allow: ["edit_file"], refuse: CHANGES },
  NotebookEdit: { allow: ["edit_file"], refuse: CHANGES },
} satisfies Readonly<Record<string, FileTools>>;
const SINGLE: Readonly<Record<string, readonly string[]>> = {
  WebSearch: ["search_web"],
  Task: ["spawn_agent"],
  Agent: ["spawn_agent"],
};

/** A rule as Claude Code writes it: `Tool` or `Tool(what)`. */
export function claudeRule(text: string, verdict: Verdict): Translated {
  const [, tool = "", , what] = /^([\w*-]+)(\(([^]*)\))?$/.exec(text.trim()) ?? [];
  if (tool === "") return { why: "it is no rule of the form Tool or Tool(what)" };
  const isWhole = what === undefined || ["", "*", ":*", "**"].includes(what.trim());
  const files: FileTools | undefined = Object.entries(FILES).find(([name]) => name === tool)?.[1];
  if (tool === "Bash") return isWhole ? runs(verdict) : command(what.trim(), verdict);
  if (files !== undefined) {
    const own = verdict === "allow" ? files.allow : files.refuse;
    return isWhole ? { rules: own } : path(what.trim(), own, verdict);
  }
  if (tool === "WebFetch") return isWhole ? web(undefined, verdict) : domain(what.trim(), verdict);
  if (Object.hasOwn(SINGLE, tool) && isWhole) return { rules: SINGLE[tool] ?? [] };
  if (/^mcp__[\w-]+$/.test(tool) && isWhole) return server(tool, verdict);
  return { why: "harness has no such tool, or no such rule about it" };
}

/** Tools of Gemini CLI, by both of their names, as Claude Code's of the same meaning. */
const OF_GEMINI: Readonly<Record<string, string>> = {
  run_shell_command: "Bash",
  ShellTool: "Bash",
  read_file: "Read",
  ReadFileTool: "Read",
  read_many_files: "Read",
  ReadManyFilesTool: "Read",
  list_directory: "LS",
  LSTool: "LS",
  glob: "Glob",
  GlobTool: "Glob",
  grep_search: "Grep",
  search_file_content: "Grep",
  GrepTool: "Grep",
  write_file: "Write",
  WriteFileTool: "Write",
  replace: "Edit",
  EditTool: "Edit",
  web_fetch: "WebFetch",
  WebFetchTool: "WebFetch",
  google_web_search: "WebSearch",
  WebSearchTool: "WebSearch",
};

/** A tool as Gemini CLI names it; what stands in parentheses is how a command begins. */
export function geminiRule(text: string, verdict: Verdict): Translated {
  const [, named = "", , start] = /^(\w+)(\(([^]*)\))?$/.exec(text.trim()) ?? [];
  const tool = Object.hasOwn(OF_GEMINI, named) ? OF_GEMINI[named] : undefined;
  if (tool === undefined || (start !== undefined && tool !== "Bash")) {
    return { why: "harness has no such tool, or no such rule about it" };
  }
  return claudeRule(start === undefined ? tool : `Bash(${start.trim()}:*)`, verdict);
}

/** Who may run no command may not run one from Python either. */
function runs(verdict: Verdict): Translated {
  return { rules: verdict === "allow" ? ["run_cmd"] : RUNS };
}

/** A command line with `*` for anything; without one it is exactly that line. */
export function command(written: string, verdict: Verdict): Translated {
  const start = written.endsWith(":*") ? written.slice(0, -2) : undefined;
  if (verdict !== "allow") {
    // A class or a single character here, and itself there: as any character it reaches at least as far.
    const pattern = start === undefined ? written : `${start}*`;
    return { rules: [`run_cmd(${pattern.replace(/[[\]]/g, "?")})`] };
  }
  if (start !== undefined && !/[*?[\]\\]/.test(start)) return { rules: [`run_cmd(${start})`] };
  if (!written.includes("*")) return { rules: [{ tool: "run_cmd", literal: written }] };
  if (/[?[\]\\]/.test(written)) return { why: "a character of it means something else here" };
  return { rules: [`run_cmd(${written})`] };
}

/** A path in the manner of .gitignore, where `*` stops at a slash; here it does not. */
function path(written: string, tools: readonly string[], verdict: Verdict): Translated {
  const place = placeOf(written);
  const each = (patterns: readonly string[]) => ({
    rules: tools.flatMap((tool) => patterns.map((pattern) => `${tool}(${pattern})`)),
  });
  if (verdict !== "allow") return each(reachOf(place));
  const whole = place.text.replace(/\/\*\*$/, "/<>").replace(/^\*\*\//, "<>/");
  if (/[*?[\]!]/.test(whole)) {
    return { why: "its wildcard stops at a slash there, and would reach further here" };
  }
  return each([whole.replaceAll("<>", "*")]);
}

type Placed = { text: string; isAnywhere: boolean };

function placeOf(written: string): Placed {
  if (written.startsWith("//")) return { text: written.slice(1), isAnywhere: false };
  if (written.startsWith("~/")) return { text: written, isAnywhere: false };
  if (/^\.?\//.test(written)) return { text: written.replace(/^\.?\//, ""), isAnywhere: false };
  return { text: written, isAnywhere: !written.replace(/\/$/, "").includes("/") };
}

/** Everything that a refusal may have meant: the place itself, what is in it, and a bare name in any folder. */
function reachOf({ text, isAnywhere }: Placed): readonly string[] {
  const glob = text.replace(/\[[^\]]*\]/g, "?").replace(/[[\]]/g, "?").replace(/\*{2,}/g, "*")
    .replace(/\/$/, "");
  const own = glob.startsWith("*/") ? [glob, glob.slice(2)] : [glob];
  const places = isAnywhere && !glob.startsWith("*") ? [...own, `*/${glob}`] : own;
  const inside = places.filter((one) => !one.endsWith("*")).map((one) => `${one}/*`);
  // "secrets/**" is about the folder as well.
  const folders = places.filter((one) => one.endsWith("/*")).map((one) => one.slice(0, -2));
  return [...new Set([...places, ...inside, ...folders])].filter((one) => one !== "");
}

function domain(written: string, verdict: Verdict): Translated {
  const [, host] = /^domain:([\w.*-]+)$/.exec(written) ?? [];
  if (host === undefined) return { why: `only "domain:HOST" is known of an address` };
  return web(host.toLowerCase(), verdict);
}

function web(host: string | undefined, verdict: Verdict): Translated {
  if (verdict === "allow") {
    return { rules: [host === undefined ? "get_url" : `get_url(https://${host}/*)`] };
  }
  const end = host === undefined ? "" : `(*://${host}*)`;
  return { rules: [`get_url${end}`, `call_api${end}`] };
}

function server(tool: string, verdict: Verdict): Translated {
  const [, name] = tool.split("__");
  const isWhole = name !== undefined && tool === `mcp__${name}`;
  if (tool.length > 64) {
    return { why: "names of more than 64 characters are shortened here, see /mcp tools" };
  }
  if (!isWhole) return { rules: [tool] };
  // Deny what the server offers in any form of its name.
  return { rules: verdict === "allow" ? [`${tool}__*`] : [tool, `${tool}__*`] };
}

/** What opencode says of a kind of call. */
export function opencodeRules(
  kind: string,
  pattern: string | undefined,
  verdict: Verdict,
): Translated {
  const isWhole = pattern === undefined || pattern === "*" || pattern === "**";
  const files = (tool: "Edit" | "Read") => {
    const own = verdict === "allow" ? FILES[tool].allow : FILES[tool].refuse;
    return isWhole ? { rules: own } : path(pattern, own, verdict);
  };
  switch (kind) {
    case "bash":
      return isWhole ? runs(verdict) : command(pattern, verdict);
    case "edit":
      return files("Edit");
    case "read":
      return files("Read");
    case "webfetch":
      return isWhole ? web(undefined, verdict) : { why: "addresses are not known of it" };
    case "websearch":
      return { rules: ["search_web"] };
    case "task":
      return isWhole ? { rules: ["spawn_agent"] } : { why: "there is one kind of sub-agent here" };
    default:
      return { why: "harness has no such kind of call" };
  }
}
