/**
 * Every setting, declared once: default, type, and what it does with its unit. The `/set` list, the type check, the
 * settings file and the README table are derived from it. Names of the simple-harness README are kept.
 */
import type * as zod from "zod";
import { BINDABLE, keyBinding } from "./key_binding.ts";
import { SECRET_RULE } from "@/lib/secret_rule.ts";
import { stageModel, STAGES } from "@/lib/stages.ts";
import { priceEntry } from "./price_entry.ts";
import { COLOURS, PAINTED, paletteEntry } from "@/settings/palette.ts";

/** What schemas are made of. Not all of zod: who is handed that brings its fifty languages into the built program. */
export type SchemaWords = Pick<
  typeof zod,
  "array" | "boolean" | "enum" | "int" | "number" | "string"
>;

/** One setting. Its schema is made where a value is read: with zod loaded for the defaults a start takes half as long again. */
export type Setting<T> = {
  readonly byDefault: T;
  /** What it does, in a sentence, with the unit of a quantity. */
  readonly about: string;
  schema(z: SchemaWords): zod.ZodType<T>;
};

function setting<T>(byDefault: NoInfer<T>, schema: Setting<T>["schema"]) {
  return { describe: (about: string): Setting<T> => ({ byDefault, about, schema }) };
}

const onOff = (byDefault: boolean) => setting(byDefault, (z) => z.boolean());
const whole = (byDefault: number) => setting(byDefault, (z) => z.int().min(0));
/** A duration that may be a fraction of a second. */
const seconds = (byDefault: number) => setting(byDefault, (z) => z.number().min(0));

const modelSettings = {
  MODEL: setting("gemma4:e4b", (z) => z.string().min(1))
    .describe("Ollama model used until /connect or -m says otherwise"),
  NUM_CTX: whole(65_536)
    .describe("Context window asked of Ollama, in tokens"),
  NUM_PREDICT: whole(6_144)
    .describe("Cap on what an Ollama model may write in one reply, in tokens"),
  MAX_OUTPUT_TOKENS: whole(32_000)
    .describe("Cap on what a hosted model may write in one reply, thinking included, in tokens"),
  NATIVE_TOOLS: onOff(true)
    .describe("Use the model's own tool calls where it has them; off forces the text protocol"),
  TEXT_CALLS_FROM_NATIVE: onOff(true)
    .describe("Run a certain call that a native-protocol model wrote as text"),
  FIRST_TOKEN_TIMEOUT: seconds(600)
    .describe("Silence before the first token that breaks a request off, in seconds"),
  STREAM_IDLE_TIMEOUT: seconds(120)
    .describe("Silence between tokens that breaks a request off, in seconds"),
  THINKING: setting("", (z) => z.enum(["", "off", "adaptive"]))
    .describe("Thinking asked of a hosted model: off, adaptive, or empty for its own default"),
  EFFORT: setting("", (z) => z.enum(["", "low", "medium", "high", "max"]))
    .describe("Effort asked of a hosted model; empty for its own default"),
  CACHE_LIFETIME: setting("5m", (z) => z.enum(["5m", "1h"]))
    .describe("How long Anthropic keeps the cached prefix; writing costs more for 1h"),
  PRICES: setting(
    [],
    (z) => z.array(z.string().refine((entry) => priceEntry(entry) !== undefined)).readonly(),
  )
    .describe(
      "Prices of models that are not in the table, or other ones, in dollars per million tokens of input, output, cache reads and cache writes: openai/my-model=1/4/0.1/1",
    ),
  BUDGET_SESSION: setting(0, (z) => z.number().min(0))
    .describe("What a session may cost before you are asked, in US dollars; 0 for no limit"),
  BUDGET_DAY: setting(0, (z) => z.number().min(0))
    .describe(
      "What all sessions of a day may cost before you are asked, in US dollars; 0 for no limit",
    ),
  DEBUG_LOG: onOff(false)
    .describe("Note in debug.log of the state directory which words of a server are not known"),
  SHOW_THINKING: onOff(false)
    .describe("Show a reasoning model's thinking"),
  STORE_THINKING: onOff(false)
    .describe(
      "Keep the thinking in the conversation too, for the model that thought it; expensive on a local model",
    ),
};

