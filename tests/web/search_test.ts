/** The whole way of a search, against local servers that answer as the sources do. */
import { deepStrictEqual as equal, match, ok, rejects } from "node:assert/strict";
import { search, type SearchLimits, type SearchParts } from "@/web/search.ts";
import { searchText } from "@/web/search_text.ts";
import { duckduckgo } from "@/web/sources/duckduckgo.ts";
import { github } from "@/web/sources/github.ts";
import { sourcesFor } from "@/web/sources/mod.ts";
import { stackexchange } from "@/web/sources/stackexchange.ts";
import { wikipedia } from "@/web/sources/wikipedia.ts";
import { duck, hub, searx, stack, wiki } from "../support/search_sources.ts";
import { htmlReply, type WebWorld, withWeb } from "../support/web_server.ts";

const LIMITS: SearchLimits = {
  ...{ resultsMax: 5, candidates: 10, pagesMax: 8, pageChars: 60_000, passageChars: 900 },
  ...{ sourceMs: 20_000, pageMs: 20_000, totalMs: 60_000 },
};

type Answers = Partial<
  Record<"web" | "wikipedia" | "stackexchange" | "github" | "searxng", () => Response>
>;

const NOTHING: Required<Answers> = {
  web: duck.none,
  wikipedia: () => wiki([]),
  stackexchange: () => stack.items([]),
  github: () => hub.items([]),
  searxng: () => searx.results([]),
};

const PATHS: readonly (readonly [string, keyof Answers])[] = [
  ["/html/", "web"],
  ["/w/api.php", "wikipedia"],
  ["/2.3/search/advanced", "stackexchange"],
  ["/search/issues", "github"],
  ["/sx/search", "searxng"],
];

type World = WebWorld & {
  find(query: string, more?: Partial<SearchParts>): ReturnType<typeof search>;
};

/** Sources that answer so, and pages by their paths. */
async function withSources(
  answers: (url: string) => Answers,
  pages: Readonly<Record<string, string>>,
  body: (world: World) => Promise<void>,
  { own = false }: { own?: boolean } = {},
): Promise<void> {
  await withWeb((request) => {
    const { pathname, origin } = new URL(request.url);
    const source = PATHS.find(([path]) => path === pathname)?.[1];
    if (source !== undefined) return (answers(origin)[source] ?? NOTHING[source])();
    const page = pages[pathname];
    return page === undefined ? new Response("none", { status: 404 }) : htmlReply(page);
  }, async (world) => {
    const { url, web } = world;
    const all = {
      ...{ web: duckduckgo(url), wikipedia: wikipedia(url), github: github(url) },
      stackexchange: stackexchange(url),
    };
    const parts: SearchParts = {
      ...{ web, limits: () => LIMITS, mayRead: () => true },
      sources: (query) => sourcesFor(query, { searxngUrl: own ? `${url}/sx/` : "", all }),
    };
    await body({
      ...world,
      find: (query, more) => search({ ...parts, ...more }, query, new AbortController().signal),
    });
  });
}

const para = (text: string) =>
  `<html><head><title>Page</title></head><body><p>${text}</p></body></html>`;
const PAGES = {
  "/install": para("Download ollama for windows and install ollama."),
  "/params": para("The parameter num_ctx sets the context window of ollama models."),
};

Deno.test("search() reads the pages and hands over what says it, not what is only about it", async () => {
  await withSources(
    (url) => ({
      web: () =>
        duck.results([
          { url: `${url}/install`, title: "Ollama" },
          { url: `${url}/params`, title: "Parameters", snippet: "about" },
        ]),
      stackexchange: () =>
        stack.items([{
          url: `${url}/q/1`,
          title: "What is &num_ctx?",
          body: "<p>Set <code>num_ctx</code> to 8192.</p>",
        }]),
    }),
    PAGES,
    async ({ find, url, seen }) => {
      const { found, rejected, answered, notes } = await find("ollama num_ctx meaning");
      equal(found.map((one) => one.url).sort(), [`${url}/params`, `${url}/q/1`]);
      equal(found.map(({ passage }) => passage).sort(), [
        "Set `num_ctx` to 8192.",
        "The parameter num_ctx sets the context window of ollama models.",
      ]);
      equal([rejected, answered, notes], [
        [`${url}/install`],
        ["DuckDuckGo", "Stack Exchange"],
        [],
      ]);
      // Web engines get the query, indexes of keywords what is left of it.
      ok(seen.includes("GET /html/?q=ollama%20num_ctx%20meaning"), seen.join("\n"));
      ok(
        seen.some((line) => line.startsWith("GET /search/issues?q=ollama+num_ctx&")),
        seen.join("\n"),
      );
      // What came with its text is not read again.
      ok(!seen.includes("GET /q/1"));
    },
  );
});

Deno.test("search() tries once more without the fillers, then says that nothing answers and which pages were looked at", async () => {
  await withSources(
    (url) => ({
      web: () => duck.results([{ url: `${url}/install`, title: "Ollama" }]),
    }),
    PAGES,
    async ({ find, url, seen }) => {
      const outcome = await find("what is the num_gpu of ollama?");
      equal([outcome.found, outcome.rejected], [[], [`${url}/install`]]);
      equal(seen.filter((line) => line.startsWith("GET /html/")), [
        "GET /html/?q=what%20is%20the%20num_gpu%20of%20ollama%3F",
        "GET /html/?q=num_gpu%20ollama",
      ]);
      const text = searchText("num_gpu", outcome, 6_000);
      match(
        text,
        /no relevant results[^]*do not answer from them[^]*- http:\/\/127\.0\.0\.1:\d+\/install/,
      );
    },
  );
});

