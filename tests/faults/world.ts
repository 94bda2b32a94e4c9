/** The real program against one strict server, turn after turn in one session. */
import { join } from "node:path";
import type { FakeApi, Script } from "../support/fake_api.ts";
import { harness, type Ran } from "../support/program.ts";
import { AWS_TEST_ENV } from "../support/wire_options.ts";
import { WIRES, type WireUnderTest } from "../support/wires.ts";
import { withWorkspace } from "../support/workspace.ts";

/** The wires that a server on the loopback is reached by; Responses is spoken to OpenAI's own address alone. */
export const REACHED = WIRES.filter(({ wire }) => wire !== "openai_responses");

export type FaultWorld = {
  dir: string;
  home: string;
  /** The environment that leads to a server. */
  env(api: FakeApi): Record<string, string>;
  start(script: Script): FakeApi;
  run(
    api: FakeApi,
    args: readonly string[],
    onStart?: (child: Deno.ChildProcess) => void,
  ): Promise<Ran>;
};

/** A workspace, a state directory, and the program with a wire's model. */
export function faultWorld(
  under: WireUnderTest,
  body: (world: FaultWorld) => Promise<void>,
): Promise<void> {
  return withWorkspace(async (root) => {
    const [dir, home] = [join(root, "ws"), join(root, "home")];
    await Deno.mkdir(dir);
    await Deno.mkdir(home);
    const env = (api: FakeApi) => {
      const url = under.baseUrl(api.url);
      return {
        OLLAMA_HOST: url,
        ...(under.provider === "ollama" ? {} : { OLLAMA_HOST: "http://127.0.0.1:1" }),
        [`${under.provider.toUpperCase()}_BASE_URL`]: url,
        [`${under.provider.toUpperCase()}_API_KEY`]: "test-key",
        ...AWS_TEST_ENV,
        AWS_ENDPOINT_URL_BEDROCK_RUNTIME: url,
      };
    };
    await body({
      dir,
      home,
      env,
      start: under.start,
      run: (api, args, onStart) =>
        harness(["-m", `${under.provider}/${under.model}`, "--sandbox", "off", "--auto", ...args], {
          cwd: dir,
          home,
          env: env(api),
          ...(onStart === undefined ? {} : { onStart }),
        }),
    });
  });
}
