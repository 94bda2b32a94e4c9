/** What `/set` and the switches reach. */
import type { SettingName, Settings } from "@/settings/settings.ts";
import type { CommandResult } from "../spec.ts";

/** A setting that is on or off. */
export type SwitchName = {
  [Name in SettingName]: Settings[Name] extends boolean ? Name : never;
}[SettingName];

/** The part `settings` of what commands are lent. */
export type SettingsPart = {
  /** Every setting as a row: name, value, origin, description. */
  rows(): readonly { name: string; value: string; origin: string; brief: string }[];
  /** KEYS as it is in force, from the setting and its own file. */
  keys(): readonly string[];
  /** Change one for this run and the next; the text says what it is now. */
  set(name: string, text: string): Promise<CommandResult>;
  /** Let the person choose one and its value; undefined where there is no picker. */
  choose?(): Promise<CommandResult>;
  /** Whether a switch is on, and turning it for this session only. */
  isOn(name: SwitchName): boolean;
  turn(name: SwitchName, on: boolean): void;
};
