/** The programs that harness is measured beside: where npm puts them, and how each is pointed at a local model server. */
import type { ScriptedCall } from "../../tests/support/scripted_reply.ts";
import type { Wire } from "./servers.ts";

/** Where a program finds things: its own home, the workspace, the server of its wire. */
export type Around = { home: string; workspace: string; url: string };

/** One program. */
export type Peer = {
  name: string;
  wire: Wire;
  /** The npm package, and the command of it; absent for harness. */
  npm?: { package: string; bin: string };
  /** Its settings, by their paths in its home. */
  files?(around: Around): Readonly<Record<string, string>>;
  env(around: Around): Readonly<Record<string, string>>;
  /** Its arguments for one prompt without a terminal, everything allowed. */
  print(prompt: string): readonly string[];
  /** Its arguments in a terminal. */
  talk: readonly string[];
  /** A call that reads the first lines of a file, another number each time, so that it is no circle. */
  read(file: string, lines: number): ScriptedCall;
};

const KEY = "sk-local-0123456789abcdefghijklmnop";
const MODEL = "claude-opus-4-5";

const OURS: Peer = {
  name: "harness",
  wire: "anthropic",
  env: ({ home, url }) => ({
    HARNESS_HOME: `${home}/.harness`,
    HARNESS_ACCEPT_TERMS: "1",
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: KEY,
  }),
  print: (prompt) => ["-p", prompt, "-m", `anthropic/${MODEL}`],
  talk: ["-m", `anthropic/${MODEL}`],
  read: (filepath, end) => ({ name: "read_file", arguments: { filepath, start: 1, end } }),
};

const CODEX: Peer = {
  name: "Codex",
  wire: "responses",
  npm: { package: "@openai/codex", bin: "codex" },
  files: ({ workspace, url }) => ({
    ".codex/config.toml": [
      `model = "gpt-5.1-codex"`,
      `model_provider = "local"`,
      `[model_providers.local]`,
      `name = "local"`,
      `base_url = "${url}/v1"`,
      `wire_api = "responses"`,
      `env_key = "LOCAL_KEY"`,
      `[projects."${workspace}"]`,
      `trust_level = "trusted"`,
    ].join("\n"),
  }),
  env: () => ({ LOCAL_KEY: KEY }),
  print: (prompt) => [
    "exec",
    "--skip-git-repo-check",
    "--dangerously-bypass-approvals-and-sandbox",
    prompt,
  ],
  talk: [],
  read: (file, lines) => ({ name: "exec_command", arguments: { cmd: `head -n ${lines} ${file}` } }),
};

const CLAUDE_CODE: Peer = {
  name: "Claude Code",
  wire: "anthropic",
  npm: { package: "@anthropic-ai/claude-code", bin: "claude" },
  files: ({ workspace }) => ({
    ".claude.json": JSON.stringify({
      hasCompletedOnboarding: true,
      customApiKeyResponses: { approved: [KEY.slice(-20)], rejected: [] },
      projects: { [workspace]: { hasTrustDialogAccepted: true } },
    }),
  }),
  env: ({ url }) => ({
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: KEY,
    ANTHROPIC_MODEL: MODEL,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  }),
  print: (prompt) => ["-p", prompt],
  talk: [],
  read: (file, limit) => ({ name: "Read", arguments: { file_path: file, offset: 1, limit } }),
};

const PI: Peer = {
  name: "pi",
  wire: "chat",
  npm: { package: "@mariozechner/pi-coding-agent", bin: "pi" },
  files: ({ url }) => ({
    ".pi/agent/models.json": JSON.stringify({
      providers: {
        local: {
          baseUrl: `${url}/v1`,
          api: "openai-completions",
          apiKey: KEY,
          models: [{ id: "m" }],
        },
      },
    }),
  }),
  env: () => ({ PI_OFFLINE: "1" }),
  print: (prompt) => ["--model", "local/m", "-p", prompt],
  talk: ["--model", "local/m"],
  read: (path, limit) => ({ name: "read", arguments: { path, offset: 1, limit } }),
};

const OPENCODE: Peer = {
  name: "opencode",
  wire: "anthropic",
  npm: { package: "opencode-ai", bin: "opencode" },
  files: ({ url }) => ({
    ".config/opencode/opencode.json": JSON.stringify({
      model: `anthropic/${MODEL}`,
      small_model: `anthropic/${MODEL}`,
      autoupdate: false,
      share: "disabled",
      provider: { anthropic: { options: { baseURL: `${url}/v1`, apiKey: KEY } } },
    }),
  }),
  env: () => ({ OPENCODE_DISABLE_AUTOUPDATE: "1" }),
  print: (prompt) => ["run", "--auto", "-m", `anthropic/${MODEL}`, prompt],
  talk: [],
  read: (filePath, limit) => ({ name: "read", arguments: { filePath, offset: 1, limit } }),
};

const GEMINI: Peer = {
  name: "Gemini CLI",
  wire: "gemini",
  npm: { package: "@google/gemini-cli", bin: "gemini" },
  files: () => ({
    ".gemini/settings.json": JSON.stringify({
      security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } },
      general: { enableAutoUpdate: false },
      privacy: { usageStatisticsEnabled: false },
    }),
  }),
  env: ({ url }) => ({ GEMINI_API_KEY: KEY, GOOGLE_GEMINI_BASE_URL: url }),
  print: (prompt) => ["-m", "gemini-2.5-pro", "--approval-mode", "yolo", "-p", prompt],
  talk: ["-m", "gemini-2.5-pro"],
  read: (file, lines) => ({
    name: "read_file",
    arguments: { file_path: file, start_line: 1, end_line: lines },
  }),
};

/** harness first. */
export const PEERS: readonly Peer[] = [OURS, CODEX, CLAUDE_CODE, PI, OPENCODE, GEMINI];