const turnSettings = {
  MAX_TOOL_CALLS: whole(10)
    .describe(
      "Tool calls in a turn, or in a stage of /deepthink, before asking whether to go on; 0 for no limit",
    ),
  HEADLESS_MAX_TOOL_CALLS: whole(200)
    .describe("Tool calls in a turn that end a run without a terminal; 0 for no limit"),
  AUTO_ALLOW: onOff(false)
    .describe("Start with /automode on"),
  PLANMODE: onOff(false)
    .describe("Start with /planmode on"),
  PERMISSIONS_ENABLED: onOff(true)
    .describe("Consult permission rules; off asks about everything"),
  MENTION_MAX_CHARS: whole(40_000)
    .describe("What one @path may add to a message, in characters"),
  FILE_MAX_DISPLAY_LENGTH: whole(1_000)
    .describe("What of a file is shown while RETURN_ALL_FILE_CONTENT is off, in characters"),
  RETURN_ALL_FILE_CONTENT: onOff(true)
    .describe("Show files whole; /fullcontent"),
  DEEPTHINK: onOff(false)
    .describe("Start with the six-stage chain on"),
  DEEPTHINK_MAX_PASSES: whole(3)
    .describe("Times the chain may run before its result stands"),
  DEEPTHINK_MODELS: setting(
    [],
    (z) => z.array(z.string().refine((entry) => stageModel(entry) !== undefined)).readonly(),
  )
    .describe(
      `Other models for single stages, as STAGE=PROVIDER/MODEL; stages: ${STAGES.join(", ")}`,
    ),
  SUBAGENT_MAX_TURNS: whole(12)
    .describe("Turns a sub-agent gets before it must report"),
  SUBAGENTS_AT_ONCE: whole(3)
    .describe("Sub-agents that work side by side; the others wait"),
  SUBAGENT_MAX_DEPTH: whole(1)
    .describe("Depth to which sub-agents may hire; 1 means that they cannot hire"),
};

const checkSettings = {
  AUTO_VERIFY: onOff(true)
    .describe("Run the project's own check after a turn that changed a file"),
  VERIFY_TIMEOUT: whole(90)
    .describe("Time one check gets before it is stopped and turned off, in seconds"),
  VERIFY_OUTPUT_CHARS: whole(2_000)
    .describe("What the model is shown of a failing check's end, in characters"),
  TDD_VERIFY_FAILURES: whole(6)
    .describe("Equal failures of the check before a /tdd turn gives up"),
  GIT_AUTO_COMMIT: onOff(true)
    .describe("Make a commit of each edit"),
  UNDO_REQUIRED: onOff(true)
    .describe("Refuse an edit that cannot be recorded for /undo"),
  UNDO_KEEP_DAYS: whole(30)
    .describe("Age at which the bytes of an edit may be removed, in days"),
  UNDO_WORKSPACE_MB: whole(500)
    .describe("Bytes kept for /undo of one workspace, in MB"),
  UNDO_TOTAL_MB: whole(2_000)
    .describe("Bytes kept for /undo of all workspaces together, in MB"),
  UNDO_FILE_MB: whole(50)
    .describe("Largest file that is kept for /undo, in MB"),
};

const sessionSettings = {
  SAVE_CHAT_HISTORY: onOff(true)
    .describe("Write session files at all"),
  AUTO_TITLE: onOff(true)
    .describe("Let the model name each new session"),
  SESSION_TITLE_MAX_LEN: whole(60)
    .describe("Longest title, in characters"),
  SESSION_SLUG_MAX_LEN: whole(48)
    .describe("Longest session id made of a title, in characters"),
  CHANNEL_ENABLED: onOff(true)
    .describe("Join the board that harnesses in one project share"),
  CHANNEL_CLAIMS: onOff(true)
    .describe("Refuse an edit to a file that another agent is holding"),
  CHANNEL_CLAIM_TTL: whole(1_800)
    .describe("How long a claim of claim_files lasts, in seconds"),
  CHANNEL_WRITE_TTL: whole(300)
    .describe("How long a claim taken by writing a file lasts, in seconds"),
  CHANNEL_STALE: whole(120)
    .describe("Age of the last sign of life past which an agent counts as gone, in seconds"),
  CHANNEL_POLL_SECONDS: seconds(2)
    .describe("How often an idle prompt looks for a new message, in seconds; at least 0.5"),
};

