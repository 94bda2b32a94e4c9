/** `/copy`: what the model said last, or a block of code of it, on the clipboard. */
import { type CommandHost, defineCommand, refused } from "./spec.ts";

export const copy = defineCommand({
  name: "copy",
  usage: [
    { form: "/copy", brief: "Copy the last reply, as it was written, to the clipboard" },
    { form: "/copy N", brief: "Copy its Nth block of code" },
  ],
  needsScreen: true,
  runsDuringTurn: true,
  async run(args, host) {
    const chosen = await partOfReply("copy", args, host);
    return chosen.ok ? await host.transcript.copy(chosen.text) : refused(chosen.problem);
  },
});

/** The last reply, or one of its blocks of code by its number. */
export async function partOfReply(
  command: string,
  args: string,
  host: CommandHost,
): Promise<{ ok: true; text: string } | { ok: false; problem: string }> {
  const reply = host.transcript.lastReply();
  if (reply === undefined) return { ok: false, problem: "The model has not said anything yet" };
  if (args === "") return { ok: true, text: reply };
  if (!/^[1-9]\d{0,3}$/.test(args)) {
    const takes = "it takes the number of a block of code, or nothing for the whole reply";
    return { ok: false, problem: `/${command} does not know "${args}"; ${takes}` };
  }
  // Loaded only when it is asked for.
  const { codeBlocks } = await import("@/terminal/full/view/code_blocks.ts");
  const blocks = codeBlocks(reply);
  const block = blocks[Number(args) - 1];
  if (block !== undefined) return { ok: true, text: block };
  const has = blocks.length === 0
    ? "no block of code"
    : blocks.length === 1
    ? "one block of code"
    : `${blocks.length} blocks of code`;
  return { ok: false, problem: `There is no block ${args}: the last reply has ${has}` };
}
