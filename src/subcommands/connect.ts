/** `harness connect`: the same as `/connect`, without a conversation; needs no accepted terms. */
import { connectCommand } from "@/lend/connect.ts";
import { reachOptions } from "@/compose/model.ts";
import { findPlace } from "@/compose/place.ts";
import { Http } from "@/provider/mod.ts";
import { loadSettings } from "@/settings/store.ts";
import { readSecret } from "@/entry/stdin.ts";
import type { PlainScreen } from "@/terminal/plain.ts";
import { answer, tell } from "@/terminal/process.ts";
import { EXIT, exitCodeOfError } from "@/terminal/exit_code.ts";
import { plainScreen } from "./plain_screen.ts";

/** Run it; a key may come on standard input. On the screen that is open already, if any. Resolves to the exit code. */
export async function connectFromShell(
  words: readonly string[],
  { baseUrl, offline = false }: { baseUrl?: string; offline?: boolean },
  open?: PlainScreen,
): Promise<number> {
  const place = await findPlace({});
  const { store } = await loadSettings({ file: place.paths.settings });
  const http = new Http({ env: place.env, offline });
  const run = baseUrl === undefined ? {} : { baseUrl };
  const isInteractive = Deno.stdin.isTerminal();
  const screen = open ?? (isInteractive ? plainScreen() : undefined);
  const never = new AbortController().signal;
  try {
    const { ok, text, error } = await connectCommand(words, {
      reach: () =>
        reachOptions({
          run,
          place,
          http,
          settings: () => store.current,
          isInteractive,
          warn: tell,
        }),
      settings: () => store.current,
      ask: async (question) => (await screen?.asker([question], never))?.[0],
      canAsk: isInteractive,
      secret: (label) =>
        screen === undefined ? readSecret(Deno.stdin.readable) : screen.secret(label),
      onConnected: () => Promise.resolve(),
      warn: tell,
    });
    if (ok) answer(text);
    else tell(text);
    return ok ? EXIT.done : exitCodeOfError(error);
  } finally {
    if (open === undefined) screen?.close();
    http[Symbol.dispose]();
  }
}