const commandSettings = {
  CMD_TIMEOUT: whole(120)
    .describe("Time before a runaway command is stopped, in seconds"),
  CMD_WAIT_TIMEOUT: whole(8)
    .describe('Silence before a command is called "probably waiting", in seconds'),
  CMD_IDLE_TIMEOUT: seconds(0.6)
    .describe("Silence before a command is looked at, in seconds"),
  CMD_IDLE_GRACE: seconds(2.5)
    .describe("Silence of an idle command where nothing better can be asked, in seconds"),
  CMD_OUTPUT_CHARS: whole(6_000)
    .describe("What one command may print into a result, in characters; the middle is dropped"),
  CMD_MAX_SESSIONS: whole(3)
    .describe("Commands kept alive at once"),
  CMD_SESSION_LIFETIME: whole(900)
    .describe("Age at which a waiting command is ended, in seconds"),
  SANDBOX_ALLOW: onOff(true)
    .describe("Run commands unasked inside a sandbox that was proven; off asks about each"),
  SANDBOX_VISIBLE: setting([], (z) => z.array(z.string().min(1)).readonly())
    .describe(
      "Further paths that commands in the sandbox may read, such as a dataset in your home",
    ),
  SANDBOX_PROCESSES: whole(4_000)
    .describe("Processes and threads of one command in the sandbox; 0 for no limit"),
  SANDBOX_FILE_MB: whole(10_000)
    .describe("Largest file that a command in the sandbox may write, in MB; 0 for no limit"),
  NETWORK_ALLOW: setting([], (z) => z.array(z.string().min(1)).readonly())
    .describe(
      "Hosts that commands in the sandbox may reach: HOST, *.DOMAIN, or HOST:PORT; /network",
    ),
  API_SECRETS: setting([], (z) => z.array(z.string().regex(SECRET_RULE)).readonly())
    .describe(
      "Environment variables that call_api may send as ${NAME}, each to one host: NAME@HOST, or NAME@HOST:PORT",
    ),
  VM_TIMEOUT: whole(20)
    .describe("Time a run_python snippet gets before the VM is restarted, in seconds"),
  VM_OUTPUT_CHARS: whole(4_000)
    .describe("What one snippet may print into a result, in characters; the middle is dropped"),
  VM_MEMORY_MB: whole(512)
    .describe("Address space of the VM (Linux), in MB; 0 for no limit"),
  VM_FILE_MB: whole(64)
    .describe("Largest file that the VM may write (not on Windows), in MB; 0 for no limit"),
};

const mcpSettings = {
  MCP_ENABLED: onOff(true)
    .describe("Attach MCP servers on start"),
  MCP_LAZY_TOOLS: onOff(true)
    .describe("Announce a big MCP server by name and send its tools when asked"),
  MCP_LAZY_MIN_TOOLS: whole(6)
    .describe("Tools that a server needs before it is announced instead of described"),
  MCP_STARTUP_TIMEOUT: whole(30)
    .describe("Time a server gets to start, in seconds"),
  MCP_STARTUP_WAIT: seconds(2)
    .describe("What the first request of a run without a terminal waits for servers, in seconds"),
  MCP_CALL_TIMEOUT: whole(120)
    .describe("Time one call of a server's tool gets, in seconds"),
  MCP_HTTP_TIMEOUT: whole(60)
    .describe("Time one HTTP exchange with a server gets, in seconds"),
  MCP_RESULT_CHARS: whole(8_000)
    .describe("What one call may return into a result, in characters"),
  MCP_MAX_TOOLS_PER_SERVER: whole(40)
    .describe("Tools taken from one server"),
  MCP_TRUSTED_SERVERS: setting([], (z) => z.array(z.string().min(1)).readonly())
    .describe("Servers whose tools run unasked, by name"),
  MCP_AUTO_APPROVE_READONLY: onOff(false)
    .describe("Run unasked what a server says only reads"),
};

