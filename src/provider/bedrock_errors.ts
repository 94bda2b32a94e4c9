/** Causes of failure that only Amazon Bedrock has: credentials that it does not take, models that have to be allowed. */
import type { ErrorRows } from "./errors.ts";
import { key, model, said } from "./error_words.ts";
import type { Target } from "./failure.ts";
import type { ReplyFact } from "./reply_errors.ts";

export type AwsFacts = {
  /** Where the credentials come from, in words. */
  source: string;
  region: string;
  profile: string;
  isEnvKeys: boolean;
};

const REJECTED =
  /UnrecognizedClient|InvalidClientToken|ExpiredToken|InvalidSignature|SignatureDoesNotMatch|IncompleteSignature|MissingAuthenticationToken|InvalidAccessKey|security token|signature|(?:token|key) .*(?:expired|invalid)/i;

/** The rows, before all others. */
export function bedrockRows(aws: AwsFacts): ErrorRows {
  return {
    connection: [{
      name: "no AWS credentials",
      when: ({ problem }, { connection }) => problem === "no_key" && connection.key === undefined,
      kind: "auth",
      message: ({ words }, target) =>
        `Nothing was sent to ${
          new URL(target.connection.baseUrl).host
        }: it wants AWS credentials and none were found (${words})`,
      hint: () =>
        `Looked for in ${aws.source}. Sign in with aws sso login or aws configure, or set AWS_PROFILE, ` +
        "AWS_ACCESS_KEY_ID with AWS_SECRET_ACCESS_KEY, or AWS_BEARER_TOKEN_BEDROCK",
      again: "no",
    }],
    reply: [
      {
        name: "AWS credentials rejected",
        when: (fact) => (fact.status === 401 || fact.status === 403) && REJECTED.test(signs(fact)),
        kind: "auth",
        message: (fact, target) =>
          `AWS did not accept the credentials that were used: ${usedBy(target, aws)}${said(fact)}`,
        hint: (_, target) => placesToLook(target, aws),
        again: "no",
      },
      {
        name: "AWS model not allowed",
        when: ({ status }) => status === 403,
        kind: "auth",
        message: (fact, target) =>
          `AWS does not let ${usedBy(target, aws)} use ${model(target)} in ${aws.region}${
            said(fact)
          }`,
        hint: () =>
          `The credentials were accepted: allow the model for this account in Bedrock's console for ${aws.region}, ` +
          "and bedrock:InvokeModelWithResponseStream in its policy",
        again: "no",
      },
      {
        name: "AWS inference profile needed",
        when: (fact) => fact.status === 400 && /on-demand throughput/i.test(fact.body.message),
        kind: "not_found",
        message: (fact, target) =>
          `Amazon Bedrock does not answer for ${model(target)} by that id${said(fact)}`,
        hint: () =>
          "Use the id of an inference profile, for example us.anthropic.…; /models lists them",
        again: "no",
      },
    ],
  };
}

/** What the refusal calls itself: a header says it, and its words. */
function signs({ headers, body }: ReplyFact): string {
  return `${headers.get("x-amzn-errortype") ?? ""} ${body.type ?? ""} ${body.message}`;
}

function usedBy(target: Target, { source }: AwsFacts): string {
  return target.connection.key === undefined ? source : key(target);
}

function placesToLook({ connection }: Target, { isEnvKeys, profile }: AwsFacts): string {
  if (connection.key !== undefined) {
    return "It may have expired: make a new one in Bedrock's console, or unset AWS_BEARER_TOKEN_BEDROCK to use your profile";
  }
  if (isEnvKeys) {
    return "Keys in the environment come before the profile that aws sso login refreshes, and these may be old: unset " +
      "AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN, or name the profile by AWS_PROFILE, then start harness again";
  }
  return `Sign in again: aws sso login --profile ${profile}. Check that AWS_PROFILE names the profile that you mean`;
}
