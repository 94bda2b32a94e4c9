/** What `/autoverify` and `/tdd` are lent. */
import type { AutoVerify } from "@/agent/hooks/auto_verify.ts";
import type { TestLock } from "@/agent/test_lock.ts";
import type { FeatureParts } from "@/compose/feature.ts";
import type { TddPart, VerifyPart } from "@/terminal/commands/lent/verify.ts";

type Needs = Pick<FeatureParts, "place" | "settings" | "processes">;

/** Build it. `hook` is there once turns have been made ready. */
export function verifyPart(
  { place, settings, processes }: Needs,
  hook: () => AutoVerify | undefined,
): VerifyPart {
  return {
    describe: async () => {
      const [{ ECOSYSTEMS }, { checksIn }, { commandLine }] = await Promise.all([
        import("@/verify/ecosystems/mod.ts"),
        import("@/verify/detect.ts"),
        import("@/verify/check.ts"),
      ]);
      const here = await checksIn(place.workspace, {
        isInstalled: async (name) => await processes.find(name, [place.workspace]) !== undefined,
      });
      const width = Math.max(
        ...ECOSYSTEMS.flatMap(({ rows }) => rows.map((r) => r.declared.length)),
      );
      const off = hook()?.off ?? [];
      return [
        `auto-verify is ${settings.current.AUTO_VERIFY ? "on" : "off"}`,
        here.length === 0
          ? "This project declares no check at its top"
          : `This project declares: ${here.map(commandLine).join(", ")}`,
        ...off.map(({ line, root, why }) =>
          `Off for this session: ${line} in ${root}, because ${why}`
        ),
        "What a project can declare, and what is run then:",
        ...ECOSYSTEMS.flatMap(({ rows }) =>
          rows.map(({ declared, runs }) => `  ${declared.padEnd(width)}  ${runs}`)
        ),
      ].join("\n");
    },
    turn: (on) => {
      settings.setForSession("AUTO_VERIFY", on);
      if (on) hook()?.reset();
    },
  };
}

/** Build it. */
export function tddPart(
  { live }: Pick<FeatureParts, "live">,
  lock: () => Promise<TestLock>,
): TddPart {
  return {
    arm: async () => (await lock()).arm(live.harness.turn),
    lift: async () => (await lock()).lift(),
  };
}
