/** A conversation in the terminal, on whichever screen: terms, the program, what waits for trust, then talk. */
import { type App, buildApp } from "@/app.ts";
import { giveBack, type Seat } from "./seat.ts";
import type { OpenedFull } from "./full_open.ts";
import type { OpenedPlain } from "./plain_open.ts";
import type { Ending } from "@/compose/feature.ts";
import type { RunOptions } from "@/compose/options.ts";
import { mayBringRights } from "@/policy/project_files.ts";
import { acceptTerms, type Place } from "@/compose/place.ts";
import { repl } from "@/repl.ts";
import type { Settings } from "@/settings/settings.ts";
import { isNo, isYes } from "@/settings/terms.ts";
import { EXIT } from "@/terminal/exit_code.ts";
import type { TranscriptView } from "@/terminal/full/transcript_face.ts";
import type { Registers } from "@/terminal/full/view/registers.ts";
import type { Screen } from "@/terminal/screen.ts";

/** What a view is made with. */
export type ViewFacts = {
  /** They are there once the program is. */
  settings(): Settings | undefined;
  look: Registers;
  /** What could not be shown before can be shown now. */
  changed(): void;
};

/** Makes what shows the events. */
export type MakeView = (facts: ViewFacts) => Promise<TranscriptView>;

/** How it begins: on a screen that is open already. */
export type Beginning =
  & {
    /** Said for the person. */
    first?: string;
  }
  & (
    | { full: { opened: OpenedFull; makeView: MakeView }; plain?: never }
    | { plain: OpenedPlain; full?: never }
  );

/** One and the same, so that nothing is made anew while there are no settings. */
const NOTHING: readonly string[] = [];

const FORK = "question: go on with a copy of the session? (y, anything else is no): ";

/** Talk until the person leaves; resolves to the exit code. */
export async function converse(
  run: RunOptions,
  place: Place,
  { first, full, plain }: Beginning,
): Promise<number> {
  let seat: Seat | undefined;
  let why: Ending = "other";
  const settings = () => seat?.app.settings();
  const screen: Screen = full === undefined ? plain.screen : full.opened.screen;
  plain?.follow(settings);
  const warn = (line: string) => screen.print(line, "event");
  try {
    const view = full === undefined ? undefined : await showView(full, settings);
    const ask = (text: string, question: string) => screen.ask(`${text}\n\n${question}`);
    await acceptTerms(place, { ask, warn });
    const app = await buildApp({
      run,
      place,
      isInteractive: true,
      needsModel: true,
      makeScreen: () => ({
        approver: screen.approver,
        asker: screen.asker,
        secret: (text) => screen.secret(text),
        ...(full !== undefined && {
          copy: full.opened.copy,
          pick: (picking) => full.opened.screen.pick(picking),
          openTranscript: () => full.opened.screen.openViewer(),
        }),
        sinks: [screen.sink],
      }),
      warn,
      mayFork: async (why) => isYes(await screen.ask(`${why}\n\n${FORK}`)),
    });
    seat = { app };
    if (full !== undefined) {
      await lendTo(full.opened, seat, place);
      await showPast(full.opened, app, view);
    } else await screen.begin?.(app.pastRecords);
    for (const line of app.greeting()) screen.print(line, "event");
    await offerTrust(app, screen);
    const code = await repl(seat, screen, { ...(first !== undefined && { first }) });
    // By what was typed; any other end was somebody else's.
    if (code === EXIT.done || code === EXIT.interrupted) why = "left";
    return code;
  } finally {
    await using closing = new AsyncDisposableStack();
    closing.defer(() => seat?.app.close(why));
    closing.defer(() => giveBack(screen));
  }
}

async function showView(
  { opened, makeView }: NonNullable<Beginning["full"]>,
  settings: () => Settings | undefined,
): Promise<TranscriptView> {
  const view: TranscriptView = await makeView({
    settings,
    look: opened.look,
    changed: () => opened.screen.show(view),
  });
  opened.follow({
    palette: () => settings()?.PALETTE ?? NOTHING,
    keys: () => settings()?.KEYS ?? NOTHING,
  });
  opened.screen.show(view);
  return view;
}

/** Of a resumed session the end is shown again, as soon as it can be shown as it was. */
async function showPast(opened: OpenedFull, app: App, view?: TranscriptView): Promise<void> {
  if (app.pastRecords.length === 0) return;
  await view?.preload?.();
  opened.screen.replay(app.pastRecords);
}

/** Loaded only where there is a full screen. */
async function lendTo(opened: OpenedFull, seat: Seat, place: Place): Promise<void> {
  const { lend } = await import("./full_lend.ts");
  await lend(opened, { seat, place });
}

/**
 * What of the project waits for trust, once, before the first prompt. Who begins to talk there has not said yes, and says it
 * once.
 */
async function offerTrust(app: App, screen: Screen): Promise<void> {
  if (!await mayBringRights(app.facts().workspace)) return;
  const { trust } = await app.commandHost();
  const pending = await trust.pending();
  if (pending === undefined) return;
  screen.print(pending, "event");
  const answer = await screen.ask(
    "question: trust exactly these contents? (y, anything else is no): ",
  );
  if (!isYes(answer)) {
    screen.print("they do nothing; /trust shows them again", "event");
    if (!isNo(answer)) screen.take(answer);
    return;
  }
  const { ok, text } = await trust.grant();
  screen.print(text, ok ? "event" : "error");
}