Deno.test("a word that is on no page does not void what was found", async () => {
  await withSources((url) => ({
    web: () => duck.results([{ url: `${url}/a`, title: "A" }, { url: `${url}/b`, title: "B" }]),
  }), {
    "/a": para("The borrow checker of rust refuses aliasing."),
    "/b": para("Channels in go."),
  }, async ({ find, url }) => {
    const { found } = await find("rust borrow checker zyzzyva");
    equal(found.map((one) => one.url), [`${url}/a`]);
  });
});

Deno.test("a source that fails, or whose shape changed, is named, and the others are used", async () => {
  const known = (url: string) => [{ url: `${url}/params`, title: "P" }];
  const cases: [keyof Answers, () => Response, RegExp][] = [
    ["web", duck.challenge, /^DuckDuckGo: it asks for proof that a human searches$/],
    ["web", duck.changed, /^DuckDuckGo: its page has another shape than it had/],
    ["web", () => new Response("", { status: 503 }), /^DuckDuckGo: it answered 503$/],
    [
      "stackexchange",
      stack.throttled,
      /^Stack Exchange: it answered 400: too many requests from this IP/,
    ],
    [
      "stackexchange",
      () => Response.json({ questions: [] }),
      /^Stack Exchange: its answer has another shape/,
    ],
    ["github", hub.limited, /^GitHub: it answered 403: API rate limit exceeded/],
    ["github", () => new Response("<html>"), /^GitHub: it answered something that is no JSON$/],
    ["searxng", searx.silent, /^SearXNG: none of its engines answered \(brave: timeout\)$/],
    ["searxng", searx.off, /^SearXNG: it answered 403; an instance gives JSON only with "json"/],
  ];
  for (const [name, answer, note] of cases) {
    await withSources(
      (url) => ({
        web: () => duck.results(known(url)),
        searxng: () => searx.results(known(url)),
        [name]: answer,
      }),
      PAGES,
      async ({ find, url }) => {
        const { found, notes } = await find("num_ctx");
        equal(found.map((one) => one.url), [`${url}/params`], name);
        equal(notes.length, 1, notes.join("\n"));
        match(notes[0] ?? "", note);
      },
      { own: true },
    );
  }
});

Deno.test("search() asks the person's own instance first, and Wikipedia for what is no code", async () => {
  await withSources((url) => ({
    searxng: () =>
      searx.results([{ url: `${url}/s`, title: "S", snippet: "the event loop by searx" }]),
    wikipedia: () => wiki(["Event loop"]),
  }), {
    "/wiki/Event_loop": para("An event loop waits for events and dispatches them."),
  }, async ({ find, url }) => {
    const { found, answered } = await find("event loop");
    // A page that cannot be read counts by what its source said of it.
    equal(found.map((one) => one.url).sort(), [`${url}/s`, `${url}/wiki/Event_loop`]);
    equal([...answered].sort(), ["SearXNG", "Wikipedia"]);
  }, { own: true });
});

Deno.test("search() reads no page that a rule stands against, and none on this machine that was not named", async () => {
  await withSources(
    (url) => ({
      web: () =>
        duck.results([
          { url: `${url}/params`, title: "P" },
          { url: "http://127.0.0.1:9/num_ctx", title: "inside" },
          { url: "file:///etc/passwd", title: "file" },
        ]),
    }),
    PAGES,
    async ({ find, seen }) => {
      const { found, notes } = await find("num_ctx", {
        mayRead: ({ pathname }) => pathname !== "/params",
      });
      equal(found, []);
      ok(!seen.includes("GET /params"));
      match(notes.join("\n"), /127\.0\.0\.1:9: The connection to 127\.0\.0\.1:9 was not made/);
    },
  );
});

Deno.test("search() ends with its time and what was found by then, and at once when it is interrupted", async () => {
  const known = [{ url: "https://s.example/1", title: "t", body: "<p>num_ctx is here</p>" }];
  await withSources(
    () => ({ stackexchange: () => stack.items(known) }),
    {},
    async ({ web, url }) => {
      const silent = { ...web, client: () => new Promise<never>(() => {}) };
      const sources = () => [stackexchange(url), {
        ...duckduckgo(url),
        find: () => new Promise<never>(() => {}),
      }];
      const parts = { sources, mayRead: () => true, limits: () => ({ ...LIMITS, totalMs: 6_000 }) };
      const { found, notes } = await search(
        { ...parts, web },
        "num_ctx",
        new AbortController().signal,
      );
      equal([found.map((one) => one.url), notes], [["https://s.example/1"], [
        "DuckDuckGo: no answer in time",
      ]]);
      const person = new AbortController();
      const running = search({ ...parts, web: silent }, "num_ctx", person.signal);
      person.abort(new Error("interrupted"));
      await rejects(running, /interrupted/);
    },
  );
});

Deno.test("searchText() marks passages as somebody else's and keeps to its size", () => {
  const found = [1, 2].map((at) => ({
    url: `https://e.example/${at}`,
    title: `T${at}`,
    passage: "p".repeat(900),
  }));
  const text = searchText("q", {
    found,
    rejected: [],
    answered: ["DuckDuckGo"],
    notes: ["GitHub: it answered 503"],
  }, 1_000);
  match(
    text,
    /^Search for "q": passages found by DuckDuckGo[^]*gives no instructions\.\n---[0-9a-f]{8}\n1\. T1\nhttps:\/\/e\.example\/1\np{500} …/,
  );
  match(text, /\nNot reached: GitHub: it answered 503$/);
});
