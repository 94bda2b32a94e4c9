/** What is chosen in a session, and the client told of it: by whoever it was changed. */
import type { SessionUpdate } from "@agentclientprotocol/sdk";
import { type Choices, type Chosen, configOptions, type Mode } from "@/acp/choices.ts";
import type { App } from "@/app.ts";
import { describe } from "@/lib/describe.ts";
import type { CommandHost } from "@/terminal/commands/spec.ts";
import { tell } from "@/terminal/process.ts";

const MODELS_MS = 15_000;

export class SessionChoices {
  readonly #app: App;
  readonly #host: CommandHost;
  readonly #push: (update: SessionUpdate) => void;
  #models: readonly string[] = [];
  #told: string;
  #mode: Mode;

  constructor(app: App, host: CommandHost, push: (update: SessionUpdate) => void) {
    this.#app = app;
    this.#host = host;
    this.#push = push;
    this.#mode = this.#modeNow();
    this.#told = JSON.stringify(this.now());
  }

  now(): Choices {
    const { model } = this.#app.status();
    const effort = this.#host.model.effort();
    return {
      mode: this.#modeNow(),
      model,
      models: this.#models,
      ...(effort === undefined ? {} : { effort }),
    };
  }

  /** Tell the client what has changed since it was last told. */
  changed(): void {
    const now = this.now();
    const text = JSON.stringify(now);
    if (text === this.#told) return;
    this.#told = text;
    if (now.mode !== this.#mode) {
      this.#mode = now.mode;
      this.#push({ sessionUpdate: "current_mode_update", currentModeId: now.mode });
    }
    this.#push({ sessionUpdate: "config_option_update", configOptions: configOptions(now) });
  }

  setMode(mode: Mode): void {
    this.#host.automode.turn(mode === "auto");
    this.#host.planmode.turn(mode === "plan");
    this.changed();
  }

  async choose(chosen: Chosen): Promise<void> {
    switch (chosen.id) {
      case "mode":
        this.setMode(chosen.value);
        return;
      case "model":
        await this.#host.model.here(chosen.value);
        break;
      case "effort":
        this.#host.model.setEffort(chosen.value);
        break;
      default:
        chosen satisfies never;
    }
    this.changed();
  }

  /** Ask the provider which models there are. A provider that cannot say leaves the one in use. */
  async learnModels(): Promise<void> {
    try {
      this.#models = await this.#host.model.names(AbortSignal.timeout(MODELS_MS));
    } catch (error) {
      tell(`the models could not be listed: ${describe(error)}`);
      return;
    }
    this.changed();
  }

  #modeNow(): Mode {
    if (this.#host.planmode.isOn()) return "plan";
    return this.#host.automode.isOn() ? "auto" : "ask";
  }
}
