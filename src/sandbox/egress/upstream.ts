/**
 * Through the proxy that the person reaches the internet by. Names are resolved there, so what they lead to is not known
 * here: only the name was checked.
 */
import { describe } from "@/lib/describe.ts";
import type { Proxy } from "@/lib/proxy.ts";
import { settlesWithin } from "@/lib/within.ts";
import { writeWhole } from "@/lib/write_whole.ts";
import { readHead } from "./head.ts";
import { EgressRefused } from "./refusal.ts";
import { addressText, type Target } from "./target.ts";

const TUNNEL_MS = 20_000;

/** A tunnel to the target. Throws EgressRefused. */
export async function dialThrough(proxy: Proxy, target: Target): Promise<Deno.Conn> {
  const opening = open(proxy, target);
  if (await settlesWithin(opening, TUNNEL_MS)) return await opening;
  void opening.then((late) => late.close(), () => undefined);
  throw through(target, `${proxy.from}: no answer within ${TUNNEL_MS / 1000} s`);
}

async function open(proxy: Proxy, target: Target): Promise<Deno.Conn> {
  const url = URL.parse(proxy.url);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw through(target, `${proxy.from} names no HTTP proxy`);
  }
  const hostname = url.hostname.replace(/^\[|\]$/g, "");
  const isTls = url.protocol === "https:";
  const port = url.port === "" ? (isTls ? 443 : 80) : Number(url.port);
  let connection: Deno.Conn | undefined;
  try {
    connection = isTls
      ? await Deno.connectTls({ hostname, port })
      : await Deno.connect({ hostname, port });
    await writeWhole(connection, new TextEncoder().encode(question(url, target)));
    const answer = await readHead(connection);
    const status = /^HTTP\/1\.[01] (\d{3})/.exec(answer?.head ?? "")?.[1];
    if (status === "200" && answer?.rest.length === 0) return connection;
    throw through(target, `${proxy.from} answers ${status ?? "with nothing"}`);
  } catch (error) {
    connection?.close();
    if (error instanceof EgressRefused || !(error instanceof Error)) throw error;
    throw through(target, `${proxy.from}: ${describe(error)}`);
  }
}

function question({ username, password }: URL, target: Target): string {
  const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const bytes = new TextEncoder().encode(user);
  const where = addressText(target);
  return [
    `CONNECT ${where} HTTP/1.1`,
    `host: ${where}`,
    ...(username === "" ? [] : [`proxy-authorization: Basic ${bytes.toBase64()}`]),
    "\r\n",
  ].join("\r\n");
}

function through(target: Target, cause: string): EgressRefused {
  return new EgressRefused({ target, reason: { by: "proxy", cause } });
}
