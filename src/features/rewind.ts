/** `/rewind`: back to an earlier turn. */
import type { Feature, FeatureParts } from "@/compose/feature.ts";
import { rewindPart } from "@/lend/rewind.ts";
import type { Channel } from "./channel.ts";

/** Make it. `holdForPerson` holds files for what is taken back, or says who holds one of them instead. */
export function rewind(
  parts: FeatureParts,
  claims: Pick<Channel, "holdForPerson">,
): Feature<"rewind"> {
  return { name: "rewind", lend: { rewind: rewindPart(parts, claims) } };
}
