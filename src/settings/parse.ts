/** From what a person typed, or a file holds, to a setting's value. Loaded only where there is something to read. */
import * as z from "zod";
import { findSetting, formatSetting } from "@/settings/names.ts";
import {
  DEFAULT_SETTINGS,
  type SchemaWords,
  type SettingName,
  SETTINGS,
  type SettingValue,
} from "@/settings/settings.ts";

const WORDS: SchemaWords = {
  array: z.array,
  boolean: z.boolean,
  enum: z.enum,
  int: z.int,
  number: z.number,
  string: z.string,
};

/** What was read of "NAME text": a change, a way back to the default, or the sentence that refuses it. */
export type ParsedSetting =
  | { kind: "value"; name: SettingName; value: SettingValue }
  | { kind: "reset"; name: SettingName }
  | { kind: "refused"; problem: string };

const ON: ReadonlySet<string> = new Set(["on", "true", "yes", "y", "1"]);
const OFF: ReadonlySet<string> = new Set(["off", "false", "no", "n", "0"]);
const RESET: ReadonlySet<string> = new Set(["default", "reset"]);

/** Reads what a person typed for a setting, by the type the setting has. The name may be in any case. */
export function parseSetting(givenName: string, text: string): ParsedSetting {
  const known = findSetting(givenName);
  if (known.kind === "refused") return known;
  const { name } = known;
  const typed = text.trim();
  if (RESET.has(typed.toLowerCase())) return { kind: "reset", name };
  const value = checkValue(name, valueOf(name, typed));
  if (value !== undefined) return { kind: "value", name, value };
  return {
    kind: "refused",
    problem: `Cannot set ${name} to "${typed}": it takes ${kindOf(name)}; ` +
      `the default is ${formatSetting(DEFAULT_SETTINGS[name])}`,
  };
}

/** The value if the setting can hold it (it may come from a file), else undefined. */
export function checkValue(name: SettingName, value: unknown): SettingValue | undefined {
  const checked = SETTINGS[name].schema(WORDS).safeParse(value);
  return checked.success ? checked.data : undefined;
}

/** The words for what a setting takes. */
export function kindOf(name: SettingName): string {
  const byDefault = DEFAULT_SETTINGS[name];
  if (typeof byDefault === "boolean") return "on or off";
  if (typeof byDefault === "object") {
    const isFree = checkValue(name, ["text"]) !== undefined;
    return isFree
      ? "names separated by commas"
      : `entries like ${exampleOf(name)} separated by commas; its description names them all`;
  }
  if (typeof byDefault === "number") {
    return isWhole(name) ? "a whole number, 0 or more" : "a number, 0 or more";
  }
  const type: unknown = SETTINGS[name].schema(WORDS);
  if (type instanceof z.ZodEnum) {
    return type.options.map((option) => option === "" ? "nothing" : option).join(", ");
  }
  return checkValue(name, "text") === undefined ? "an http:// or https:// address" : "a text";
}

/** The first entry that its description shows. */
function exampleOf(name: SettingName): string {
  return /\bas ([^,\s]+=[^,\s]+)/.exec(SETTINGS[name].about)?.[1] ?? "those of its description";
}

/** The values of a setting that has few, as a person types them; undefined for the others. */
export function choicesOf(name: SettingName): readonly string[] | undefined {
  if (typeof DEFAULT_SETTINGS[name] === "boolean") return ["on", "off"];
  const type: unknown = SETTINGS[name].schema(WORDS);
  return type instanceof z.ZodEnum ? type.options.map(String) : undefined;
}

/** What the text stands for; undefined when it stands for nothing of the setting's type. */
function valueOf(name: SettingName, text: string): unknown {
  const byDefault = DEFAULT_SETTINGS[name];
  switch (typeof byDefault) {
    case "boolean":
      return ON.has(text.toLowerCase()) ? true : OFF.has(text.toLowerCase()) ? false : undefined;
    case "number":
      return numberOf(text, isWhole(name) ? /^\d+$/ : /^(\d+\.?\d*|\.\d+)$/);
    case "object":
      return text.split(",").map((item) => item.trim()).filter((item) => item !== "");
    case "string":
      return text;
    default:
      return byDefault satisfies never;
  }
}

/** Digits only: a sign, an exponent, "nan" and "inf" are not numbers a person means here. */
function numberOf(text: string, form: RegExp): number | undefined {
  return form.test(text) ? Number(text) : undefined;
}

function isWhole(name: SettingName): boolean {
  const type: unknown = SETTINGS[name].schema(WORDS);
  return type instanceof z.ZodNumber && type.format === "safeint";
}
