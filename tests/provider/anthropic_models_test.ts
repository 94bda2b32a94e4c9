import { deepStrictEqual as equal, match } from "node:assert/strict";
import type { Request } from "@/protocol/provider.ts";
import { type Body, exchange, MODEL, run, withAnthropic } from "../support/with_anthropic.ts";
import { calm } from "../support/wire_options.ts";

/** What `/v1/models/{id}` says of a model. */
function listed(adaptive: boolean, disabled: boolean, efforts: string[]) {
  const flag = (supported: boolean) => ({ supported });
  return {
    id: MODEL,
    max_input_tokens: 1_000_000,
    max_tokens: 128_000,
    capabilities: {
      image_input: flag(true),
      thinking: {
        types: {
          adaptive: flag(adaptive),
          disabled: flag(disabled),
          enabled: flag(false),
          between_tools: null,
        },
      },
      effort: Object.fromEntries(
        ["low", "medium", "high", "xhigh", "max"].map((
          name,
        ) => [name, name === "xhigh" ? null : flag(efforts.includes(name))]),
      ),
    },
  };
}

const EFFORTS = ["low", "medium", "high", "max"];
const CASES: [
  ReturnType<typeof listed>,
  Request["hints"],
  unknown,
  unknown,
  RegExp | undefined,
][] = [
  [listed(true, true, EFFORTS), {}, undefined, undefined, undefined],
  [
    listed(true, true, EFFORTS),
    { thinking: "adaptive", effort: "max" },
    { type: "adaptive", display: "summarized" },
    { effort: "max" },
    undefined,
  ],
  [listed(true, true, EFFORTS), { thinking: "off" }, { type: "disabled" }, undefined, undefined],
  [
    listed(true, false, EFFORTS),
    { thinking: "off" },
    undefined,
    undefined,
    /cannot be kept from thinking/,
  ],
  [
    listed(true, true, EFFORTS),
    { thinking: "off", effort: "max" },
    undefined,
    { effort: "max" },
    /cannot be kept from thinking at effort max/,
  ],
  [
    listed(true, true, ["low", "high"]),
    { effort: "max" },
    undefined,
    { effort: "high" },
    /takes effort high, not max/,
  ],
  [
    listed(false, true, []),
    { effort: "low" },
    undefined,
    undefined,
    /takes no effort/,
  ],
  [
    listed(false, true, []),
    { thinking: "adaptive" },
    undefined,
    undefined,
    /takes no adaptive thinking/,
  ],
];

Deno.test("anthropicProvider() asks for what the model can, says what it changed, and says it once (check 24)", async () => {
  for (const [facts, hints, thinking, config, note] of CASES) {
    await withAnthropic({ server: { models: [facts] } }, async (provider, api) => {
      const notes = [];
      for (let times = 0; times < 2; times += 1) {
        const events = await run(provider, { hints });
        notes.push(...events.flatMap((event) => event.type === "notice" ? [event.text] : []));
      }
      const [body]: Body[] = api.bodies as Body[];
      equal([body.thinking, body.output_config], [thinking, config], JSON.stringify(hints));
      if (note === undefined) equal(notes, []);
      else {
        equal(notes.length, 1);
        match(notes[0] ?? "", note);
      }
      equal(
        api.others.length,
        Object.keys(hints).length === 0 ? 0 : 1,
        "the model is asked about once, and only for a wish",
      );
    });
  }
});

Deno.test("anthropicProvider() reads off the name what a server does not say", async () => {
  const cases: [string, Request["hints"], unknown, unknown][] = [
    ["claude-haiku-4-5", { thinking: "adaptive", effort: "high" }, undefined, undefined],
    ["claude-opus-4-5-20251101", { effort: "max" }, undefined, { effort: "high" }],
    [
      "claude-sonnet-4-6",
      { thinking: "adaptive" },
      { type: "adaptive", display: "summarized" },
      undefined,
    ],
    ["claude-opus-5-5", { thinking: "off" }, undefined, undefined],
    ["claude-fable-5-1", { thinking: "off" }, undefined, undefined],
    ["claude-new-9", { thinking: "off" }, { type: "disabled" }, undefined],
    ["MiniMax-M3", { thinking: "adaptive", effort: "high" }, undefined, undefined],
  ];
  for (const [model, hints, thinking, config] of cases) {
    const { body } = await exchange({}, { model, hints });
    equal([body.thinking, body.output_config], [thinking, config], model);
  }
});

Deno.test("anthropicProvider() lists all pages of models with their windows", async () => {
  const models = [listed(true, true, []), { ...listed(true, true, []), id: "claude-two" }, {
    id: "old",
  }];
  await withAnthropic({ server: { models } }, async (provider, api) => {
    const infos = await provider.models(calm());
    equal(infos.map(({ name }) => name), [MODEL, "claude-two", "old"]);
    equal(infos[0], {
      name: MODEL,
      takesTools: true,
      windowTokens: 1_000_000,
      outputTokensMax: 128_000,
      takesImages: true,
      thinks: true,
    });
    equal(api.others.length, 3);
    equal((await provider.model("claude-two", calm())).windowTokens, 1_000_000);
    equal(await provider.protocolOf(MODEL, calm()), "native");
  });
});
