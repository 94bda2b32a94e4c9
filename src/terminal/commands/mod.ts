/** The slash commands, in the order of `/help`. */
import { describe } from "@/lib/describe.ts";
import { nearest } from "@/lib/nearest.ts";
import { PersonError } from "@/protocol/error.ts";
import { errorCode } from "@/lib/file_error.ts";
import { personText } from "@/terminal/error_text.ts";
import { agents } from "./agents.ts";
import { autocommit } from "./autocommit.ts";
import { automode } from "./automode.ts";
import { autotitle } from "./autotitle.ts";
import { autoverify } from "./autoverify.ts";
import { budget } from "./budget.ts";
import { clear } from "./clear.ts";
import { compact } from "./compact.ts";
import { connect } from "./connect.ts";
import { copy } from "./copy.ts";
import { deepthink } from "./deepthink.ts";
import { exit } from "./exit.ts";
import { exportSession } from "./export.ts";
import { fork } from "./fork.ts";
import { fullcontent } from "./fullcontent.ts";
import { help } from "./help.ts";
import { history } from "./history.ts";
import { hooks } from "./hooks.ts";
import { importing } from "./import.ts";
import { keys } from "./keys.ts";
import { load } from "./load.ts";
import { mcp } from "./mcp.ts";
import { model } from "./model.ts";
import { models } from "./models.ts";
import { network } from "./network.ts";
import { perms } from "./perms.ts";
import { planmode } from "./planmode.ts";
import { profile } from "./profile.ts";
import { ps } from "./ps.ts";
import { raw } from "./raw.ts";
import { record } from "./record.ts";
import { redo } from "./redo.ts";
import { registers } from "./registers.ts";
import { rewind } from "./rewind.ts";
import { sandbox } from "./sandbox.ts";
import { sessions } from "./sessions.ts";
import { named, slashParts } from "./slash.ts";
import { set } from "./set.ts";
import { type Command, type CommandHost, type CommandResult, misused, refused } from "./spec.ts";
import { skill } from "./skill.ts";
import { skills } from "./skills.ts";
import { tdd } from "./tdd.ts";
import { system } from "./system.ts";
import { think } from "./think.ts";
import { title } from "./title.ts";
import { trust } from "./trust.ts";
import { undo } from "./undo.ts";
import { status } from "./status.ts";
import { usage } from "./usage.ts";
import { vm } from "./vm.ts";

/** All commands. */
export const COMMANDS: readonly Command[] = [
  help,
  model,
  models,
  connect,
  undo,
  redo,
  rewind,
  fork,
  autocommit,
  autoverify,
  tdd,
  set,
  perms,
  profile,
  trust,
  hooks,
  importing,
  automode,
  planmode,
  deepthink,
  sandbox,
  network,
  agents,
  ps,
  vm,
  mcp,
  clear,
  skills,
  skill,
  sessions,
  load,
  title,
  autotitle,
  exportSession,
  record,
  copy,
  raw,
  history,
  system,
  compact,
  usage,
  status,
  budget,
  think,
  fullcontent,
  registers,
  keys,
  exit,
];

/** Run a line that starts with a slash. Never throws for what the person can mend. */
export async function runCommand(line: string, host: CommandHost): Promise<CommandResult> {
  const { name, args } = slashParts(line);
  const command = named(line, COMMANDS);
  if (command === undefined) {
    // A skill is a command by its own name.
    if (name !== "" && await host.skills.has(name)) return await skill.run(`${name} ${args}`, host);
    const near = nearest(name, COMMANDS.map((one) => one.name));
    const meant = near === undefined ? "" : `did you mean /${near}? `;
    return misused(`No command is named "/${name}"; ${meant}/help lists them`);
  }
  if (command.needsScreen === true && !host.isInteractive) {
    return misused(`/${name} needs the interactive screen; start harness in a terminal`);
  }
  try {
    return await command.run(args, host);
  } catch (error) {
    // A file that cannot be read or written is the person's to mend, like everything that has words for them.
    const said = personText(error);
    if (said !== undefined) return { ...refused(said), error };
    if (errorCode(error) === "") throw error;
    const told = new PersonError("state", sentence(name, error), "", error);
    return { ...refused(told.message), error: told };
  }
}

function sentence(name: string, error: unknown): string {
  return `/${name} could not be done: ${describe(error)}`;
}
