/** What `/set` and the switches are lent. */
import type { AppParts } from "@/compose/parts.ts";
import type { SettingsPart } from "@/terminal/commands/lent/settings.ts";
import { done } from "@/terminal/commands/spec.ts";

/** Build it. */
export function settingsPart({ settings }: Pick<AppParts, "settings">): SettingsPart {
  return {
    rows: () =>
      settings.rows().map(({ name, value, origin, description }) => ({
        name,
        value,
        origin,
        brief: description,
      })),
    set: async (name, text) => {
      const { name: canonical, notices } = await settings.set(name, text);
      const row = settings.rows().find((one) => one.name === canonical);
      return done(
        [`${canonical} = ${row?.value ?? ""} (${row?.origin ?? ""})`, ...notices].join("\n"),
      );
    },
    isOn: (name) => settings.current[name],
    turn: (name, on) => settings.setForSession(name, on),
  };
}
