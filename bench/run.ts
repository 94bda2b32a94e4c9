/** `deno task bench [NAME…] [--runs N]`: measures, and says which goals are met. */
import { built } from "./built.ts";
import { edit } from "./edit.ts";
import { history } from "./history.ts";
import { type Row, table } from "./measure.ts";
import { peers } from "./peers/mod.ts";
import { sandbox } from "./sandbox.ts";
import { sizes } from "./sizes.ts";
import { firstPrompt, version } from "./start.ts";
import { syntax } from "./syntax.ts";
import { input, replies } from "./terminal.ts";
import { textProtocol } from "./text_protocol.ts";
import { transcript } from "./transcript.ts";
import { print, roundTrip, search } from "./turn.ts";
import { undo } from "./undo.ts";
import { weakModels } from "./weak_models/mod.ts";
import { wires } from "./wires.ts";

type Bench =
  & { about: string }
  & (
    | {
      /** Runs of each variant when none are asked for. */
      runs: number;
      measure(runs: number): Promise<Row[]>;
    }
    | {
      /** In lines of its own. */
      runs: number;
      tell(runs: number): Promise<string[]>;
      /** It needs what not everybody has. */
      isByName: true;
    }
    | {
      /** What takes no time to measure: its lines, the same in every run. */
      report(): Promise<string[]>;
    }
  );

const BENCHES: Readonly<Record<string, Bench>> = {
  "version": { about: "--version against an empty program", runs: 15, measure: version },
  "first-prompt": { about: "until the first prompt stands", runs: 10, measure: firstPrompt },
  "input": { about: "until a typed letter is on the full screen", runs: 10, measure: input },
  "replies": {
    about: "a reply of 9.3 KB in a terminal, with a model that answers at once or over 5 s",
    runs: 5,
    measure: replies,
  },
  "built": { about: "the single file: size and starts", runs: 10, measure: built },
  "print": { about: "-p hello, with a model that answers at once", runs: 10, measure: print },
  "round-trip": { about: "a turn of 20 tool calls", runs: 10, measure: roundTrip },
  "history": { about: "one more request after many calls", runs: 5, measure: history },
  "search": { about: "a search of 20,000 files", runs: 5, measure: search },
  "edit": { about: "one edit by anchor in a large file", runs: 30, measure: edit },
  "syntax": { about: "the outline of a file of 5,000 lines", runs: 10, measure: syntax },
  "undo": {
    about: "a change of a file in a repository of 50,000, with what undo needs",
    runs: 30,
    measure: undo,
  },
  "text-protocol": {
    about: "a reply of 200,000 characters with a call as text",
    runs: 15,
    measure: textProtocol,
  },
  "wires": { about: "a reply of 10,000 tokens over each wire", runs: 10, measure: wires },
  "sandbox": { about: "one command in the sandbox", runs: 60, measure: sandbox },
  "transcript": {
    about: "a reply of 9.3 KB on the full screen, and a session of 9 MB opened",
    runs: 5,
    measure: transcript,
  },
  "peers": {
    about: "beside Codex, Claude Code, pi, opencode and Gemini CLI, which have to be installed",
    runs: 5,
    tell: peers,
    isByName: true,
  },
  "weak-models": { about: "what comes of what small models write", report: weakModels },
  "sizes": { about: "lines of the files in src/", runs: 1, measure: sizes },
};

Deno.exit(await main(Deno.args));

async function main(args: readonly string[]): Promise<number> {
  const at = args.indexOf("--runs");
  const runs = at < 0 ? undefined : Number(args[at + 1]);
  const asked = args.filter((_, index) => at < 0 || (index !== at && index !== at + 1));
  const always = Object.entries(BENCHES).filter(([, bench]) => !("isByName" in bench));
  const names = asked.length > 0 ? asked : always.map(([name]) => name);
  const isUsable = names.every((name) => name in BENCHES) &&
    (runs === undefined || (Number.isInteger(runs) && runs > 0));
  if (!isUsable) {
    console.error("Usage: deno task bench [NAME…] [--runs N]");
    for (const [name, { about }] of Object.entries(BENCHES)) console.error(`  ${name}: ${about}`);
    return 2;
  }
  for (const name of names) {
    const bench = BENCHES[name];
    if (!bench) continue;
    console.log(`${name}: ${bench.about}`);
    for (const line of await linesOf(bench, runs)) console.log(line);
  }
  return 0;
}

function linesOf(bench: Bench, runs: number | undefined): Promise<string[]> {
  if ("report" in bench) return bench.report();
  if ("tell" in bench) return bench.tell(runs ?? bench.runs);
  return bench.measure(runs ?? bench.runs).then(table);
}
