/** `harness sessions …` */
import { buildCommand, buildRouteMap } from "@stricli/core";
import { bare, type Context, manyWords, oneWord, settle } from "./command.ts";
import { oneOf } from "./flags.ts";
import type { SessionsRequest } from "@/subcommands/sessions.ts";

async function saved(request: SessionsRequest): Promise<number> {
  return await (await import("@/subcommands/sessions.ts")).sessionsCommand(request);
}

const SESSION = oneWord("Id, uid or title", "SESSION");

const sessionsShow = buildCommand<Record<never, never>, [string], Context>({
  docs: { brief: "Print a session as Markdown" },
  parameters: { positional: SESSION },
  func(_flags, query) {
    return settle(this, () => saved({ do: "export", query, format: "markdown" }));
  },
});

const sessionsSearch = buildCommand<Record<never, never>, string[], Context>({
  docs: { brief: "List the sessions in which a text stands, with the places" },
  parameters: {
    positional: manyWords("What to look for", "TEXT", 1),
  },
  func(_flags, ...words) {
    return settle(this, () => saved({ do: "search", text: words.join(" ") }));
  },
});

const sessionsExport = buildCommand<{ format?: "markdown" | "json" | "html" }, [string], Context>({
  docs: { brief: "Write a session to standard output as Markdown, JSON or HTML" },
  parameters: {
    positional: SESSION,
    flags: {
      format: oneOf(["markdown", "json", "html"], "The format"),
    },
  },
  func({ format = "markdown" }, query) {
    return settle(this, () => saved({ do: "export", query, format }));
  },
});

export const sessions = buildRouteMap({
  routes: {
    list: bare("List saved sessions, newest first", () => saved({ do: "list" })),
    show: sessionsShow,
    search: sessionsSearch,
    export: sessionsExport,
  },
  docs: { brief: "Saved sessions" },
});
