/** The profile of the run: its part of the system prompt. Its tools and rules are taken where those are put together. */
import type { Feature, FeatureParts } from "@/compose/feature.ts";
import { counted } from "@/lib/counted.ts";

/** Make it. */
export function profile(
  { profile }: Pick<FeatureParts, "profile">,
): Feature<"profile"> {
  return {
    name: "profile",
    lend: {
      profile: {
        describe: () => {
          const { name, directory, prompt, model, tools, rules } = profile;
          const asked = rules?.otherwise === undefined ? "" : `, else ${rules.otherwise.verdict}`;
          return [
            `${name}: ${directory ?? "the one without a directory; --profile DIR takes another"}`,
            `  prompt  ${prompt === "" ? "none of its own" : counted(prompt.length, "character")}`,
            `  model   ${model ?? "whichever is chosen"}`,
            `  tools   ${
              tools === undefined ? "all" : `${tools.join(", ")}, and those of the harness`
            }`,
            `  rules   ${
              rules === undefined
                ? "none"
                : `${counted(rules.entries.length, "entry", "entries")}${asked}`
            }; /perms lists all that are in force`,
          ].join("\n");
        },
      },
    },
    work: () => ({ prompt: () => profile.prompt }),
  };
}
