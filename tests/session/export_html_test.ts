import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { parseHTML } from "linkedom/worker";
import { type DefaultTreeAdapterTypes as Tree, parse } from "parse5";
import { fc } from "../support/property.ts";
import { visible } from "@/lib/visible.ts";
import type { DurableEvent } from "@/protocol/event.ts";
import type { ToolStatus } from "@/protocol/tool.ts";
import { toHtml } from "@/session/export_html.ts";
import { durableEvent } from "../support/arbitrary_event.ts";

const ELEMENTS =
  "html head meta title style body h1 h2 h3 dl dt dd section div pre p details summary b em " +
  "h4 ul ol li blockquote hr table thead tbody tr th td strong del code br";
const ATTRIBUTES = "lang charset http-equiv content name id class start";

function page(events: readonly DurableEvent[], id = "s") {
  const records = events.map((event) => ({ v: 1 as const, at: "2026-01-01T00:00:00.000Z", event }));
  return toHtml(records, id);
}

/**
 * What stands in a page besides what we write, as the parser of the HTML standard sees it: elements, attributes, comments,
 * and everything that the standard calls an error.
 */
function strangers(html: string): string[] {
  const errors: string[] = [];
  const document = parse(html, { onParseError: ({ code }) => errors.push(code) });
  return [...errors, ...strangersIn(document)];
}

function strangersIn(node: Tree.Node): string[] {
  const own = "attrs" in node
    ? [
      ...(ELEMENTS.split(" ").includes(node.tagName) ? [] : [`<${node.tagName}>`]),
      ...node.attrs.filter(({ name, value }) =>
        !ATTRIBUTES.split(" ").includes(name) || name === "start" && !/^\d+$/.test(value)
      ).map(({ name }) => name),
    ]
    : node.nodeName === "#comment"
    ? ["a comment"]
    : [];
  return [...own, ..."childNodes" in node ? node.childNodes.flatMap(strangersIn) : []];
}

/** A reply; its text is Markdown. */
function replied(text: string): DurableEvent {
  const content = [{ type: "text" as const, text }];
  return { type: "message", message: { role: "assistant", content, stop: "end" } };
}

function person(text: string): DurableEvent {
  const content = [{ type: "text" as const, text }];
  return { type: "message", message: { role: "user", content, origin: "person" } };
}

function called(
  name: string,
  input: unknown,
  text: string,
  status: ToolStatus = "ok",
): DurableEvent[] {
  const content = [{ type: "tool_call" as const, id: "c", name, input }];
  return [
    { type: "message", message: { role: "assistant", content, stop: "end" } },
    {
      type: "message",
      message: { role: "tool", callId: "c", name, result: { status, text } },
    },
    { type: "tool_end", callId: "c", summary: `did ${text}`, ms: 1 },
  ];
}

const HOSTILE = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  '"><svg onload=alert(1)>',
  "'><iframe srcdoc='<script>1</script>'>",
  "</pre></details></title></style><script src=//evil.example/x.js></script>",
  "<!-- <b>",
  "]]><![CDATA[",
  "&lt;script&gt; &#60;script&#62; &amp;",
  "```html\n</pre><script>1</script>\n```",
  "```\n<base href=//evil.example>",
  '<meta http-equiv="refresh" content="0;url=//evil.example">',
];

Deno.test("toHtml() leaves hostile text as text wherever it stands", () => {
  for (const text of HOSTILE) {
    const html = page([
      { type: "session", uid: text, cwd: text, profile: text },
      { type: "model", provider: text, model: text },
      { type: "title", title: text },
      { type: "turn_start", turn: 1 },
      person(text),
      replied(text),
      ...called(text, { [text]: text }, text),
    ], text);
    equal([text, strangers(html)], [text, []]);
    const { document } = parseHTML(html);
    equal(document.querySelector("title")?.textContent, visible(text, { oneLine: true }));
    equal(document.querySelectorAll("details").length, 1);
  }
});

Deno.test("toHtml() never has elements or attributes that the session brought", () => {
  fc.assert(fc.property(fc.array(durableEvent, { maxLength: 12 }), (events) => {
    equal(strangers(page(events)), []);
  }));
});

Deno.test("toHtml() loads nothing and lets nothing run", () => {
  const { document } = parseHTML(page([person("hi")]));
  const policy = document.querySelector("meta[http-equiv]")?.getAttribute("content") ?? "";
  ok(policy.startsWith("default-src 'none';"), policy);
  equal(document.querySelectorAll("script, link, img, iframe, [src], [href]").length, 0);
});

