/** What the person's files and options allow: trust and rules, loaded for one run. */
import type { AppParts } from "./parts.ts";
import type { Profile } from "./profile.ts";
import type { Policy } from "@/policy/policy.ts";
import { mayHaveRules } from "@/policy/project_files.ts";
import { Trust } from "@/policy/trust.ts";
import type { Settings } from "@/settings/settings.ts";

/** What is trusted; with `--trust` also what the project holds now, for this run. */
export async function loadTrust({ run, place }: Pick<AppParts, "run" | "place">): Promise<Trust> {
  const trust = await Trust.load(place.paths.trust);
  if (run.trust === true) {
    const { pending } = await import("@/policy/pending.ts");
    trust.trustForRun(place.workspace, await pending(trust, place.workspace));
  }
  return trust;
}

type PolicyNeeds = Pick<AppParts, "run" | "place" | "trust" | "added" | "sandbox"> & {
  profile?: Profile;
  settings(): Settings;
};

/** The rules in force. */
export async function loadPolicy(needs: PolicyNeeds): Promise<Policy> {
  const { run, place, trust, added, settings, sandbox, profile } = needs;
  const { Policy } = await import("@/policy/policy.ts");
  const home = place.env["HOME"];
  return await Policy.load({
    personalFile: place.paths.permissions,
    project: place.workspace,
    trust,
    place: () => ({ workspace: place.workspace, added, ...(home === undefined ? {} : { home }) }),
    isEnabled: () => settings().PERMISSIONS_ENABLED,
    isSandboxed: () => sandbox.isProven,
    ...(profile?.rules === undefined ? {} : { profile: profile.rules }),
    flags: { allow: run.allow ?? [], deny: run.deny ?? [] },
  });
}

/** What is wrong with the rules. Where there can be none, they are not even loaded: a start is then faster. */
export async function ruleProblems(
  { run, place, policy }: Pick<AppParts, "run" | "place" | "policy">,
): Promise<readonly string[]> {
  const hasFlags = run.allow !== undefined || run.deny !== undefined;
  const isThere = hasFlags || await mayHaveRules(place.workspace, place.paths.permissions);
  return isThere ? (await policy()).problems : [];
}
