/** Settings by name, and their values as text: what needs no schema. */
import { nearest } from "@/lib/nearest.ts";
import {
  CHANGED_ELSEWHERE,
  type SettingName,
  SETTINGS,
  type SettingValue,
} from "@/settings/settings.ts";

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

/** All names, in the order in which they are listed. */
export function settingNames(): readonly SettingName[] {
  return Object.keys(SETTINGS).filter(isSettingName);
}

/** Whether a text is exactly the name of a setting. */
export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(SETTINGS, name);
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

/** The two halves of `NAME=VALUE`; undefined when there is no name or no `=`. */
export function splitAssignment(text: string): readonly [name: string, value: string] | undefined {
  const at = text.indexOf("=");
  return at > 0 ? [text.slice(0, at).trim(), text.slice(at + 1)] : undefined;
}
