/** What `/set` and the switches are lent. */
import type { AppParts, ScreenParts } from "@/compose/parts.ts";
import { findSetting } from "@/settings/names.ts";
import type { SettingsPart } from "@/terminal/commands/lent/settings.ts";
import { type CommandResult, done } from "@/terminal/commands/spec.ts";
import { chooseOn } from "./choosing.ts";

/** How a setting that is an empty text is shown. */
const EMPTY = "(empty)";

type Needs = Pick<AppParts, "settings">;
type Asked = Pick<ScreenParts, "pick" | "asker">;

/** Build it. */
export function settingsPart({ settings }: Needs, screen: Asked): SettingsPart {
  const rows = () =>
    settings.rows().map(({ name, value, origin, description }) => ({
      name,
      value,
      origin,
      brief: description,
    }));
  const set = async (name: string, text: string): Promise<CommandResult> => {
    const { name: canonical, notices } = await settings.set(name, text);
    const row = rows().find((one) => one.name === canonical);
    return done(
      [`${canonical} = ${row?.value ?? ""} (${row?.origin ?? ""})`, ...notices].join("\n"),
    );
  };
  const { pick } = screen;
  return {
    rows,
    keys: () => settings.current.KEYS,
    set,
    ...(pick === undefined ? {} : { choose: () => choose({ rows, set }, { ...screen, pick }) }),
    isOn: (name) => settings.current[name],
    turn: (name, on) => settings.setForSession(name, on),
  };
}

/** Which one, and what it is to be. */
async function choose(
  { rows, set }: Pick<SettingsPart, "rows" | "set">,
  screen: Asked & Pick<Required<ScreenParts>, "pick">,
): Promise<CommandResult> {
  const all = rows();
  const picked = await screen.pick({
    title: "Settings",
    text: "What is changed holds now and for later runs; ✓ marks what is not as it comes.",
    rows: all.map(({ name, value, origin, brief }) => ({
      label: name,
      detail: `${value === "" ? "(empty)" : value} · ${brief}`,
      isCurrent: origin !== "default",
    })),
    actions: [{ key: "enter", label: "change it" }, { key: "d", label: "back to its default" }],
  });
  const row = picked.isCancelled ? undefined : all[picked.row];
  if (picked.isCancelled || row === undefined) return done("No setting was changed");
  if (picked.action === 1) return await set(row.name, "default");
  const value = await valueFor(row, screen);
  return value === undefined
    ? done(`${row.name} is still ${row.value}`)
    : await set(row.name, value);
}

async function valueFor(
  { name, value, brief }: { name: string; value: string; brief: string },
  screen: Asked,
): Promise<string | undefined> {
  const { choicesOf, kindOf } = await import("@/settings/parse.ts");
  const known = findSetting(name);
  if (known.kind === "refused") return undefined;
  const options = choicesOf(known.name);
  if (options !== undefined) {
    const chosen = await chooseOn(screen, {
      text: `${name}: ${brief}`,
      options: options.map((option) => option === "" ? EMPTY : option),
      current: value,
      freeText: false,
    });
    return chosen === EMPTY ? "" : chosen;
  }
  const text = `${name} is ${value}: ${brief}. It takes ${kindOf(known.name)}`;
  return await chooseOn(screen, { text, options: [] });
}
