/** Our errors as the protocol's, with our sentences. */
import { RequestError } from "@agentclientprotocol/sdk";
import { describe } from "@/lib/describe.ts";
import { PersonError } from "@/protocol/error.ts";
import { ProviderError } from "@/protocol/provider.ts";
import { NotOneSession } from "@/session/find.ts";

/** The codes of the protocol that carry our sentences. */
const CODE = {
  /** Something has to be set up before a session can begin: terms, a model, a key. */
  setUp: -32000,
  notFound: -32002,
  invalid: -32602,
  internal: -32603,
} as const;

/** What a client is answered. `data` names the kind and the next step by themselves. */
export function asRequestError(error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  if (!(error instanceof PersonError || error instanceof ProviderError)) {
    return new RequestError(CODE.internal, `This is a fault of the program: ${describe(error)}`);
  }
  const { kind, message, hint } = error;
  const said = hint === "" ? message : `${message}. ${hint}`;
  return new RequestError(codeOf(error), said, { kind, message, hint });
}

/** A sentence about what a client asked for and cannot have. */
export function invalid(message: string, hint = ""): PersonError {
  return new PersonError("usage", message, hint);
}

function codeOf(error: PersonError | ProviderError): number {
  if (error instanceof NotOneSession) return CODE.notFound;
  if (error instanceof ProviderError) return error.kind === "auth" ? CODE.setUp : CODE.internal;
  switch (error.kind) {
    case "terms":
    case "auth":
    case "provider":
      return CODE.setUp;
    case "usage":
      return CODE.invalid;
    case "state":
    case "settings":
      return CODE.internal;
  }
}
