/** `/mcp`: the MCP servers, what they offer, and their prompts. */
import type { McpRequest } from "./lent/mcp.ts";
import { defineCommand, misused } from "./spec.ts";

export const mcp = defineCommand({
  name: "mcp",
  usage: [
    { form: "/mcp", brief: "Show every MCP server, how it stands, and what it offers" },
    {
      form: "/mcp tools [SERVER]",
      brief: "List tools, under the names that rules are written for",
    },
    { form: "/mcp resources [SERVER]", brief: "List what servers offer to be read" },
    { form: "/mcp prompts [SERVER]", brief: "List the prompts that servers offer" },
    {
      form: "/mcp prompt SERVER NAME [KEY=VALUE]",
      brief: "Say one of these prompts as your next message",
    },
    { form: "/mcp connect SERVER", brief: "Connect one anew" },
    { form: "/mcp login SERVER", brief: "Sign in to one in your browser" },
    { form: "/mcp logout SERVER", brief: "Forget that sign-in" },
    { form: "/mcp reload", brief: "Read the files that declare servers again, and connect anew" },
    { form: "/mcp add NAME COMMAND|URL", brief: "Declare a server in your own mcp.json" },
    { form: "/mcp remove NAME", brief: "Take one out of your own mcp.json" },
    { form: "/mcp on|off", brief: "Attach or detach all for this conversation" },
  ],
  async run(args, { mcp }) {
    const request = requestOf(args);
    return request === undefined
      ? misused(`/mcp does not know "${args}"; /help shows what it takes`)
      : await mcp.act(request);
  },
});

/** What a line asks for; undefined where it cannot be told. */
function requestOf(args: string): McpRequest | undefined {
  const [word = "", ...words] = wordsOf(args);
  const [first, second, ...rest] = words;
  switch (word) {
    case "":
    case "list":
      return { do: "list" };
    case "ls":
    case "tools":
      return about("tools", words);
    case "resources":
    case "prompts":
      return about(word, words);
    case "reload":
      return { do: "reload" };
    case "on":
    case "off":
      return { do: "turn", isOn: word === "on" };
    case "login":
    case "logout":
      return first === undefined ? undefined : { do: word, server: first };
    case "connect":
      return first === undefined ? undefined : { do: "connect", server: first };
    case "prompt":
      if (first === undefined || second === undefined) return undefined;
      return {
        do: "prompt",
        server: first,
        name: second,
        args: Object.fromEntries(rest.map(pair)),
      };
    case "add":
      if (first === undefined || second === undefined) return undefined;
      return { do: "add", name: first, words: [second, ...rest] };
    case "remove":
      return first === undefined ? undefined : { do: "remove", name: first };
    default:
      return undefined;
  }
}

/** Those that take at most the name of one server. */
function about(
  what: "tools" | "resources" | "prompts",
  [server, ...more]: readonly string[],
): McpRequest | undefined {
  if (more.length > 0) return undefined;
  return server === undefined ? { do: what } : { do: what, server };
}

function pair(text: string): [string, string] {
  const at = text.indexOf("=");
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

/** Words as in a shell, as far as quotes go. */
function wordsOf(text: string): readonly string[] {
  const found = text.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? [];
  return found.map((word) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, "$1$2"));
}
