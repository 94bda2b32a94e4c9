/** What Bedrock refuses about a body: Anthropic's own, with the version inside and the model outside. */
import { checkAnthropic } from "./anthropic.ts";
import { type Json, refuse } from "./shared.ts";

export function checkBedrock({ anthropic_version: version, ...body }: Json): void {
  if (version !== "bedrock-2023-05-31") refuse("anthropic_version: Field required");
  for (const name of ["model", "stream"]) {
    if (name in body) refuse(`${name}: Extra inputs are not permitted`);
  }
  checkAnthropic({ ...body, model: "claude", stream: true });
}
