/** Amazon Bedrock: what only it has. The rest of it is in the conformance suites. */
import { deepStrictEqual as equal, match, ok, rejects } from "node:assert/strict";
import { join } from "node:path";
import { ProviderError } from "@/protocol/provider.ts";
import { AwsAccess } from "@/provider/aws_access.ts";
import type { HttpRequest } from "@/provider/http.ts";
import { awsRegion, credentialsFrom } from "@/provider/aws_place.ts";
import { GarbledStream, readEventStream } from "@/provider/event_stream.ts";
import { Http } from "@/provider/mod.ts";
import { knownModel } from "@/provider/model_table.ts";
import { requestOf, user } from "../support/conversation.ts";
import { type FakeBedrockOptions, message, startFakeBedrock } from "../support/fake_bedrock.ts";
import type { FakeApi, Script } from "../support/fake_api.ts";
import { fc } from "../support/property.ts";
import { AWS_TEST_ENV, calm, collect, wireOptions } from "../support/wire_options.ts";
import { load } from "../support/wires.ts";
import { withWorkspace } from "../support/workspace.ts";
import type { WireProvider } from "@/provider/wire.ts";

const MODEL = "us.anthropic.claude-opus-5-v1:0";
type Env = Record<string, string>;

async function withBedrock(
  { env = AWS_TEST_ENV, server = {}, script = [{ text: "Hello." }] }: {
    env?: Env;
    server?: FakeBedrockOptions;
    script?: Script;
  },
  body: (provider: WireProvider, api: FakeApi) => Promise<void>,
): Promise<void> {
  await using api = startFakeBedrock(script, server);
  const http = new Http({ env: {}, offline: true });
  const options = wireOptions("bedrock", api.url, { sources: { env }, http, retriesMax: 0 });
  using _ = http;
  await body(await load("bedrock", options), api);
}

const ask = (provider: WireProvider) =>
  collect(provider.stream(requestOf(MODEL, [user("Hi")]), calm()));

function failsWith(what: Promise<unknown>, message: RegExp, hint: RegExp): Promise<void> {
  return rejects(what, (error: unknown) => {
    ok(error instanceof ProviderError);
    equal(error.kind, "auth");
    match(error.message, message);
    match(error.hint, hint);
    return true;
  });
}

Deno.test("bedrock: requests are signed, and the caches are marked as on Anthropic's own wire", () =>
  withBedrock({}, async (provider, api) => {
    const events = await collect(provider.stream(
      requestOf(MODEL, [user("Hi")], { hints: { cacheTtl: "1h" } }),
      calm(),
    ));
    equal(events.at(-1)?.type, "done");
    const [request] = api.requests;
    equal(request?.path, `/model/${encodeURIComponent(MODEL)}/invoke-with-response-stream`);
    match(JSON.stringify(api.bodies[0]), /"cache_control":\{"type":"ephemeral","ttl":"1h"\}/);
  }));

Deno.test("bedrock: a bearer key is sent as it is, and nothing is signed", () =>
  withBedrock(
    { env: { AWS_BEARER_TOKEN_BEDROCK: "bedrock-key" }, server: { bearer: "bedrock-key" } },
    async (provider, api) => {
      await ask(provider);
      equal(api.requests[0]?.headers.authorization, "Bearer bedrock-key");
    },
  ));

Deno.test("bedrock: old keys in the environment are named as such, with what to do about the profile", async () => {
  const env = { ...AWS_TEST_ENV, AWS_ACCESS_KEY_ID: "AKIASTALE" };
  await withBedrock({ env }, async (provider) => {
    await failsWith(
      ask(provider),
      /^AWS did not accept the credentials that were used: AWS_ACCESS_KEY_ID in the environment.*security token included in the request is invalid/,
      /come before the profile that aws sso login refreshes.*unset AWS_ACCESS_KEY_ID/,
    );
  });
});

