/** `/rewind`: back to an earlier turn, with the conversation, with the files, or with both. */
import type { RewindWhat } from "./lent/rewind.ts";
import { defineCommand, misused } from "./spec.ts";

export const rewind = defineCommand({
  name: "rewind",
  usage: [
    { form: "/rewind", brief: "Choose an earlier message to go back to" },
    {
      form: "/rewind N [conversation|files|both]",
      brief: "Go back to the end of turn N (0: the beginning); files as /undo takes them back",
    },
  ],
  async run(args, host) {
    if (args === "") return await host.rewind.choose();
    const [number = "", what, ...more] = args.split(/\s+/);
    if (!/^\d{1,9}$/.test(number) || more.length > 0) {
      return misused(`/rewind takes the number of a turn and what goes back, not "${args}"`);
    }
    if (what !== undefined && !isWhat(what)) {
      return misused(`/rewind does not know "${what}"; it takes conversation, files or both`);
    }
    return await host.rewind.to(Number(number), what);
  },
});

function isWhat(word: string): word is RewindWhat {
  return word === "conversation" || word === "files" || word === "both";
}
