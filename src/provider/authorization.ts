/** Headers that prove who asks. */
import type { Connection } from "./connection.ts";

/** A bearer token, or basic authentication where the base URL came with a user; nothing where there is no key. */
export function authorization({ key, userInfo }: Connection): Record<string, string> {
  if (key !== undefined) return { authorization: `Bearer ${key.reveal()}` };
  if (userInfo === undefined) return {};
  return { authorization: `Basic ${new TextEncoder().encode(userInfo.reveal()).toBase64()}` };
}
