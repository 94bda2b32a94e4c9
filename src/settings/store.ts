/**
 * The settings in force, and the file that keeps what a person changed. Flags go before the file, the file before the
 * defaults. Only deviations are saved, so that a default that improves reaches everybody who never changed it.
 */
import type { KeyFile } from "./key_file.ts";
import { PersonError } from "@/protocol/error.ts";
import { readBounded } from "@/lib/bounded_file.ts";
import { fileErrorReason } from "@/lib/file_error.ts";
import { firstFew } from "@/lib/first_few.ts";
import { readJsonFile, updateJsonFile } from "@/lib/json_file.ts";
import {
  findSetting,
  formatSetting,
  isSameValue,
  isSettingName,
  settingNames,
} from "@/settings/names.ts";
import {
  CHANGED_ELSEWHERE,
  DEFAULT_SETTINGS,
  type SettingName,
  SETTINGS,
  type Settings,
  type SettingValue,
} from "@/settings/settings.ts";

const KEY_FILE_BYTES_MAX = 64 * 1024;

/** Where a value comes from: `session` is a switch like /automode, for this session only. */
export type SettingOrigin = "default" | "file" | "flag" | "session";

/** One line of `/set`: values as a person would type them. */
export type SettingRow = {
  name: SettingName;
  value: string;
  byDefault: string;
  origin: SettingOrigin;
  isChanged: boolean;
  description: string;
};

/** What a change did. */
export type SettingChange = {
  name: SettingName;
  before: SettingValue;
  value: SettingValue;
  /** What the person should know besides: a damaged file that was set aside. */
  notices: readonly string[];
};

type Entries = Readonly<Record<string, unknown>>;
type Held = { value: SettingValue; origin: SettingOrigin };

/** How a settings file is understood: names and values; what is not known is kept for the version that knows it. */
const SHAPE = {
  read(value: unknown): Entries {
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
    throw new Error("it does not hold names with values");
  },
  empty: (): Entries => ({}),
};

/**
 * Reads the settings file and puts the flags over it: `overrides` holds NAME -> the text of `--set NAME=TEXT`.
 * A file that cannot be understood is ignored whole and left as it is, a bad entry alone; both are said in `notices`.
 * Throws PersonError of kind "usage" for a flag that names no setting or holds no value of it.
 */
export async function loadSettings(
  { file, keyFile, overrides = {} }: {
    file: string;
    /** The other file that KEYS may be written in. */
    keyFile?: string;
    overrides?: Readonly<Record<string, string>>;
  },
): Promise<{ store: SettingsStore; notices: readonly string[] }> {
  const [{ entries, notices }, keys] = await Promise.all([
    readSettingsFile(file),
    keysIn(keyFile),
  ]);
  notices.push(...keys.problems);
  const held = new Map<SettingName, Held>();
  const isUnchanged = Object.keys(entries).length === 0 && Object.keys(overrides).length === 0;
  if (isUnchanged) return { store: new SettingsStore(file, held, keys.entries), notices };
  const { checkValue, kindOf, parseSetting } = await import("@/settings/parse.ts");
  for (const [name, found] of Object.entries(entries)) {
    const value = isSettingName(name) ? checkValue(name, found) : undefined;
    if (!isSettingName(name) || value === undefined || CHANGED_ELSEWHERE[name] !== undefined) {
      notices.push(`${refusal(name, { found, kindOf })}; the entry in "${file}" is ignored`);
    } else if (!isSameValue(value, DEFAULT_SETTINGS[name])) {
      held.set(name, { value, origin: "file" });
    }
  }
  for (const [name, text] of Object.entries(overrides)) {
    const flag = parseSetting(name, text);
    if (flag.kind === "refused") throw new PersonError("usage", flag.problem);
    const value = flag.kind === "reset" ? DEFAULT_SETTINGS[flag.name] : flag.value;
    held.set(flag.name, { value, origin: "flag" });
  }
  return {
    store: new SettingsStore(file, held, keys.entries),
    notices: firstFew(notices, `entries in "${file}" that are ignored`),
  };
}

/** The settings in force. They change while the program runs: ask `current` at each use. */
export class SettingsStore {
  readonly #file: string;
  readonly #held: Map<SettingName, Held>;
  readonly #keys: readonly string[];
  #current: Settings;

  /** `keys`: entries of KEYS from their own file; what KEYS itself says of an action goes before them. */
  constructor(
    file: string,
    held: ReadonlyMap<SettingName, Held>,
    keys: readonly string[] = [],
  ) {
    this.#file = file;
    this.#keys = keys;
    this.#held = new Map(held);
    this.#current = this.#merged();
  }

  get current(): Settings {
    return this.#current;
  }

  origin(name: SettingName): SettingOrigin {
    const isInKeyFile = name === "KEYS" && this.#keys.length > 0;
    return this.#held.get(name)?.origin ?? (isInKeyFile ? "file" : "default");
  }

