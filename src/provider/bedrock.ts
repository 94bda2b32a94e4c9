/** Amazon Bedrock, with Anthropic's models. */
import { awsRegion, credentialsFrom } from "./aws_place.ts";
import { needed, type ProviderDeclaration } from "./declaration.ts";

export const bedrock: ProviderDeclaration = {
  name: "bedrock",
  title: "Amazon Bedrock",
  needsKey: true,
  takesCacheLifetime: true,
  reached: {
    keyVariables: ["AWS_BEARER_TOKEN_BEDROCK"],
    baseUrlVariable: "AWS_ENDPOINT_URL_BEDROCK_RUNTIME",
    defaultBaseUrl: "https://bedrock-runtime.us-east-1.amazonaws.com",
    baseUrlFor: (env) => `https://bedrock-runtime.${awsRegion(env)}.amazonaws.com`,
    credentials: credentialsFrom,
  },
  async load(reach) {
    const { bedrockProvider } = await import("./bedrock_wire.ts");
    return bedrockProvider(needed(reach));
  },
};
