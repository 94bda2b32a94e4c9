/// <reference lib="deno.worker" />
/** Makes syntax trees. A file may be made to be hard to read, so this is a worker without rights that can be ended. */
import { Language as Grammar, Parser } from "web-tree-sitter";
import type { Language } from "./grammars.ts";
import type { SyntaxAnswer, SyntaxJob, SyntaxReply, SyntaxRequest } from "./syntax/answer.ts";
import type { Source } from "./syntax/answer.ts";
import { namesIn } from "./syntax/names.ts";
import { outlineOf } from "./syntax/outline.ts";
import { query } from "./syntax/query.ts";

const grammars = new Map<Language, Grammar>();
/** Pages of 64 KB that trees may take: 512 MB. */
const PAGES_MAX = 8_192;

let parser: Parser | undefined;

self.onmessage = async ({ data }: MessageEvent<SyntaxRequest>) => {
  try {
    self.postMessage(await reply(data) satisfies SyntaxReply);
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    self.postMessage({ type: "failed", cause } satisfies SyntaxReply);
  }
};
self.postMessage({ type: "ready" } satisfies SyntaxReply);

async function reply(request: SyntaxRequest): Promise<SyntaxReply> {
  switch (request.type) {
    case "runtime":
      // A file or a query that needs more ends with an error, and does not take the whole machine.
      await Parser.init({
        wasmBinary: request.wasm.buffer,
        wasmMemory: new WebAssembly.Memory({ initial: 512, maximum: PAGES_MAX }),
        // What it prints when it gives up would stand on the person's screen.
        print: () => {},
        printErr: () => {},
      });
      parser = new Parser();
      return { type: "ready" };
    case "grammar":
      grammars.set(request.language, await Grammar.load(request.wasm));
      return { type: "ready" };
    case "job":
      return { type: "answer", answer: run(request.source, request.job) };
    default:
      return request satisfies never;
  }
}

function run({ language, text }: Source, job: SyntaxJob): SyntaxAnswer {
  const grammar = grammars.get(language);
  if (parser === undefined || grammar === undefined) {
    throw new Error(`the grammar of ${language} was not handed in`);
  }
  const tree = parser.setLanguage(grammar).parse(text);
  if (tree === null) throw new Error("there is no tree of it");
  try {
    switch (job.kind) {
      case "outline":
        return { kind: "outline", outline: outlineOf(tree, language) };
      case "names":
        return { kind: "names", names: namesIn(tree, language) };
      case "query":
        return query(tree, grammar, job);
      default:
        return job satisfies never;
    }
  } finally {
    tree.delete();
  }
}