Deno.test("bedrock: a session token that the server echoes is told to nobody", () =>
  withBedrock({
    env: { ...AWS_TEST_ENV, AWS_SECRET_ACCESS_KEY: "wrong", AWS_SESSION_TOKEN: "IQoJtokentoken" },
  }, async (provider) => {
    await rejects(ask(provider), (error: unknown) => {
      ok(error instanceof ProviderError);
      ok(!`${error.message} ${error.hint} ${error.detail}`.includes("IQoJtokentoken"));
      match(error.message, /does not match/);
      return true;
    });
  }));

Deno.test("bedrock: a profile is used where one is named, and named where AWS refuses it", () =>
  withWorkspace(async (root) => {
    const [config, credentials] = [join(root, "config"), join(root, "credentials")];
    await Deno.writeTextFile(
      config,
      "[default]\nregion = us-x-1\n[profile work]\nregion = eu-test-1\n",
    );
    await Deno.writeTextFile(
      credentials,
      `[work]\naws_access_key_id = AKIATEST\naws_secret_access_key = ${AWS_TEST_ENV.AWS_SECRET_ACCESS_KEY}\n`,
    );
    const files = { AWS_CONFIG_FILE: config, AWS_SHARED_CREDENTIALS_FILE: credentials };
    const stale = { AWS_ACCESS_KEY_ID: "AKIASTALE", AWS_SECRET_ACCESS_KEY: "old" };
    const env = { ...files, ...stale, AWS_PROFILE: "work" };
    equal([awsRegion(env), awsRegion(files), awsRegion({})], ["eu-test-1", "us-x-1", "us-east-1"]);
    equal(credentialsFrom(env), 'profile "work" (AWS_PROFILE)');
    await withBedrock({ env }, async (provider) => {
      equal((await ask(provider)).at(-1)?.type, "done");
    });
    await withBedrock(
      { env, server: { secrets: {} } },
      (provider) =>
        failsWith(ask(provider), /profile "work" \(AWS_PROFILE\)/, /aws sso login --profile work/),
    );
    const none = { ...env, AWS_PROFILE: "nobody" };
    await withBedrock(
      { env: none },
      (provider) =>
        failsWith(ask(provider), /it wants AWS credentials and none were found/, /aws sso login/),
    );
  }));

