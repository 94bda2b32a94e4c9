/** The transcript of the full screen, made when the screen stands. */
import type { MakeView } from "./converse.ts";
import { Transcript } from "./terminal/full/view/transcript.ts";

/** Make it; what replies are drawn with is loaded behind the first frame. */
export const makeView: MakeView = ({ settings, look, changed }) => {
  const view = new Transcript({
    look,
    showsThinking: () => settings()?.SHOW_THINKING ?? false,
    changed,
  });
  void view.preload();
  return Promise.resolve(view);
};
