/** The hosted providers at their own addresses, for what is typed to connect one: by a proxy and certificates of our own. */
import { makeCertificates } from "../support/certificates.ts";
import { startConnectProxy } from "../support/connect_proxy.ts";
import { fakeAnthropic } from "../support/fake_anthropic.ts";
import { type FakeWire, startFakeApi } from "../support/fake_api.ts";
import { fakeGemini } from "../support/fake_gemini.ts";
import { fakeChat } from "../support/fake_openai_chat.ts";
import type { Step } from "./case_file.ts";

const HOSTED: Readonly<Record<string, { host: string; wire: () => FakeWire }>> = {
  openai: { host: "api.openai.com", wire: () => fakeChat({ models: [{ id: "gpt-x" }] }) },
  anthropic: { host: "api.anthropic.com", wire: () => fakeAnthropic() },
  gemini: { host: "generativelanguage.googleapis.com", wire: () => fakeGemini() },
};

/** Variables by which the program reaches the provider that the person connects; none where none is connected. */
export async function reachProvider(
  steps: readonly Step[],
  dir: string,
): Promise<{ env: Record<string, string> } & AsyncDisposable> {
  const line = steps.find((step) => step.kind === "user" && step.line.startsWith("/connect "));
  const named = line?.kind === "user" ? line.line.split(/\s+/)[1] : undefined;
  const hosted = HOSTED[named ?? ""];
  if (hosted === undefined) return { env: {}, [Symbol.asyncDispose]: () => Promise.resolve() };
  const { cert, key, ca } = await makeCertificates(dir, hosted.host);
  const api = startFakeApi(hosted.wire(), () => ({ text: "Hello." }), { cert, key });
  const proxy = startConnectProxy([], Number(new URL(api.url).port));
  return {
    env: { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`, SSL_CERT_FILE: ca },
    [Symbol.asyncDispose]: async () => {
      await proxy[Symbol.asyncDispose]();
      await api[Symbol.asyncDispose]();
    },
  };
}
