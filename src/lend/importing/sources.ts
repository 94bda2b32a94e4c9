/** The files of other harnesses that are looked at, each read with a bound and only where it really lies where it should. */
import { readBounded } from "@/lib/bounded_file.ts";
import { isObject } from "@/lib/json.ts";
import { parsedJsonc } from "@/lib/jsonc.ts";
import { join } from "@/lib/path.ts";
import { isWithin } from "@/lib/path_within.ts";
import { parsedToml } from "@/lib/toml.ts";
import { PersonError } from "@/protocol/error.ts";

/** Whose word a file is; a project's goes into files of the project, where it waits for trust. */
export type Whose = "person" | "project";

/** What a file may hold. */
export type Holds =
  | "claude"
  | "claude-state"
  | "codex"
  | "hooks"
  | "opencode"
  | "servers"
  | "gemini"
  | "text";

/** `from` is how it is named to the person. */
export type Source = { whose: Whose; from: string; path: string; root: string; holds: Holds };

const PERSON: readonly (readonly [string, Holds])[] = [
  [".claude/settings.json", "claude"],
  [".claude.json", "claude-state"],
  [".codex/config.toml", "codex"],
  [".codex/hooks.json", "hooks"],
  [".config/opencode/opencode.json", "opencode"],
  [".config/opencode/opencode.jsonc", "opencode"],
  [".cursor/mcp.json", "servers"],
  [".gemini/settings.json", "gemini"],
  [".claude/CLAUDE.md", "text"],
  [".codex/AGENTS.md", "text"],
  [".gemini/GEMINI.md", "text"],
  [".config/opencode/AGENTS.md", "text"],
];
const PROJECT: readonly (readonly [string, Holds])[] = [
  [".claude/settings.json", "claude"],
  [".claude/settings.local.json", "claude"],
  [".codex/config.toml", "codex"],
  [".codex/hooks.json", "hooks"],
  ["opencode.json", "opencode"],
  ["opencode.jsonc", "opencode"],
  [".vscode/mcp.json", "servers"],
  [".cursor/mcp.json", "servers"],
  [".gemini/settings.json", "gemini"],
];
/** Instructions that harness does not read by itself. */
export const OTHER_INSTRUCTIONS: readonly string[] = [
  ".cursor/rules",
  ".cursorrules",
  ".clinerules",
  ".windsurfrules",
  ".github/copilot-instructions.md",
];

/** All of them, there or not. Where the home is the workspace, a file is the person's. */
export function sourcesOf(
  { home, workspace }: { home: string | undefined; workspace: string },
): readonly Source[] {
  const of = (whose: Whose, root: string, table: typeof PERSON) =>
    table.map(([name, holds]): Source => ({
      whose,
      root,
      holds,
      path: join(root, name),
      from: whose === "person" ? `~/${name}` : name,
    }));
  return [
    ...(home === undefined ? [] : of("person", home, PERSON)),
    ...(home === workspace ? [] : of("project", workspace, PROJECT)),
  ];
}

const BYTES_MAX = 4 * 1024 * 1024;

/** What a file says: text, or what it means; or why it is skipped. */
export type Read =
  | { kind: "absent" }
  | { kind: "skipped"; why: string }
  | { kind: "text"; text: string }
  | { kind: "object"; value: Record<string, unknown> };

/** Read one. Never throws for what stands there. */
export async function readSource({ path, root, holds, from }: Source): Promise<Read> {
  const file = await readBounded(path, BYTES_MAX);
  if (file.kind === "absent") return file;
  if (file.kind === "refused") return { kind: "skipped", why: file.cause };
  const [real, home] = await Promise.all([Deno.realPath(path), Deno.realPath(root)]);
  if (!isWithin(real, home)) {
    return { kind: "skipped", why: `it is a link out of ${root}, to ${real}` };
  }
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(file.bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return { kind: "skipped", why: "it is not UTF-8 text" };
  }
  if (holds === "text") return { kind: "text", text };
  try {
    const value = holds === "codex" ? parsedToml(text, from) : parsedJsonc(text);
    if (isObject(value)) return { kind: "object", value };
    return { kind: "skipped", why: "it is not JSON with an object" };
  } catch (error) {
    if (!(error instanceof PersonError)) throw error;
    return { kind: "skipped", why: error.message };
  }
}
