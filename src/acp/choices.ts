/** What a person chooses in their editor: the mode, the model, and how much the model thinks. */
import type { SessionConfigOption, SessionModeState } from "@agentclientprotocol/sdk";
import type { Settings } from "@/settings/settings.ts";
import { invalid } from "./errors.ts";

type Effort = Settings["EFFORT"];

/** How a session treats what would ask. */
export type Mode = "ask" | "auto" | "plan";

const MODES: readonly { id: Mode; name: string; description: string }[] = [
  {
    id: "ask",
    name: "Ask",
    description: "Ask before anything is changed or run outside the rules",
  },
  { id: "auto", name: "Auto", description: "Allow what would ask, inside the workspace" },
  {
    id: "plan",
    name: "Plan",
    description: "Read only: nothing is changed until a plan is approved",
  },
];

/** What can be chosen now. `models` are PROVIDER/MODEL; `effort` is absent where the model has no place for it. */
export type Choices = {
  mode: Mode;
  model: string;
  models: readonly string[];
  effort?: { now: Effort; levels: readonly Effort[] };
};

/** Ids of the options, and what each is set to. */
export type Chosen =
  | { id: "mode"; value: Mode }
  | { id: "model"; value: string }
  | { id: "effort"; value: Effort };

/** How the model's own effort is written in a list of values, which knows no empty one. */
const OWN = "default";

export function modeState(mode: Mode): SessionModeState {
  return { currentModeId: mode, availableModes: [...MODES] };
}

/** Read a mode. Throws PersonError of kind "usage". */
export function readMode(id: string): Mode {
  const mode = MODES.find((one) => one.id === id);
  if (mode !== undefined) return mode.id;
  const names = MODES.map((one) => one.id).join(", ");
  throw invalid(`No mode has the id "${id}"`, `The modes are ${names}`);
}

/** All options, whole, as the protocol wants them with each change. */
export function configOptions({ mode, model, models, effort }: Choices): SessionConfigOption[] {
  const names = models.includes(model) ? models : [model, ...models];
  return [
    {
      id: "mode",
      type: "select",
      name: "Mode",
      category: "mode",
      currentValue: mode,
      options: MODES.map(({ id, name, description }) => ({ value: id, name, description })),
    },
    {
      id: "model",
      type: "select",
      name: "Model",
      category: "model",
      currentValue: model,
      options: names.map((value) => ({ value, name: value })),
    },
    ...(effort === undefined ? [] : [{
      id: "effort",
      type: "select" as const,
      name: "Effort",
      category: "thought_level",
      currentValue: effort.now === "" ? OWN : effort.now,
      options: effort.levels.map((level) => {
        const value = level === "" ? OWN : level;
        return { value, name: value };
      }),
    }]),
  ];
}

/** Read what an option is set to. Throws PersonError of kind "usage". */
export function readChoice(id: string, value: unknown, { effort }: Choices): Chosen {
  if (typeof value !== "string") throw invalid(`Option "${id}" takes one of its values`);
  if (id === "mode") return { id, value: readMode(value) };
  if (id === "model") return { id, value };
  const level = effort?.levels.find((one) => one === (value === OWN ? "" : value));
  if (id === "effort" && level !== undefined) return { id, value: level };
  throw invalid(
    `Option "${id}" cannot be set to "${value}"`,
    "session/new names the options and their values",
  );
}
