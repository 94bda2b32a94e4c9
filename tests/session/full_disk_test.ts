import { match } from "node:assert/strict";
import { canFillDisk, runOnSmallDisk } from "../support/small_disk.ts";
import { withWorkspace } from "../support/workspace.ts";

Deno.test({
  name: "a session that a full disk takes nothing of says so, and not that somebody else has it",
  ignore: !canFillDisk(),
  async fn() {
    await withWorkspace(async (dir) => {
      const said = await runOnSmallDisk(
        `
        import { SessionLog } from "@/session/log.ts";
        const [full] = Deno.args;
        try {
          Deno.writeFileSync(full + "/fill", new Uint8Array(1_000_000));
        } catch (error) {
          if (error.code !== "ENOSPC") throw error;
        }
        const log = SessionLog.create(full + "/sessions", { isRecording: () => true, slugCharsMax: 48 });
        log.append({ type: "turn_start", turn: 1 });
        for (let n = 0; n < 3; n++) {
          try {
            await log.flush();
            console.log("flushed", log.unsaved);
          } catch (error) {
            console.log(error.message);
          }
        }
        try {
          await log.close();
        } catch (error) {
          console.log(error.message);
        }
      `,
        dir,
      );
      match(
        said,
        /^(Cannot save session "[^"]+": the disk is full\n)(flushed 1\n){2}\1$/,
      );
    });
  },
});