Deno.test("toHtml() shows what was said whole, code apart, calls folded, hidden characters drawn", () => {
  const long = "line\n".repeat(5_000);
  const { document } = parseHTML(page([
    { type: "turn_start", turn: 1 },
    person("a < b"),
    replied("Do this:\n\n```sh\n\n  rm \u202ex\n```\nDone"),
    ...called("read_file", { filepath: "a.md" }, long),
  ]));
  const said = [...document.querySelectorAll("section")].map((one) => [
    one.className,
    [...one.querySelectorAll(".text, pre, p")].map((piece) =>
      piece.textContent?.replace(/^\n/, "")
    ),
  ]);
  equal(said, [["person", ["a < b"]], ["model", ["Do this:", "\n  rm \\u{202e}x", "Done"]]]);
  const results = [...document.querySelectorAll("details pre")].map((one) => one.textContent);
  equal(results.at(-1), `\n${long}`);
  equal(document.querySelector("#turn-1")?.textContent, "Turn 1");
});

Deno.test("toHtml() says on a folded call what it came to, where it is not the usual", () => {
  const { document } = parseHTML(page([
    ...called("read_file", {}, "fine"),
    ...called("run_cmd", {}, "boom", "failed"),
    ...called("run_cmd", {}, "late", "not_run"),
    ...called("run_cmd", {}, "gone").slice(0, 1),
  ]));
  const outcomes = [...document.querySelectorAll("summary")].map((one) =>
    one.querySelector("em")?.textContent
  );
  equal(outcomes, [undefined, "failed", "not run", "no result"]);
});

Deno.test("toHtml() shows a reply as its Markdown means it; what others say stays as it was typed", () => {
  const text = [
    "## Plan",
    "One **bold** *word*, ~~gone~~, `a < b`, a\nnext line, &lt; and &#60;.",
    "3. three\n4. four\n   - deep\n5. [x] ticked",
    "> quoted",
    "| a | b |\n|---|---|\n| 1 | `2` |",
    "See [here](https://example.com/?a&b), <https://example.com>, ![pic](x.png).",
    "<b>raw</b>",
    "---",
  ].join("\n\n");
  const { document } = parseHTML(page([person("**as it is**"), replied(text)]));
  const [typed, reply] = [...document.querySelectorAll("section")].map((one) =>
    one.innerHTML.replace(/<h3>.*<\/h3>/, "").replaceAll(/\n+(?=<)|(?<=>)\n+/g, "")
  );
  equal(typed, '<div class="text">**as it is**</div>');
  equal(
    reply,
    "<h4>Plan</h4><p>One <strong>bold</strong> <em>word</em>, <del>gone</del>, <code>a &lt; b</code>, a\n" +
      "next line, &lt; and &lt;.</p>" +
      '<ol start="3"><li><p>three</p></li><li><p>four</p><ul><li><p>deep</p></li></ul></li><li><p>[x] ticked</p></li></ol>' +
      "<blockquote><p>quoted</p></blockquote>" +
      "<table><thead><tr><th>a</th><th>b</th></tr></thead>" +
      "<tbody><tr><td>1</td><td><code>2</code></td></tr></tbody></table>" +
      "<p>See here (https://example.com/?a&amp;b), https://example.com, pic (x.png).</p>" +
      "<p>&lt;b&gt;raw&lt;/b&gt;</p><hr>",
  );
});

Deno.test("toHtml() brings no element or attribute of a reply's Markdown, and loses no word of it", () => {
  const marks =
    "** * _ ` ~~ \n \n\n > - 1. 999999999. # | |---| <b> <!-- [ ]( ) ![ [x]: & &lt; \\ \" '";
  const pieces = [
    ...marks.split(" "),
    "\n",
    "\n\n",
    "\n```\n",
    "    ",
    "\n| a | b |\n|---|---|\n| c | d |\n",
  ];
  const piece = fc.constantFrom(...pieces.map((one) => `${one} `), ...pieces, "wörd", "wörd");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (list) => {
      const text = list.join("");
      const html = page([replied(text)]);
      equal(strangers(html), []);
      const words = (of: string) => of.split("wörd").length;
      equal(
        words(parseHTML(html).document.querySelector("section")?.textContent ?? ""),
        words(text),
      );
    }),
    { numRuns: 300 },
  );
});
