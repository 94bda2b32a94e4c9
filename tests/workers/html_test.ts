import { deepStrictEqual as equal, match, ok, rejects } from "node:assert/strict";
import { HtmlError, HtmlReader } from "@/workers/html.ts";

const URL_HERE = "https://docs.example/guide/page";
const LOREM = "<p>Text of the page, with commas, and enough of it to be read, at that.</p>".repeat(
  9,
);

const page = (main: string) =>
  `<!doctype html><html><head><title> A &amp; B </title><script>alert(1)</script></head><body>
  <nav><ul><li><a href="/a">Menu</a></li><li><a href="/b">Other</a></li></ul></nav>
  <main><article>${main}${LOREM}</article></main><footer>Imprint</footer></body></html>`;

Deno.test("page() keeps headings, links, code, lists and tables of the readable part, and leaves the menu out", async () => {
  using reader = new HtmlReader();
  const { title, text, isArticle } = await reader.page(
    page(
      `<h2>How</h2><p>See <a href="../x?y=1">the <b>other</b></a> and <code>f()</code>.</p>
       <ul><li>one</li><li>two<ul><li>deep</li></ul></li></ul>
       <pre>a = 1\n  b = 2\n</pre>
       <table><tr><th>name</th><th>is</th></tr><tr><td>x</td><td> 1 </td></tr></table>`,
    ),
    URL_HERE,
  );
  equal([title, isArticle], ["A & B", true]);
  ok(text.startsWith("## How\n\nSee [the other](https://docs.example/x?y=1) and `f()`."), text);
  match(text, /- one\n- two\n {2}- deep/);
  match(text, /```\na = 1\n {2}b = 2\n```/);
  match(text, /name \| is\nx \| 1/);
  ok(!/Menu|alert|Imprint/.test(text), text);
});

Deno.test("page() of a list of links is the whole page", async () => {
  using reader = new HtmlReader();
  const rows = Array.from({ length: 40 }, (_, at) => `<li><a href="/p${at}">Part ${at}</a></li>`);
  const { text, isArticle } = await reader.page(`<ul>${rows.join("")}</ul>`, URL_HERE);
  equal(isArticle, false);
  match(text, /^- \[Part 0\]\(https:\/\/docs\.example\/p0\)\n- \[Part 1\]/);
});

Deno.test("page() leaves out what a reader does not see, where instructions hide", async () => {
  using reader = new HtmlReader();
  const { text } = await reader.page(
    `<p>Seen</p><p style="display:none">Hidden one</p><p hidden>Hidden two</p>
     <div aria-hidden="true">Hidden three</div><!-- Hidden four --><template>Hidden five</template>`,
    URL_HERE,
  );
  equal(text, "Seen");
});

Deno.test("fragment() and rows() read pieces", async () => {
  using reader = new HtmlReader();
  equal(await reader.fragment("<p>a<br>b</p><p>c", URL_HERE), "a\nb\n\nc");
  const rows = await reader.rows(
    `<div class="r"><a class="t" href="/1">One <b>x</b></a><i>s</i></div><div class="r"></div>`,
    { url: URL_HERE, row: ".r", cells: { link: "a.t", text: "i" } },
  );
  equal(rows, [{ link: { text: "One x", href: "/1" }, text: { text: "s", href: "" } }, {}]);
});

Deno.test("a page that takes too long is given up, and the next one is read", async () => {
  using reader = new HtmlReader({ timeoutMs: 300, startMs: 60_000 });
  await rejects(
    reader.page("<div>".repeat(200_000), URL_HERE),
    (error: unknown) => error instanceof HtmlError && /took too long/.test(error.message),
  );
  using slow = new HtmlReader();
  equal((await slow.page("<p>fine</p>", URL_HERE)).text, "fine");
});
