/** The transcript of the full screen, made when the screen stands. */
import type { MakeView } from "./converse.ts";
import { Transcript } from "@/terminal/full/view/transcript.ts";

/** Make it. */
export const makeView: MakeView = ({ settings, look, changed }) =>
  Promise.resolve(
    new Transcript({ look, changed, showsThinking: () => settings()?.SHOW_THINKING ?? false }),
  );
