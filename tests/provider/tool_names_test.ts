import { deepStrictEqual as equal } from "node:assert/strict";
import { ToolNames } from "@/provider/tool_names.ts";
import { messageOf, requestOf, result, user } from "../support/conversation.ts";
import { calm, collect } from "../support/wire_options.ts";
import { AWKWARD_NAMES, WIRES, withWire } from "../support/wires.ts";

Deno.test("ToolNames gives each tool a name of its own and takes it back (check 29)", () => {
  const names = ToolNames.of(AWKWARD_NAMES.map((name) => ({ name, description: "", schema: {} })));
  const shown = AWKWARD_NAMES.map((name) => names.shown(name));
  equal(new Set(shown).size, AWKWARD_NAMES.length);
  equal(shown.filter((name) => !/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/.test(name)), []);
  equal(
    names.shown("with_dots"),
    "with_dots",
    "a name that fits is not taken by one that had to be changed",
  );
  equal(shown.map((name) => names.meant(name)), AWKWARD_NAMES);
});

const LISTED = {
  name: "list",
  description: "List entries.",
  schema: {
    type: "object",
    properties: { "$top": { type: "integer" }, _top: { type: "integer" }, "per-page": {} },
    required: ["$top"],
  },
};

Deno.test("ToolNames gives parameters names that the API takes, and takes them back", () => {
  const names = ToolNames.of([LISTED], { illegal: /[^a-zA-Z0-9_]/g, isWord: true });
  equal(names.schema(LISTED), {
    type: "object",
    properties: { _top_2: { type: "integer" }, _top: { type: "integer" }, per_page: {} },
    required: ["_top_2"],
  });
  const input = { $top: 3, _top: 4, "per-page": 5, other: 6 };
  const block = { type: "tool_call", id: "a", name: "list", input } as const;
  const shown = { _top_2: 3, _top: 4, per_page: 5, other: 6 };
  equal(names.shownInput(block), shown);
  equal(names.meantInput("list", shown), input);
  equal(names.meantInput("list", input), input, "its own name is understood, too");
  equal(ToolNames.of([LISTED]).schema(LISTED), LISTED.schema, "where any name will do");
});

for (const under of WIRES.filter(({ wire }) => wire === "anthropic" || wire === "gemini")) {
  Deno.test(`${under.wire}: a call comes with the tool's own names of parameters, and goes back as it was made`, async () => {
    const request = requestOf(under.model, [user("List.")], { tools: [LISTED] });
    const call = { name: "list", arguments: { _top_2: 3 }, id: "a" };
    await withWire(under, [{ calls: [call] }, { text: "Done." }], async (provider, api) => {
      const events = await collect(provider.stream(request, calm()));
      equal(events.flatMap((event) => event.type === "tool_call" ? [event.input] : []), [{
        $top: 3,
      }]);
      const messages = [
        ...request.messages,
        messageOf(events),
        result("a", "ok", { name: "list" }),
      ];
      await collect(provider.stream({ ...request, messages }, calm()));
      equal(JSON.stringify(api.bodies.at(-1)).includes('{"_top_2":3}'), true);
    });
  });
}

Deno.test("ToolNames reads the tool out of what a template left around it", () => {
  const names = ToolNames.of([{ name: "read_file", description: "", schema: {} }]);
  for (
    const written of [
      "read_file",
      "functions.read_file",
      "read_file<|channel|>commentary",
      " read_file ",
      "default_api:read_file",
    ]
  ) equal(names.meant(written), "read_file", written);
  equal([names.meant(undefined), names.meant(7), names.meant("other"), names.shown("gone.tool")], [
    "",
    "",
    "other",
    "gone_tool",
  ]);
});
