/** The profiles that come with harness, as text of the program. */
import coderHead from "@profiles/coder/profile.md" with { type: "text" };
import supervisorHead from "@profiles/supervisor/profile.md" with { type: "text" };
import supervisorRules from "@profiles/supervisor/policy.toml" with { type: "text" };

/** Name → the text of each of its files, by name. */
export const SHIPPED_PROFILES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  coder: { "profile.md": coderHead },
  supervisor: { "profile.md": supervisorHead, "policy.toml": supervisorRules },
};
