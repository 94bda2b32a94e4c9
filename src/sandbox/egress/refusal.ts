/** A connection that was not made, in words that say which, by what, and what would work. */
import { addressText, type Target, targetText } from "./target.ts";

/** Why a connection was not made. */
export type RefusalReason =
  | { by: "offline" }
  | { by: "denied"; rule: string }
  | { by: "not allowed" }
  | { by: "person"; answer: "no" | "late" }
  | { by: "address"; address: string; what: string; isNamed: boolean }
  | { by: "unknown host" }
  | { by: "unreachable"; cause: string }
  | { by: "proxy"; cause: string }
  | { by: "limit"; what: string }
  | { by: "form"; what: string };

/** One connection that was not made. `target` is absent where none could be read. */
export type Refusal = { readonly target?: Target; readonly reason: RefusalReason };

/** The refusal as one line. Host names are canonical, so nothing in it hides. */
export function refusalText({ target, reason }: Refusal): string {
  const where = target === undefined ? "A connection" : `The connection to ${addressText(target)}`;
  return `${where} was not made: ${cause(reason, target)}`;
}

function cause(reason: RefusalReason, target: Target | undefined): string {
  const host = target === undefined ? "HOST" : targetText(target);
  const allow = `/network allow ${host}`;
  switch (reason.by) {
    case "offline":
      return "this run was started with --offline";
    case "denied":
      return `${reason.rule} denies it`;
    case "not allowed":
      return `${host} is not an allowed host. The person allows it with ${allow}, or with ` +
        `--set NETWORK_ALLOW=${host} for one run`;
    case "person":
      return reason.answer === "no"
        ? `the person said no to ${host}; ${allow} would allow it`
        : `nobody answered the question about ${host} in time; ${allow} would allow it`;
    case "address":
      return addressCause(reason, target);
    case "unknown host":
      return "there is no host of that name";
    case "unreachable":
      return `it does not answer (${reason.cause})`;
    case "proxy":
      return `the proxy on the way does not let it through (${reason.cause})`;
    case "limit":
      return reason.what;
    case "form":
      return reason.what;
    default:
      return reason satisfies never;
  }
}

function addressCause(
  { address, what, isNamed }: Extract<RefusalReason, { by: "address" }>,
  target: Target | undefined,
): string {
  const is = isNamed ? `its name leads to ${address}, ${what}` : `it is ${what}`;
  const pair = target === undefined ? "HOST:PORT" : addressText(target);
  return `${is}. Only the person opens the way there, for one port: /network allow ${pair}`;
}

/** A refusal for whoever asked for the connection in this program. */
export class EgressRefused extends Error {
  override readonly name = "EgressRefused";
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusalText(refusal));
    this.refusal = refusal;
  }
}
