/** Commands that turn a setting on or off for this session. */
import { type Command, defineCommand, done, refused, type SwitchName } from "./commands/spec.ts";

/** What is declared of one: its name, the setting, the row of `/help`, and what the setting does in a few words. */
export type Switch = { name: string; setting: SwitchName; brief: string; what: string };

/** `/NAME on`, `/NAME off`, and `/NAME` to ask how it is. */
export function defineSwitch({ name, setting, brief, what }: Switch): Command {
  return defineCommand({
    name,
    usage: [{ form: `/${name} [on|off]`, brief }],
    runsDuringTurn: true,
    run(args, host) {
      if (args !== "" && args !== "on" && args !== "off") {
        return Promise.resolve(refused(`/${name} takes on or off, not "${args}"`));
      }
      if (args !== "") host.settings.turn(setting, args === "on");
      return Promise.resolve(done(`${what}: ${host.settings.isOn(setting) ? "on" : "off"}`));
    },
  });
}
