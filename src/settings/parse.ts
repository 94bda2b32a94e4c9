/** Between a setting's value and the text a person types for it. */
import * as z from "zod";
import { nearest } from "@/lib/nearest.ts";
import {
  CHANGED_ELSEWHERE,
  DEFAULT_SETTINGS,
  type SettingName,
  settingsSchema,
  type SettingValue,
} from "@/settings/settings.ts";

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

/** The setting a person means, or the sentence that says why there is none to change. */
export function findSetting(
  givenName: string,
): { kind: "name"; name: SettingName } | { kind: "refused"; problem: string } {
  const name = givenName.trim().toUpperCase();
  if (!isSettingName(name)) {
    const meant = nearest(name, settingNames());
    const hint = meant === undefined ? "/set lists them all" : `did you mean ${meant}?`;
    return { kind: "refused", problem: `No setting is named "${givenName.trim()}"; ${hint}` };
  }
  const elsewhere = CHANGED_ELSEWHERE[name];
  if (elsewhere !== undefined) {
    return { kind: "refused", problem: `${name} is not changed as a setting: ${elsewhere}` };
  }
  return { kind: "name", name };
}

/** All names, in the order of the schema. */
export function settingNames(): readonly SettingName[] {
  return Object.keys(settingsSchema.shape).filter(isSettingName);
}

/** Whether a text is exactly the name of a setting. */
export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(settingsSchema.shape, name);
}

/** The value if the setting can hold it (it may come from a file), else undefined. */
export function checkValue(name: SettingName, value: unknown): SettingValue | undefined {
  if (value === undefined) return undefined; // The schema would put the default in its place.
  const checked = settingsSchema.shape[name].safeParse(value);
  return checked.success ? checked.data : undefined;
}

/** A value as a person would type it. */
export function formatSetting(value: SettingValue): string {
  if (typeof value === "boolean") return value ? "on" : "off";
  if (typeof value === "object") return value.length === 0 ? "(none)" : value.join(", ");
  return value === "" ? "(empty)" : String(value);
}

/** Whether two values of a setting are the same. */
export function isSameValue(a: SettingValue, b: SettingValue): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** The words for what a setting takes. */
export function kindOf(name: SettingName): string {
  const byDefault = DEFAULT_SETTINGS[name];
  if (typeof byDefault === "boolean") return "on or off";
  if (typeof byDefault === "object") {
    const isFree = checkValue(name, ["text"]) !== undefined;
    return isFree
      ? "names separated by commas"
      : "entries like you=magenta separated by commas; its description names them all";
  }
  if (typeof byDefault === "number") {
    return isWhole(name) ? "a whole number, 0 or more" : "a number, 0 or more";
  }
  const type: unknown = settingsSchema.shape[name].unwrap();
  if (type instanceof z.ZodEnum) {
    return type.options.map((option) => option === "" ? "nothing" : option).join(", ");
  }
  return checkValue(name, "text") === undefined ? "an http:// or https:// address" : "a text";
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
  const type: unknown = settingsSchema.shape[name].unwrap();
  return type instanceof z.ZodNumber && type.format === "safeint";
}

/** The two halves of `NAME=VALUE`; undefined when there is no name or no `=`. */
export function splitAssignment(text: string): readonly [name: string, value: string] | undefined {
  const at = text.indexOf("=");
  return at > 0 ? [text.slice(0, at).trim(), text.slice(at + 1)] : undefined;
}
