/** What commands of the transcript are lent, and what they did with it. */
import type { Event } from "@/protocol/event.ts";
import { runCommand } from "@/terminal/commands/mod.ts";
import {
  type CommandHost,
  type CommandResult,
  done,
  type SwitchName,
} from "@/terminal/commands/spec.ts";

export type TestHost = {
  run(line: string): Promise<CommandResult>;
  /** What was put on the clipboard. */
  copied: string[];
  /** What was shown on the screen alone. */
  shown: Event[];
  /** How often the viewer was opened. */
  opened: { times: number };
  switches: Map<SwitchName, boolean>;
};

export type TestHostOptions = {
  reply?: string;
  isInteractive?: boolean;
  hasViewer?: boolean;
};

/** A host for commands that use nothing else. */
export function testHost(
  { reply, isInteractive = true, hasViewer = true }: TestHostOptions = {},
): TestHost {
  const copied: string[] = [];
  const shown: Event[] = [];
  const opened = { times: 0 };
  const switches = new Map<SwitchName, boolean>();
  const host: Pick<CommandHost, "isInteractive" | "transcript"> & {
    settings: Pick<CommandHost["settings"], "isOn" | "turn">;
  } = {
    isInteractive,
    transcript: {
      lastReply: () => reply,
      copy: (text) => {
        copied.push(text);
        return Promise.resolve(done("copied"));
      },
      show: (events) => void shown.push(...events),
      ...(hasViewer ? { open: () => void opened.times++ } : {}),
    },
    settings: {
      isOn: (name) => switches.get(name) ?? false,
      turn: (name, on) => void switches.set(name, on),
    },
  };
  return { run: (line) => runCommand(line, whole(host)), copied, shown, opened, switches };
}

/** The other parts are not there: a command that reaches for one fails its test. */
function whole(part: object): CommandHost {
  const host: unknown = new Proxy(part, {
    get: (target, name) => {
      if (name in target) return Reflect.get(target, name);
      throw new Error(`The command used ${String(name)}`);
    },
  });
  if (!isHost(host)) throw new Error("unreachable");
  return host;
}

function isHost(value: unknown): value is CommandHost {
  return typeof value === "object" && value !== null;
}
