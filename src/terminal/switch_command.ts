/** Commands that turn a setting on or off for this session. */
import {
  type Command,
  type CommandHost,
  defineCommand,
  done,
  misused,
  type SwitchName,
} from "./commands/spec.ts";

/** What is declared of one: its name, the setting, the row of `/help`, and what the setting does in a few words. */
export type Switch = {
  name: string;
  setting: SwitchName;
  brief: string;
  what: string;
  /** Lines that go with the answer to how it is. */
  more?(host: CommandHost): Promise<readonly string[]>;
};

/** `/NAME on`, `/NAME off`, and `/NAME` to ask how it is. */
export function defineSwitch({ name, setting, brief, what, more }: Switch): Command {
  return defineCommand({
    name,
    usage: [{ form: `/${name} [on|off]`, brief }],
    runsDuringTurn: true,
    async run(args, host) {
      if (args !== "" && args !== "on" && args !== "off") {
        return misused(`/${name} takes on or off, not "${args}"`);
      }
      if (args !== "") {
        host.settings.turn(setting, args === "on");
        return done(`${what}: ${args}, for this session; /set ${setting} ${args} is for good`);
      }
      const lines = await more?.(host) ?? [];
      return done([`${what}: ${host.settings.isOn(setting) ? "on" : "off"}`, ...lines].join("\n"));
    },
  });
}