  /** Every setting, in the order in which they are declared. */
  rows(): readonly SettingRow[] {
    return settingNames().map((name) => ({
      name,
      value: formatSetting(this.#current[name]),
      byDefault: formatSetting(DEFAULT_SETTINGS[name]),
      origin: this.origin(name),
      isChanged: !isSameValue(this.#current[name], DEFAULT_SETTINGS[name]),
      description: SETTINGS[name].about,
    }));
  }

  /**
   * Changes a setting for this session and the next ones, as `/set NAME TEXT`. Throws PersonError, with nothing
   * changed, when the name or the value is refused; when only the file cannot be written, the change holds for this
   * session and the error says so.
   */
  async set(givenName: string, text: string): Promise<SettingChange> {
    const { parseSetting } = await import("@/settings/parse.ts");
    const parsed = parseSetting(givenName, text);
    if (parsed.kind === "refused") throw new PersonError("usage", parsed.problem);
    const { name } = parsed;
    const before = this.#current[name];
    const value = parsed.kind === "reset" ? DEFAULT_SETTINGS[name] : parsed.value;
    this.#hold(name, { value, origin: "session" });
    const notices = await saveSetting(this.#file, { name, value });
    this.#hold(name, { value, origin: "file" });
    return { name, before, value, notices };
  }

  /** Changes a setting for this session only. */
  setForSession(givenName: SettingName, value: SettingValue): void {
    if (typeof value !== typeof DEFAULT_SETTINGS[givenName]) {
      throw new TypeError(`${givenName} cannot hold ${String(value)}`);
    }
    this.#hold(givenName, { value, origin: "session" });
  }

  #hold(name: SettingName, held: Held): void {
    const isDefault = held.origin === "file" && isSameValue(held.value, DEFAULT_SETTINGS[name]);
    if (isDefault) this.#held.delete(name);
    else this.#held.set(name, held);
    this.#current = this.#merged();
  }

  #merged(): Settings {
    const values = [...this.#held].map(([name, { value }]) => [name, value] as const);
    const merged: Settings = { ...DEFAULT_SETTINGS, ...Object.fromEntries(values) };
    if (this.#keys.length === 0) return merged;
    const actionOf = (entry: string) => entry.slice(0, entry.indexOf("="));
    const own = new Set(merged.KEYS.map(actionOf));
    const others = this.#keys.filter((entry) => !own.has(actionOf(entry)));
    return { ...merged, KEYS: [...others, ...merged.KEYS] };
  }
}

/**
 * Keeps one value in the settings file, or takes it out when it is the default. Other processes' changes and entries
 * of other versions stay. Returns notices. Throws PersonError when it cannot be written.
 */
export async function saveSetting(
  file: string,
  { name, value }: { name: SettingName; value: SettingValue },
): Promise<readonly string[]> {
  const notices: string[] = [];
  try {
    await updateJsonFile(file, {
      ...SHAPE,
      what: "the settings",
      change: (entries) => withValue(entries, name, value),
      onDamaged: ({ keptAs, cause }) =>
        notices.push(
          `The settings file could not be read (${cause}); it is kept as "${keptAs}", and a new one was begun`,
        ),
    });
  } catch (error) {
    if (error instanceof PersonError || !(error instanceof Error)) throw error;
    throw new PersonError(
      "settings",
      `${name} is now ${formatSetting(value)} for this session, but cannot be saved: ${
        fileErrorReason(error)
      }`,
      `The settings file is "${file}"`,
      error,
    );
  }
  return notices;
}

/** The entries that stay: deviations, and what this version does not know. */
function withValue(entries: Entries, name: SettingName, value: SettingValue): Entries {
  const next = Object.entries({ ...entries, [name]: value }).filter(([key, kept]) =>
    !isSettingName(key) || JSON.stringify(kept) !== JSON.stringify(DEFAULT_SETTINGS[key])
  );
  return Object.fromEntries(next);
}

async function readSettingsFile(file: string): Promise<{ entries: Entries; notices: string[] }> {
  const { value, damaged } = await readJsonFile(file, SHAPE);
  if (damaged === undefined) return { entries: value, notices: [] };
  return { entries: {}, notices: [ignored(file, damaged.cause)] };
}

/** Loaded only where there is such a file. */
async function keysIn(path: string | undefined): Promise<KeyFile> {
  const file = path === undefined ? undefined : await readBounded(path, KEY_FILE_BYTES_MAX);
  if (path === undefined || file === undefined || file.kind === "absent") {
    return { entries: [], problems: [] };
  }
  if (file.kind === "refused") {
    return { entries: [], problems: [`"${path}" is ignored: ${file.cause}`] };
  }
  const { readKeyFile } = await import("./key_file.ts");
  return readKeyFile(new TextDecoder().decode(file.bytes), path);
}

function ignored(file: string, cause: string): string {
  return `All settings are at their defaults: "${file}" cannot be used (${cause}); it is left as it is`;
}

function refusal(
  name: string,
  { found, kindOf }: { found: unknown; kindOf(name: SettingName): string },
): string {
  const known = findSetting(name);
  if (known.kind === "refused") return known.problem;
  if (!isSettingName(name)) return `Settings are written in capitals: "${name}" is ${known.name}`;
  return `${name} takes ${kindOf(name)}, not ${JSON.stringify(found)?.slice(0, 60)}`;
}
