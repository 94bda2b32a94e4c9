/** Stages that another model answers, by the person's setting. */
import { anotherModel } from "@/compose/another_model.ts";
import type { FeatureParts } from "@/compose/feature.ts";
import { type ConnectedModel, modelText } from "@/compose/model.ts";
import { describe } from "@/lib/describe.ts";
import { type Stage, stageModel } from "@/lib/stages.ts";

export class StageModels {
  readonly #parts: FeatureParts;
  /** The conversation's own model, and the one that stands in for it. */
  #replaced: { own: ConnectedModel; by: ConnectedModel } | undefined;

  constructor(parts: FeatureParts) {
    this.#parts = parts;
  }

  /** Its name where a stage has one of its own. One that does not answer is told, and the conversation's own goes on. */
  async use(stage: Stage, signal: AbortSignal): Promise<string | undefined> {
    this.restore();
    const { settings, model, live } = this.#parts;
    const wanted = settings.current.DEEPTHINK_MODELS.map(stageModel)
      .find((entry) => entry?.stage === stage)?.model;
    if (wanted === undefined) return undefined;
    try {
      const by = await anotherModel(wanted, this.#parts);
      await by.prepare(signal);
      this.#replaced = { own: model.current, by };
      this.#put(by, { standsIn: true });
      return modelText(by);
    } catch (error) {
      if (signal.aborted) return undefined;
      const text =
        `${wanted}, which DEEPTHINK_MODELS names for the stage ${stage}, cannot be asked: ${
          describe(error)
        }. ${modelText(model.current)} goes on`;
      live.emit({ type: "notice", level: "warn", text });
      return undefined;
    }
  }

  /** The conversation's own model answers again, unless the person has chosen another one meanwhile. */
  restore(): void {
    const { model } = this.#parts;
    const replaced = this.#replaced;
    this.#replaced = undefined;
    if (replaced?.by === model.current) this.#put(replaced.own);
  }

  /** The log says who answers from now on: what a request cost goes by it. */
  #put(by: ConnectedModel, how: { standsIn?: true } = {}): void {
    const { model, live } = this.#parts;
    model.replace(by);
    live.emit({ type: "model", ...by.name, ...how });
  }
}
