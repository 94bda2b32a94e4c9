/** The profile of the run: its part of the system prompt. Its tools and rules are taken where those are put together. */
import type { Feature, FeatureParts } from "@/compose/feature.ts";
import type { Profile } from "@/compose/profile.ts";
import { counted } from "@/lib/counted.ts";

/** Make it. */
export function profile(
  { profile, place }: Pick<FeatureParts, "profile" | "place">,
): Feature<"profile"> {
  return {
    name: "profile",
    lend: {
      profile: {
        describe: () => described(profile),
        copy: async (name) => {
          const { copyProfile } = await import("./profile/copy.ts");
          return await copyProfile(name, place.paths.profiles);
        },
      },
    },
    work: () => ({
      prompt: () => profile.prompt,
      promptBeside: () => (profile.agents ?? profile).prompt,
    }),
  };
}

function described({ name, directory, prompt, model, tools, rules, agents }: Profile): string {
  const asked = rules?.otherwise === undefined ? "" : `, else ${rules.otherwise.verdict}`;
  const where = directory ?? `comes with harness; /profile copy ${name} makes it yours to change`;
  return [
    `${name}: ${where}`,
    `  prompt  ${prompt === "" ? "none of its own" : counted(prompt.length, "character")}`,
    `  model   ${model ?? "whichever is chosen"}`,
    `  tools   ${tools === undefined ? "all" : `${tools.join(", ")}, and those of the harness`}`,
    `  rules   ${
      rules === undefined
        ? "none of its own"
        : `${counted(rules.entries.length, "entry", "entries")}${asked}`
    }; /policy lists all that are in force`,
    `  agents  hired as ${agents?.name ?? name}`,
  ].join("\n");
}