const searchSettings = {
  SEARXNG_URL: setting("", (z) => z.string().regex(/^(https?:\/\/[^/\s]+\S*)?$/i))
    .describe("Own SearXNG instance, preferred over the public sources; empty for none"),
  SEARCH_MAX_RESULTS: whole(5)
    .describe("Results that a search returns"),
  SEARCH_CANDIDATES: whole(10)
    .describe("Candidates taken from one source"),
  SEARCH_FETCH_PAGES: whole(8)
    .describe("Pages read for one search"),
  SEARCH_PAGE_CHARS: whole(60_000)
    .describe("What is read of one page, in characters"),
  SEARCH_PASSAGE_CHARS: whole(900)
    .describe("Longest passage, in characters"),
  SEARCH_RESULT_CHARS: whole(6_000)
    .describe("What one search may return into a result, in characters"),
  SEARCH_SOURCE_TIMEOUT: whole(12)
    .describe("Time one source gets, in seconds"),
  SEARCH_FETCH_TIMEOUT: whole(10)
    .describe("Time one page gets, in seconds"),
  SEARCH_TOTAL_TIMEOUT: whole(25)
    .describe("Time a whole search gets, in seconds"),
};

const screenSettings = {
  NOTIFY: setting("bell", (z) => z.enum(["bell", "osc9", "off"]))
    .describe("How the full screen calls you when it needs you or a long turn is done"),
  PALETTE: setting(
    [],
    (z) => z.array(z.string().refine((entry) => paletteEntry(entry) !== undefined)).readonly(),
  )
    .describe(
      `Colours of the full screen that are to be others, as you=magenta,tool=blue: ${
        PAINTED.join(", ")
      } in ${Object.keys(COLOURS).join(", ")}`,
    ),
  STATUS_COMMAND: setting("", (z) => z.string())
    .describe(
      "Your own command line whose first line of output stands at the right of the full screen's status line; it is told the state as JSON on standard input and has 1 s",
    ),
  KEYS: setting(
    [],
    (z) => z.array(z.string().refine((entry) => keyBinding(entry) !== undefined)).readonly(),
  )
    .describe(
      `Keys of the full screen's input that are to be others, as viewer=ctrl+v,mode=f2,rail=none, or keybindings.json as {"viewer": "ctrl+v"}; /keys lists them all: ${
        BINDABLE.join(", ")
      }`,
    ),
};

/** The settings, in the order in which they are listed. */
export const SETTINGS = {
  ...modelSettings,
  ...turnSettings,
  ...checkSettings,
  ...sessionSettings,
  ...commandSettings,
  ...mcpSettings,
  ...searchSettings,
  ...screenSettings,
};

/** All settings as they stand. */
export type Settings = Readonly<ValuesOf<typeof SETTINGS>>;

type ValuesOf<S extends Record<string, Setting<unknown>>> = { [N in keyof S]: S[N]["byDefault"] };

/** The name of a setting. */
export type SettingName = keyof Settings;

/** What a setting can hold. */
export type SettingValue = Settings[SettingName];

/** The settings of a person who changed nothing. */
export const DEFAULT_SETTINGS: Settings = defaultsOf(SETTINGS);

function defaultsOf<S extends Record<string, Setting<unknown>>>(settings: S): ValuesOf<S>;
function defaultsOf(settings: Record<string, Setting<unknown>>): Record<string, unknown> {
  const entries = Object.entries(settings);
  return Object.fromEntries(entries.map(([name, { byDefault }]) => [name, byDefault]));
}

/** What has a command of its own and is therefore not changed as a setting: name -> what changes it. */
export const CHANGED_ELSEWHERE: Readonly<Partial<Record<SettingName, string>>> = {
  MODEL: "/model and /connect choose the model, and -m does for one run",
};

/** The limit that a setting means: 0 says that there is none. */
export function limitOf(value: number): number {
  return value === 0 ? Infinity : value;
}
