/** Remembered approvals: what an "always" could cover, in words and as what is saved, and whether one covers a call. */
import type { GrantRule, Reach } from "@/protocol/policy.ts";
import { clipEnd } from "@/lib/clip.ts";
import { visible } from "@/lib/visible.ts";
import { obstacleIn } from "./command_rule.ts";
import { type Facts, subjectText, UNSANDBOXED } from "./facts.ts";
import { escapeGlob } from "./glob.ts";
import { hazardsOf } from "./hazard.ts";
import { pathForms, type RulePlace } from "./path_rule.ts";
import type { Origin } from "./rule.ts";
import { analyse } from "./shell.ts";
import { baseName } from "./shell_word.ts";

/** An approval of exactly one call: equality with its subject, no wildcard, nothing behind it. */
export type Grant = { readonly tool: string; readonly literal: string; readonly origin: Origin };

/** Whether a grant covers a call. */
export function isGranted(grant: Grant, facts: Facts, place: RulePlace): boolean {
  const names = facts.leaves ? [UNSANDBOXED] : facts.names;
  if (!names.includes(grant.tool)) return false;
  if (facts.scope !== undefined && facts.scope === grant.literal) return true;
  const text = subjectText(facts.subject, place);
  return text !== undefined &&
    (text === grant.literal || relativeText(facts, place) === grant.literal);
}

/** Paths as a person would write them into the file by hand. */
function relativeText({ subject }: Facts, place: RulePlace): string | undefined {
  if (subject.kind !== "path") return undefined;
  const forms = subject.paths.map((path) => pathForms(path, place).relative);
  return forms.every((form) => form !== undefined) ? forms.join("\n") : undefined;
}

/** What an "always" about a call could cover, narrowest first. */
export function reachesFor(facts: Facts, place: RulePlace): readonly Reach[] {
  const tool = facts.leaves ? UNSANDBOXED : facts.names[0];
  if (tool === undefined) return [];
  return [
    ...literalReach(tool, facts, place),
    ...prefixReach(tool, facts, place),
    ...toolReach(tool, facts),
  ];
}

const SHOWN_CHARS_MAX = 120;

function literalReach(tool: string, facts: Facts, place: RulePlace): readonly Reach[] {
  const text = subjectText(facts.subject, place);
  if (text === undefined) return [];
  const shown = visible(text, { oneLine: true, oddSpaces: true });
  const where = facts.leaves ? ", outside the sandbox" : "";
  return [{
    kind: "literal",
    preview: `exactly this: ${clipEnd(shown, SHOWN_CHARS_MAX)}${where}`,
    rule: { tool, literal: text },
  }];
}

function prefixReach(tool: string, facts: Facts, place: RulePlace): readonly Reach[] {
  const { subject, scope } = facts;
  if (scope !== undefined) {
    const rule: GrantRule = { tool, literal: scope };
    return [{ kind: "prefix", preview: `every ${tool} about "${visible(scope)}"`, rule }];
  }
  switch (subject.kind) {
    case "command":
      return commandPrefix(tool, subject.text, facts.leaves);
    case "path":
      return directoryPrefix(tool, subject.paths, place);
    case "url":
      return hostPrefix(tool, subject.text);
    case "text":
    case "none":
      return [];
    default:
      return subject satisfies never;
  }
}

/** Programs whose first plain word says what they do, and how many such words say it for `run`-like ones. */
const WITH_COMMANDS = new Set(
  "git npm pnpm yarn cargo go deno pip pip3 uv docker podman kubectl gh brew apt apt-get systemctl terraform dotnet mvn gradle bundle composer make"
    .split(" "),
);
const WITH_SCRIPTS = new Set(["run", "run-script"]);

/** Programs that lose or send data by what they are for: only ever one exact command. */
const NEVER_PREFIX = new Set(
  "rm rmdir shred dd mkfs mv ln chmod chown chgrp kill killall pkill truncate curl wget scp rsync reboot shutdown mount umount"
    .split(" "),
);

/** Sub-commands of the same kind. */
const NEVER_COMMAND = new Set(
  "push reset clean checkout restore rebase rm publish unpublish uninstall remove delete destroy prune purge gc yank login logout"
    .split(" "),
);

const PLAIN_WORD = /^[A-Za-z0-9][\w.:@+-]*$/;
const PROGRAM_WORD = /^[\w./@+-]+$/;

/** The program and its sub-command, when neither runs whatever it is given. */
function commandPrefix(tool: string, text: string, leaves: boolean): readonly Reach[] {
  const line = analyse(text);
  const [command, ...more] = line.commands;
  if (command === undefined || more.length > 0 || obstacleIn(line) !== undefined) return [];
  if (command.redirections.some(({ effect }) => effect !== "nothing")) return [];
  const [program, ...args] = command.words;
  if (program === undefined || !PROGRAM_WORD.test(program.text)) return [];
  const name = baseName(program.text);
  if (NEVER_PREFIX.has(name) || hazardsOf(command.words).words.size > 0) return [];
  const words = [program.text];
  if (WITH_COMMANDS.has(name)) {
    const [first, second] = args.map((arg) => arg.known ? arg.text : "");
    if (first === undefined || !PLAIN_WORD.test(first) || NEVER_COMMAND.has(first)) return [];
    words.push(first);
    if (WITH_SCRIPTS.has(first)) {
      if (second === undefined || !PLAIN_WORD.test(second)) return [];
      words.push(second);
    }
  }
  const start = words.join(" ");
  const where = leaves ? ", outside the sandbox" : "";
  return [{
    kind: "prefix",
    preview: `every command "${start} …" with any plain arguments${where}`,
    rule: `${tool}(${start})`,
  }];
}

/** The directory of the paths, when it is one and not the root of the disk. */
function directoryPrefix(
  tool: string,
  paths: readonly string[],
  place: RulePlace,
): readonly Reach[] {
  const directories = new Set(paths.map((path) => {
    const { absolute } = pathForms(path, place);
    return absolute.slice(0, absolute.lastIndexOf("/"));
  }));
  const [directory, ...others] = directories;
  if (directory === undefined || directory === "" || others.length > 0) return [];
  // The whole workspace, and more than that, is the reach of the bare tool.
  if (`${pathForms(place.workspace, place).absolute}/`.startsWith(`${directory}/`)) return [];
  const shown = pathForms(directory, place).relative ?? directory;
  return [{
    kind: "prefix",
    preview: `${tool} on everything in ${visible(shown)}, at any depth`,
    rule: `${tool}(${escapeGlob(directory)}/*)`,
  }];
}

function hostPrefix(tool: string, text: string): readonly Reach[] {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "") return [];
  return [{
    kind: "prefix",
    preview: `${tool} for every address on ${url.host}`,
    rule: `${tool}(${url.protocol}//${escapeGlob(url.host)}/*)`,
  }];
}

/** Every call of the tool. Not offered where such a rule would not do: outside the workspace, outside the sandbox. */
function toolReach(tool: string, facts: Facts): readonly Reach[] {
  if (facts.leaves || facts.outside) return [];
  const what = facts.subject.kind === "command"
    ? `every command, whatever it does`
    : facts.subject.kind === "path"
    ? `every ${tool} inside the workspace`
    : `every ${tool}, whatever it is given`;
  return [{ kind: "tool", preview: what, rule: tool }];
}
