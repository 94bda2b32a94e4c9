/** The chain as turns meet it: a guard, hooks, and a filter for the two words that a model says to the harness. */
import {
  Chain,
  type Ended,
  instruction,
  MORE_WORK_NEEDED,
  NO_PLAN_NEEDED,
  proof,
  type RanCommand,
  READ_ONLY,
  type Step,
  TITLES,
} from "@/agent/deepthink.ts";
import { readOnly } from "@/agent/guards/read_only.ts";
import { type Listening, withoutMarkers } from "@/agent/marker_filter.ts";
import type { FeatureParts, FeatureWork } from "@/compose/feature.ts";
import { type Stage, STAGES } from "@/lib/stages.ts";
import type { GuardedCall } from "@/protocol/policy.ts";
import type { ToolResult } from "@/protocol/tool.ts";
import { Changes } from "./changes.ts";
import { readBack } from "./read_back.ts";
import { StageModels } from "./stage_models.ts";

/** What is switched, and what files may be shown. */
export type ChainOptions = { mode: { isOn: boolean }; mayRead(path: string): boolean };

/** Make it. */
export function chainWork(parts: FeatureParts, options: ChainOptions): FeatureWork {
  const run = new ChainRun(parts, options);
  return {
    guards: [readOnly(() => run.isReadOnly, "this stage")],
    hooks: [{
      name: "deepthink",
      beforeRequest: (signal) => run.begin(signal),
      afterTool: (call, result) => {
        run.note(call, result);
        return undefined;
      },
      beforeLimit: (signal) => run.goOnWithout(signal),
      beforeStop: (signal) => run.goOn(signal),
    }],
    said: (content) => {
      run.start();
      return Promise.resolve(content);
    },
    sink: (event) => {
      if (event.type === "turn_end") run.end();
    },
    provider: (inner) => withoutMarkers(inner, () => run.listening()),
    part: () => run.part,
  };
}

/** The chain of the running turn, if there is one. */
class ChainRun {
  readonly #parts: FeatureParts;
  readonly #mode: ChainOptions["mode"];
  readonly #models: StageModels;
  readonly #changes: Changes;
  #chain: Chain | undefined;
  /** Whether its first instruction is still to be given. */
  #isNew = false;
  #isMarked = false;
  /** Whether the stage that ends was given up. */
  #isCut = false;
  #ran: RanCommand[] = [];

  constructor(parts: FeatureParts, { mode, mayRead }: ChainOptions) {
    this.#parts = parts;
    this.#mode = mode;
    this.#models = new StageModels(parts);
    this.#changes = new Changes(parts, mayRead);
  }

  get isReadOnly(): boolean {
    return this.#chain !== undefined && READ_ONLY.has(this.#chain.stage);
  }

  /** Which stage of which pass runs. */
  get part(): string | undefined {
    return this.#chain && `${this.#chain.stage} ${this.#chain.pass}`;
  }

  /** A message of the person's begins a chain, where they want one. */
  start(): void {
    if (!this.#mode.isOn) return;
    this.#chain = new Chain(this.#parts.settings.current.DEEPTHINK_MAX_PASSES);
    this.#isNew = true;
  }

  /** The turn is over, however it ended. */
  end(): void {
    this.#chain = undefined;
    this.#isNew = false;
    this.#isCut = false;
    this.#models.restore();
  }

  /** The instruction of the first stage, once. */
  begin(signal: AbortSignal): Promise<string> | undefined {
    if (this.#chain === undefined || !this.#isNew) return undefined;
    this.#isNew = false;
    return this.#enter({ stage: "plan", pass: 1 }, signal);
  }

  /** What a call did, for the review and the proof. */
  note({ subject }: GuardedCall, { status, changed = [], meta }: ToolResult): void {
    this.#changes.note(changed);
    if (this.#chain?.stage !== "verify" || subject.kind !== "command") return;
    const exitCode = meta?.["exitCode"];
    this.#ran.push({
      command: subject.text,
      isOk: status === "ok",
      ...(typeof exitCode === "number" && { exitCode }),
    });
  }

  /** What the next reply may say to the harness. */
  listening(): Listening | undefined {
    this.#isMarked = false;
    const heard = () => {
      this.#isMarked = true;
    };
    switch (this.#chain?.stage) {
      case "plan":
        return { marker: NO_PLAN_NEEDED, instead: "There is nothing to build.", heard };
      case "verify":
        return { marker: MORE_WORK_NEEDED, instead: "It is not finished.", heard };
      default:
        return undefined;
    }
  }

  /** The instruction of the next stage; undefined when the chain is over. */
  async goOn(signal: AbortSignal): Promise<string | undefined> {
    const chain = this.#chain;
    if (chain === undefined) return undefined;
    const { stage } = chain;
    if (stage === "verify") this.#parts.live.emit({ type: "notice", ...proof(this.#ran) });
    const step: Step = this.#mode.isOn
      ? chain.next(await this.#ended(stage, signal))
      : { kind: "over", note: "Deepthink was turned off; the chain ends here" };
    if (signal.aborted) return undefined;
    if (this.#isCut) {
      this.#tell(`Deepthink ended the stage ${TITLES[stage]}: its calls got it nowhere`);
    }
    if (step.kind === "stage") return await this.#enter(step, signal);
    if (step.note !== undefined) this.#tell(step.note);
    this.end();
    return undefined;
  }

  /** A stage that thinks and gets nowhere costs itself, not the work: what it may not do is for a later one. */
  async goOnWithout(signal: AbortSignal): Promise<string | undefined> {
    if (!this.isReadOnly) return undefined;
    this.#isCut = true;
    return await this.goOn(signal);
  }

  async #ended(stage: Stage, signal: AbortSignal): Promise<Ended> {
    switch (stage) {
      case "plan":
      case "verify": {
        const isMarked = this.#isMarked;
        const answer = isMarked || this.#isCut
          ? ""
          : await readBack(this.#parts, { stage, signal });
        return { stage, isMarked, answer };
      }
      case "build":
        return { stage, isUnchanged: await this.#changes.isNone(signal) };
      default:
        return { stage };
    }
  }

  async #enter({ stage, pass }: { stage: Stage; pass: number }, signal: AbortSignal) {
    this.#ran = [];
    const isAfterCut = this.#isCut;
    this.#isCut = false;
    if (stage === "build") await this.#changes.begin(signal);
    const model = await this.#models.use(stage, signal);
    const facts = stage === "review" ? await this.#changes.facts(signal) : {};
    const number = STAGES.indexOf(stage) + 1;
    const reads = READ_ONLY.has(stage) ? ", only reads" : "";
    const again = pass === 1 ? "" : `, pass ${pass}`;
    const by = model === undefined ? "" : `, by ${model}`;
    this.#tell(`Deepthink ${number}/${STAGES.length}: ${TITLES[stage]}${reads}${again}${by}`);
    return instruction(stage, { pass, isAfterCut, ...facts });
  }

  #tell(text: string): void {
    this.#parts.live.emit({ type: "notice", level: "info", text, about: "deepthink" });
  }
}
