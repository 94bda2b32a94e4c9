/** The status line in words. */
import { deepStrictEqual as equal } from "node:assert/strict";
import type { StatusNow } from "@/terminal/commands/lent/status.ts";
import { runCommand } from "@/terminal/commands/mod.ts";
import type { CommandHost } from "@/terminal/commands/spec.ts";

async function said(now: StatusNow, modes: { auto?: boolean; plan?: boolean } = {}) {
  const mode = (isOn = false) => ({ isOn: () => isOn, turn: () => {} });
  const host: Pick<CommandHost, "isInteractive" | "status" | "automode" | "planmode"> = {
    isInteractive: false,
    status: { now: () => Promise.resolve(now) },
    automode: mode(modes.auto),
    planmode: mode(modes.plan),
  };
  const { ok, text } = await runCommand("/status", host as CommandHost);
  equal(ok, true);
  return text;
}

Deno.test("/status says in words what the status line says", async () => {
  equal(
    await said({
      model: "ollama/m",
      protocol: "native",
      contextTokens: 27_000,
      windowTokens: 65_536,
      cost: 0.123,
      sandbox: "sandboxed",
    }),
    `model    ollama/m (native protocol)
context  about 27,000 of 65,536 tokens
cost     $0.12
mode     ask
sandbox  sandboxed`,
  );
});

Deno.test("/status leaves out what is not known, and says the mode that holds", async () => {
  const now = { model: "ollama/m", contextTokens: 900 };
  equal(
    await said(now, { auto: true }),
    "model    ollama/m\ncontext  about 900 tokens\nmode     auto",
  );
  equal(
    await said(now, { auto: true, plan: true }),
    "model    ollama/m\ncontext  about 900 tokens\nmode     plan",
  );
});
