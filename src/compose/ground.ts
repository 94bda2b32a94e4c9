/** What outlives a conversation: settings and rights, the model, the sandbox, and every program that runs. */
import { once } from "@/lib/once.ts";
import { Http, ServerMemory } from "@/provider/mod.ts";
import { personEnv } from "@/sandbox/person_env.ts";
import { Processes } from "@/sandbox/processes.ts";
import type { SettingsStore } from "@/settings/store.ts";
import { EarlySink } from "./early_sink.ts";
import { chooseModel, connect, type ModelName, ModelSlot, reachOptions } from "./model.ts";
import { Network } from "./network.ts";
import { addedDirectories, type RunOptions } from "./options.ts";
import type { AppParts, ScreenParts } from "./parts.ts";
import type { Place } from "./place.ts";
import type { Profile } from "./profile.ts";
import { programsOf } from "./programs.ts";
import { loadPolicy, loadTrust } from "./rights.ts";
import { requireSandbox, sandboxOf } from "./sandbox.ts";

/** Disposing of it ends everything that was started. */
export type Ground = AsyncDisposable & {
  readonly parts: Omit<AppParts, "conversation" | "journal" | "commits" | "committed">;
  /** Takes events at any time and gives them to the conversation there is. */
  readonly early: EarlySink;
  /** How the model was chosen. */
  readonly choice: { notes: readonly string[] };
  /** Filled by the conversation there is. */
  readonly lent: { secret?: ScreenParts["secret"] | undefined };
};

export type GroundOptions = {
  run: RunOptions;
  place: Place;
  profile: Profile;
  isInteractive: boolean;
  needsModel: boolean;
  offersDemo?: boolean;
  clientServers?: string;
  warn(line: string): void;
};

/** Open it. Throws PersonError for everything that the person can mend. */
export async function openGround(
  { run, place, profile, isInteractive, needsModel, offersDemo, clientServers, warn }:
    GroundOptions,
  { store, session }: { store: SettingsStore; session: ModelName | undefined },
): Promise<Ground> {
  const settings = () => store.current;
  const added = await addedDirectories(run.addDir ?? [], place.stoodIn);
  await using opened = new AsyncDisposableStack();
  const http = opened.use(new Http({ env: place.env, offline: run.offline ?? false }));
  const memory = new ServerMemory();
  const reach = () => reachOptions({ run, place, http, settings, isInteractive, warn, memory });
  const create = await reach();
  // A session goes on with what it was last answered by.
  const flag = run.model ?? (session === undefined ? profile.model : undefined);
  const choice = await chooseModel({
    settings: store.current,
    create,
    whenNone: isInteractive && offersDemo !== false ? "demo" : needsModel ? "fail" : "go on",
    ...(flag === undefined ? {} : { flag }),
    ...(session === undefined ? {} : { session }),
  });
  const trust = await loadTrust({ run, place });
  const early = new EarlySink();
  const processes = new Processes(personEnv(place.env), {
    notUnder: [place.workspace, ...added],
  });
  const needed = { run, place, added, trust, settings: store, processes };
  const network = new Network({ ...needed, policy: () => policy(), onNotice: early.warn });
  opened.defer(() => network.close());
  const sandbox = sandboxOf({ ...needed, network, isInteractive, onNotice: early.warn });
  // Closed when all that ran in it has ended.
  opened.defer(() => sandbox.close());
  opened.adopt(processes, (started) => started.close());
  const lent: Ground["lent"] = {};
  const programs = programsOf({
    ...{ place, settings: store, processes, sandbox, network },
    ...(isInteractive && { askSecret: async (question) => await lent.secret?.(question) }),
  });
  opened.adopt(programs, (made) => made.close());
  await requireSandbox({ run, sandbox });
  const policy = once(() => loadPolicy({ run, place, profile, trust, added, settings, sandbox }));
  const parts = {
    ...{
      run,
      place,
      profile,
      reach,
      trust,
      processes,
      sandbox,
      network,
      programs,
      http,
      added,
      isInteractive,
    },
    ...(clientServers === undefined ? {} : { clientServers }),
    settings: store,
    model: new ModelSlot(await connect(choice, create, settings)),
    policy,
    automode: { isOn: run.auto ?? store.current.AUTO_ALLOW },
  };
  const closing = opened.move();
  return { parts, early, choice, lent, [Symbol.asyncDispose]: () => closing.disposeAsync() };
}
