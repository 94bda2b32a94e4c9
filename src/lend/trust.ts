/** What `/trust` is lent. */
import type { AppParts } from "@/compose/parts.ts";
import { mayBringRights } from "@/policy/project_files.ts";
import type { TrustItem } from "@/policy/trust.ts";
import type { TrustPart } from "@/terminal/commands/lent/trust.ts";
import { done } from "@/terminal/commands/spec.ts";

/** Build it. */
export function trustPart(
  { trust, policy, place }: Pick<AppParts, "trust" | "policy" | "place">,
): TrustPart {
  /** What the person has seen: trust is about that, whatever the files have become since. */
  let shown: readonly TrustItem[] | undefined;
  const waiting = async () => {
    if (!await mayBringRights(place.workspace)) return [];
    const { pending } = await import("@/policy/pending.ts");
    return await pending(trust, place.workspace);
  };
  return {
    pending: async () => {
      const items = await waiting();
      shown = items;
      if (items.length === 0) return undefined;
      const rows = items.flatMap((
        { name, does },
      ) => [`${name}:`, ...does.map((line) => `  ${line}`)]);
      return [
        "This project brings files that would give rights. Until you trust them they do nothing:",
        ...rows,
      ]
        .join("\n");
    },
    grant: async () => {
      const items = shown ?? await waiting();
      if (items.length === 0) return done("Nothing of this project waits for trust");
      shown = undefined;
      await trust.grant(place.workspace, items);
      await (await policy()).reload();
      const left = await waiting();
      return done([
        `Trusted as they were shown: ${names(items)}`,
        ...(left.length === 0
          ? []
          : [`Not trusted, because it has changed since: ${names(left)}; /trust shows it`]),
      ].join("\n"));
    },
  };
}

function names(items: readonly TrustItem[]): string {
  return items.map(({ name }) => name).join(", ");
}