Deno.test("bedrock: a role is asked for by our own way out, and what it gives signs", () =>
  withWorkspace(async (root) => {
    const [config, credentials] = [join(root, "config"), join(root, "credentials")];
    const role =
      "[profile role]\nrole_arn = arn:aws:iam::1:role/x\nsource_profile = work\nregion = eu-test-1\n";
    await Deno.writeTextFile(config, role);
    await Deno.writeTextFile(
      credentials,
      "[work]\naws_access_key_id = AKIA\naws_secret_access_key = s\n",
    );
    const asked: HttpRequest[] = [];
    const access = new AwsAccess({
      env: {
        AWS_PROFILE: "role",
        AWS_CONFIG_FILE: config,
        AWS_SHARED_CREDENTIALS_FILE: credentials,
      },
      region: "eu-test-1",
      now: () => 0,
      http: {
        text: (request) => {
          asked.push(request);
          const headers = new Headers({ "content-type": "text/xml" });
          return Promise.resolve({ status: 200, headers, text: ROLE });
        },
      },
    });
    const { headers } = await access.sign({ url: "https://x.example/a", headers: {}, body: "{}" });
    equal(asked.map(({ url }) => url), ["https://sts.eu-test-1.amazonaws.com/"]);
    match(asked[0]?.body ?? "", /Action=AssumeRole/);
    match(headers.authorization ?? "", /Credential=ASIAROLE\/19700101\/eu-test-1\/bedrock\//);
    equal(headers["x-amz-security-token"], "a session token");
    equal(access.secrets.map((secret) => secret.reveal()), ["role secret", "a session token"]);
  }));

const ROLE =
  `<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult>
<Credentials><AccessKeyId>ASIAROLE</AccessKeyId><SecretAccessKey>role secret</SecretAccessKey>
<SessionToken>a session token</SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration></Credentials>
</AssumeRoleResult></AssumeRoleResponse>`;

Deno.test("bedrock: a model that the account may not use is another sentence than bad credentials", () =>
  withBedrock({
    script: [{
      fault: {
        kind: "status",
        status: 403,
        body: { message: "You don't have access to the model with the specified model ID." },
      },
    }],
  }, (provider) =>
    failsWith(
      ask(provider),
      /^AWS does not let AWS_ACCESS_KEY_ID in the environment use .* in eu-test-1/,
      /The credentials were accepted: allow the model/,
    )));

Deno.test("bedrock: models() lists profiles over all pages before models that are asked by themselves", () => {
  const profile = (id: string, status = "ACTIVE") => ({ inferenceProfileId: id, status });
  const lists = {
    models: {
      modelSummaries: [
        {
          modelId: "anthropic.claude-haiku-4-5-20251001-v1:0",
          inferenceTypesSupported: ["ON_DEMAND"],
          inputModalities: ["TEXT", "IMAGE"],
        },
        { modelId: "anthropic.claude-opus-5-v1:0", inferenceTypesSupported: ["INFERENCE_PROFILE"] },
      ],
    },
    profiles: [
      { inferenceProfileSummaries: [profile(MODEL), profile("us.meta.llama")], nextToken: "1" },
      { inferenceProfileSummaries: [profile("eu.anthropic.claude-x", "OLD")], nextToken: null },
    ],
  };
  return withBedrock({ server: { lists } }, async (provider) => {
    equal(await provider.models(calm()), [
      { name: MODEL, takesTools: true },
      { name: "anthropic.claude-haiku-4-5-20251001-v1:0", takesTools: true, takesImages: true },
    ]);
  });
});

Deno.test("knownModel() knows what Bedrock calls Anthropic's models", () => {
  const own = knownModel("anthropic", "claude-opus-4-5");
  ok(own !== undefined);
  for (const name of ["us.anthropic.claude-opus-4-5-20251101-v1:0", "anthropic.claude-opus-4-5"]) {
    equal(knownModel("bedrock", name), own);
  }
  equal(knownModel("bedrock", "amazon.nova"), undefined);
});

async function read(chunks: readonly Uint8Array[]): Promise<unknown[]> {
  const found: unknown[] = [];
  const body = ReadableStream.from(chunks.map((bytes) => new Uint8Array(bytes)));
  for await (const { headers, payload } of readEventStream(body, calm())) {
    found.push([headers, JSON.parse(new TextDecoder().decode(payload))]);
  }
  return found;
}

Deno.test("readEventStream() reads every message, wherever the bytes are cut, and none that was changed", () =>
  fc.assert(fc.asyncProperty(
    fc.array(fc.tuple(fc.stringMatching(/^[a-z]{1,9}$/), fc.jsonValue()), { minLength: 1 }),
    fc.integer({ min: 1, max: 40 }),
    fc.nat(),
    async (messages, cut, at) => {
      const stream = messages.map(([name, value]) => message({ [name]: "가" }, value));
      const bytes = new Uint8Array(stream.flatMap((one) => [...one]));
      const pieces = (all: Uint8Array) =>
        Array.from(
          { length: Math.ceil(all.length / cut) },
          (_, n) => all.subarray(n * cut, (n + 1) * cut),
        );
      const plain = (value: unknown) => JSON.parse(JSON.stringify(value));
      equal(
        await read(pieces(bytes)),
        messages.map(([name, value]) => [{ [name]: "가" }, plain(value)]),
      );
      const bad = bytes.slice();
      const place = at % bad.length;
      bad[place] = (bad[place] ?? 0) ^ 1;
      await rejects(read(pieces(bad)), GarbledStream);
    },
  )));
