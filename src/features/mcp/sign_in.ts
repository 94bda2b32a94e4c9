/** `/mcp login` and `/mcp logout`: the person signs in to a server in their browser; nothing is opened or fetched for them. */
import { PROGRAM } from "@/compose/program.ts";
import { describe } from "@/lib/describe.ts";
import { visible } from "@/lib/visible.ts";
import { type Callback, listenForCallback } from "@/mcp/callback.ts";
import type { Reach } from "@/mcp/client.ts";
import type { Server } from "@/mcp/server.ts";
import { clientIn, SignIn } from "@/mcp/sign_in.ts";
import type { SignIns } from "@/mcp/sign_ins.ts";
import type { Asker } from "@/protocol/policy.ts";
import { type CommandResult, done, refused } from "@/terminal/commands/spec.ts";

export type SigningParts = {
  signIns: SignIns;
  asker: Asker;
  http: Extract<Reach, { kind: "http" | "sse" }>["fetch"];
  timeoutMs: number;
};

const OPENED = "I have opened it";
const DECLINE = "Do not sign in";
/** How long the person has in the browser. */
const WAIT_MS = 10 * 60 * 1000;
const NOTHING_CAME = `Nothing came back from the browser in ${WAIT_MS / 60_000} minutes`;
const NOT_ASKED = {
  onToolsChanged: () => {},
  onResourcesChanged: () => {},
  onPromptsChanged: () => {},
  onClosed: () => {},
  elicit: () => Promise.resolve({ action: "cancel" as const }),
};

/** The person did not go on with it. The message is a sentence. */
class GivenUp extends Error {
  override readonly name = "GivenUp";
}

/** Sign in. Refused with a sentence where that is not possible, or was given up. */
export async function login(server: Server, parts: SigningParts): Promise<CommandResult> {
  const { entry } = server;
  const name = visible(entry.name, { oneLine: true });
  const { start } = entry;
  if (start === undefined || start.kind === "stdio") {
    return refused(`Server "${name}" is a program on this machine: there is nothing to sign in to`);
  }
  if (server.state.kind === "waiting") return refused(`Server "${name}": ${server.state.why}`);
  const { signIn } = await import("@/mcp/client.ts");
  const { port } = await parts.signIns.of(start.url);
  const arranged = start.oauth?.callbackPort;
  await using callback = listenForCallback(arranged ?? port);
  if (arranged !== undefined && callback.port !== arranged) {
    return refused(
      `Not signed in to "${name}": port ${arranged}, to which its entry has the browser come back, is in use; end what listens there, or arrange another "callbackPort"`,
    );
  }
  let shown: URL | undefined;
  const provider = new SignIn({
    name,
    url: start.url,
    signIns: parts.signIns,
    port: callback.port,
    ...clientIn(start),
    show: (url) => shown = url,
  });
  const reach = { ...start, fetch: parts.http, authProvider: provider };
  try {
    const isNew = await signIn(
      { reach, hooks: NOT_ASKED, program: PROGRAM, timeoutMs: parts.timeoutMs },
      () => answered({ name, url: shown, state: provider.state(), callback }, parts),
    );
    return done(
      isNew ? `Signed in to "${name}"` : `Server "${name}" lets you in as it is: nothing to do`,
    );
  } catch (error) {
    if (error instanceof GivenUp) return refused(error.message);
    return refused(`Not signed in to "${name}": ${provider.hide(describe(error))}`);
  }
}

/** Forget a sign-in, and what harness was registered as. */
export async function logout(
  { entry }: Server,
  { signIns }: Pick<SigningParts, "signIns">,
): Promise<CommandResult> {
  const name = visible(entry.name, { oneLine: true });
  const url = entry.start !== undefined && "url" in entry.start ? entry.start.url : undefined;
  const isKept = url !== undefined && (await signIns.of(url)).tokens !== undefined;
  if (!isKept) return refused(`You are not signed in to "${name}"`);
  await signIns.change(url, () => undefined);
  return done(
    `Forgot the sign-in to "${name}" here. What the server gave is good there until it ends, or until you revoke it there`,
  );
}

type Asked = { name: string; url: URL | undefined; state: string; callback: Callback };

/** What came back from the browser, or what the person pasted of it. */
async function answered(
  { name, url, state, callback }: Asked,
  { asker }: SigningParts,
): Promise<URLSearchParams> {
  if (url === undefined) throw new Error("it did not say where");
  const arrived = callback.answer(state);
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), WAIT_MS);
  try {
    const asked = asker([question(name, url)], over.signal).catch((error: unknown) => {
      if (over.signal.aborted) return undefined;
      throw error;
    });
    const first = await Promise.race([arrived, asked]);
    if (first instanceof URLSearchParams) return first;
    const word = first?.[0]?.trim();
    if (over.signal.aborted) throw new GivenUp(NOTHING_CAME);
    if (word === undefined) {
      throw new GivenUp(
        `Signing in to "${name}" needs you at a terminal: start harness and say /mcp login ${name}`,
      );
    }
    if (word === DECLINE || word === "") throw new GivenUp(`Not signed in to "${name}"`);
    if (word !== OPENED) return pasted(word, state);
    return await Promise.race([arrived, timedOut(over.signal)]);
  } finally {
    clearTimeout(timer);
    over.abort();
  }
}

function question(name: string, url: URL) {
  const where = visible(url.href, { oneLine: true });
  const text =
    `MCP server "${name}" wants you to sign in. Open this address in your browser:\n${where}\n` +
    `Its host is ${url.host}. What comes after it reaches harness by itself; from another machine, paste the address at which the browser ends`;
  return { text, options: [OPENED, DECLINE], freeText: true };
}

/** The answer in the address at which a browser on another machine ended. */
function pasted(text: string, state: string): URLSearchParams {
  const params = URL.parse(text)?.searchParams;
  if (params?.get("state") !== state) {
    throw new GivenUp("That is not the address of this sign-in; /mcp login begins another one");
  }
  return params;
}

async function timedOut(signal: AbortSignal): Promise<never> {
  await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
  throw new GivenUp(NOTHING_CAME);
}
