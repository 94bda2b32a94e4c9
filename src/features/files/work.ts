/** What turns work with for files. */
import { MentionReader } from "@/agent/mentions.ts";
import type { FeatureParts, FeatureWork, Shared } from "@/compose/feature.ts";
import { fileTools, syntaxTools } from "@/tools/mod.ts";
import { Syntax } from "@/workers/syntax.ts";
import { viewBoundsOf } from "@/workspace/file_view.ts";
import { FileWork } from "@/workspace/file_work.ts";
import { searchOnDemand } from "@/workspace/search_on_demand.ts";
import { NamesCache } from "@/workspace/syntax/names_cache.ts";
import { Symbols } from "@/workspace/syntax/symbols.ts";
import { pastReadings, Readings } from "./past_readings.ts";

/** Of one conversation. */
export class FilesWork {
  readonly #parts: FeatureParts;
  readonly #shared: Shared;
  readonly #syntax = new Syntax();
  readonly #search: ReturnType<typeof searchOnDemand>;
  readonly #symbols: Symbols;

  constructor(parts: FeatureParts, shared: Shared) {
    const { processes, place: { workspace, paths } } = parts;
    this.#parts = parts;
    this.#shared = shared;
    const { mayRead } = shared;
    this.#search = searchOnDemand({ processes, workspace, mayRead });
    this.#symbols = new Symbols({
      search: this.#search,
      syntax: this.#syntax,
      cache: new NamesCache(paths.syntax),
      workspace,
    });
  }

  work(): FeatureWork {
    const { conversation, settings, isInteractive, live, place: { workspace } } = this.#parts;
    const own = this.#workWith(pastReadings(conversation.past, workspace));
    const mentions = new MentionReader({
      deciding: async () => (await live.work()).dispatch,
      files: own,
      charsMax: () => settings.current.MENTION_MAX_CHARS,
      // Nobody drops a file on a terminal that is not there.
      takesPasted: isInteractive,
      notice: (text) => live.emit({ type: "notice", level: "warn", text }),
    });
    return {
      tools: this.#toolsWith(own),
      toolsBeside: () => this.#toolsWith(this.#workWith(new Readings())),
      said: (content, signal) => mentions.said(content, signal),
    };
  }

  /** Ends the worker that reads syntax. */
  close() {
    return this.#syntax.close();
  }

  #workWith(readings: Readings): FileWork {
    const { journal, mayRead } = this.#shared;
    const viewBounds = () => viewBoundsOf(this.#parts.settings.current);
    return new FileWork({ journal, readings, viewBounds, mayShow: mayRead });
  }

  #toolsWith(files: FileWork) {
    return [
      ...fileTools({ files, search: this.#search }),
      ...syntaxTools({ syntax: this.#syntax, symbols: this.#symbols, readings: files.readings }),
    ];
  }
}
