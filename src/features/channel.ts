/** The board that the harnesses in one project share: who is here, what they say, and which files each is holding. */
import type { Feature, FeatureParts } from "@/compose/feature.ts";
import { once } from "@/lib/once.ts";
import { settlesWithin } from "@/lib/within.ts";
import type { ChannelWork } from "./channel/work.ts";

/** What the program waits for a board that does not answer when it ends. */
const LEAVE_WAIT_MS = 1_000;

/** The feature, and what others ask of it. */
export type Channel = Feature<"channel"> & {
  /** Hold files (real absolute paths) for a change of the person's; says who holds one instead. */
  holdForPerson(paths: readonly string[]): Promise<string | undefined>;
};

/** Make it. */
export function channel(parts: FeatureParts): Channel {
  let isAsked = false;
  let work: ChannelWork | undefined;
  const desk = once(async () => {
    isAsked = true;
    const { Desk } = await import("./channel/desk.ts");
    return new Desk(parts);
  });
  return {
    name: "channel",
    lend: {
      channel: {
        describe: async () => (await desk()).describe(),
        choose: async () =>
          (await import("./channel/choose.ts")).choose(await desk(), parts.live.screen),
        say: async (text) => (await import("./channel/orders.ts")).say(await desk(), text),
        release: async (path) => (await import("./channel/orders.ts")).release(await desk(), path),
        turn: async (isOn) => (await import("./channel/orders.ts")).turn(await desk(), isOn),
      },
    },
    holdForPerson: async (paths) => await (await desk()).holdForPerson(paths),
    work: async () => {
      const { ChannelWork } = await import("./channel/work.ts");
      work = new ChannelWork(await desk(), parts);
      return work.work();
    },
    alive: () => Promise.resolve(work?.rows() ?? []),
    close: async () => {
      work?.stop();
      if (isAsked) await settlesWithin((await desk()).close(), LEAVE_WAIT_MS);
    },
  };
}
