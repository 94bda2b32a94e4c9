/** What the full screen is lent once the program is there: the model's facts, the commands, the directory, an editor. */
import { lifetimeMs } from "@/lib/cache_lifetime.ts";
import { Alive } from "./alive.ts";
import type { App } from "@/app.ts";
import { commandResult, type Seat } from "./seat.ts";
import { editText } from "./external_editor.ts";
import type { OpenedFull } from "./full_open.ts";
import { ModeCycle } from "./mode_cycle.ts";
import { StatusCommand, statusInput } from "./status_command.ts";
import type { Place } from "@/compose/place.ts";
import { personEnv } from "@/sandbox/person_env.ts";
import type { CommandHost } from "@/terminal/commands/spec.ts";
import { isSlash, named } from "@/terminal/commands/slash.ts";
import type { Choice } from "@/terminal/full/completion.ts";
import { modeOf } from "@/terminal/mode_of.ts";
import type { Driver } from "@/terminal/full/driver.ts";
import { Confine } from "@/workspace/confine.ts";
import { completePath, type PathEntry } from "@/workspace/path_completion.ts";

/** Lend it. */
export async function lend(
  { screen, history }: OpenedFull,
  { seat, place }: { seat: Seat; place: Place },
): Promise<void> {
  let host = await seat.app.commandHost();
  seat.onNext = (next) => {
    host = next;
  };
  const alive = new Alive(() => seat.app.alive(), () => screen.changed());
  screen.attach(driverOf(seat, { host: () => host, place, alive, screen }));
  await history.open(place.paths.history, () => seat.app.settings().SAVE_CHAT_HISTORY);
}

type Lent = { host(): CommandHost; place: Place; alive: Alive; screen: OpenedFull["screen"] };

function driverOf(seat: Seat, { host, place, alive, screen }: Lent): Driver {
  const { workspace, env } = place;
  const cycle = new ModeCycle();
  const home = env["HOME"];
  const confine = new Confine({
    workspace,
    added: [],
    forbidden: [place.paths.home],
    ...(home === undefined ? {} : { home }),
  });
  const said = new StatusCommand({
    person: () => seat.app.personPrograms,
    onChange: () => screen.changed(),
  });
  return {
    isRunning: () => seat.app.isBusy,
    interrupt: () => void seat.app.interrupt(),
    nextMode: () => cycle.step(host(), seat.app.harness.turn),
    status: (contextTokens) => {
      const { app } = seat;
      const settings = app.settings();
      const [status, mode] = [app.status(), modeOf(host())];
      const input = statusInput(app.facts(), { ...status, contextTokens, mode });
      return {
        ...status,
        mode,
        cacheMs: lifetimeMs(settings.CACHE_LIFETIME),
        right: said.text(settings.STATUS_COMMAND, input) || "/help",
      };
    },
    shorten: (path) => path.startsWith(`${workspace}/`) ? path.slice(workspace.length + 1) : path,
    takeNow: (text) => {
      const command = isSlash(text) ? named(text, host().commands()) : undefined;
      if (command?.runsDuringTurn !== true) return false;
      void runNow(text, seat.app, screen);
      return true;
    },
    commands: () => commandChoices(host()),
    paths: async (prefix, signal) =>
      (await completePath(prefix, { confine }, signal)).map(pathChoice),
    alive: () => alive.items(),
    notify: () => seat.app.settings().NOTIFY,
    editText: (text) => editText(text, { env: personEnv(env), cwd: workspace }),
  };
}

/** A command beside a turn; what comes of it stands where the reply has got to. */
async function runNow(line: string, app: App, screen: OpenedFull["screen"]): Promise<void> {
  const { ok, text, as } = await commandResult(line, app);
  if (text !== "") screen.print(text, ok ? as ?? "result" : "error");
}

/** A row a command; what it takes stands in its first form. */
function commandChoices(host: CommandHost): Choice[] {
  return host.commands().map(({ name, usage: [first] }) => ({
    label: (first?.form ?? name).replace(/^\//, ""),
    detail: first?.brief ?? "",
    insert: name,
  }));
}

function pathChoice({ path, isDirectory, bytes }: PathEntry): Choice {
  return {
    label: path,
    detail: bytes === undefined ? "" : size(bytes),
    insert: path,
    goesOn: isDirectory,
  };
}

function size(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000
    ? `${Math.round(bytes / 1_000)} KB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
