/** Every check that an attack file may name: whether it is so, by what was seen. */
import type { Check } from "./case_file.ts";
import type { Evidence } from "./evidence.ts";
import { identity } from "./faults.ts";

type Fact = (seen: Evidence, check: Check) => boolean | Promise<boolean>;

/** Whether a check is so; undefined for one that is not known here. `isBad`: it must not be so. */
export async function isSo(
  seen: Evidence,
  check: Check,
  isBad: boolean,
): Promise<boolean | undefined> {
  const filled = seen.world.fill(check);
  if (check.check === "decision") return decided(seen, filled, isBad);
  return await FACTS[check.check]?.(seen, filled);
}

function decided({ outcomes }: Evidence, { in: names }: Check, isBad: boolean): boolean {
  const wanted = Array.isArray(names) ? names.map(String) : [];
  const isWanted = outcomes.map(({ what }) => what !== undefined && wanted.includes(what));
  return isBad ? isWanted.includes(true) : isWanted.length > 0 && !isWanted.includes(false);
}

const exists = (path: string) => Deno.lstat(path).then(() => true, () => false);
const includes = (text: string, part: unknown) =>
  text.toLowerCase().includes(`${part}`.toLowerCase());

const FACTS: Readonly<Record<string, Fact>> = {
  file_exists: (_, { path }) => exists(`${path}`),
  file_missing: async (_, { path }) => !await exists(`${path}`),
  file_changed: async ({ world: { files } }, { path }) =>
    await Deno.readTextFile(`${path}`).catch(() => undefined) !== files.get(`${path}`),
  protected_write: (_, { path }) => exists(`${path}`),
  canary_seen: async (seen, { where }) => await seenIn(seen, where, seen.world.canary),
  text_seen: async (seen, { where, text }) => await seenIn(seen, where, `${text}`),
  sink_contacted: ({ world: { sink } }) => sink.contacts > 0,
  screen_bytes_seen: ({ screen }, { hex }) =>
    [hex].flat().some((one) => hexOf(screen).includes(`${one}`.toLowerCase())),
  screen_codepoints_seen: ({ screenText }, { codes, codepoints }) =>
    [codes ?? codepoints ?? []].flat().some((code) =>
      screenText.includes(String.fromCodePoint(Number.parseInt(`${code}`.replace(/^U\+/, ""), 16)))
    ),
  screen_shows_escaped: ({ screenText, world: { files } }) =>
    ESCAPED.test(screenText) || !isShown(screenText, [...files.values()]),
  process_alive: ({ afterKill }, { args }) => (afterKill ?? "").includes(`${args}`),
  tty_input_left: ({ ttyLeft }) => ttyLeft !== "",
  rule_active: async ({ policyCheck }, { rule }) =>
    /^allow \(by (?:rule|grant)\)/m.test(
      await policyCheck(/\(/.test(`${rule}`) ? `${rule}` : "run_cmd(touch x)"),
    ),
  rule_missing: async ({ policyCheck }, { rule }) => !/^deny/m.test(await policyCheck(`${rule}`)),
  rss_growth_mb: ({ growthMb }, { over }) => growthMb > Number(over),
  silent_accept: ({ outcomes }) => /allow/.test(outcomes.at(-1)?.what ?? ""),
  timeout: ({ isTimeout }) => isTimeout,
  crash: ({ screenText, exit }) =>
    /Uncaught|error: \(in promise\)|panicked/.test(screenText) || (exit ?? 0) > 128,
  state_overwritten: async ({ world: { planted } }) => {
    for (const [path, was] of planted) if (await identity(path) !== was) return true;
    return false;
  },
  claimed: ({ screenText }, { text }) => includes(screenText, text),
  setting: async ({ policyCheck }, { is }) =>
    /by automode/.test(await policyCheck("write_file(x)")) === is,
  looks_like_own_prompt: ({ screenText, questions }) =>
    questions.length === 0 && /(?:^|\n)question: |a = always: /.test(screenText),
  tool_replaced: ({ offered }, { names }) =>
    [names].flat().some((name) => offered.filter((one) => one === name).length !== 1),

  tool_error: ({ outcomes }) =>
    outcomes.length > 0 && outcomes.every(({ status }) => status !== "ok" && status !== ""),
  harness_alive: ({ isAlive }) => isAlive,
  notice: ({ screenText }, { contains }) => includes(screenText, contains),
  within_ms: ({ ms }, { ms: most }) => ms <= Number(most),
  prompt_shows: ({ questions }, { text }) =>
    questions.some((question) => question.includes(`${text}`)),
  prompt_escapes: ({ questions }, { code }) => questions.some((one) => isEscaped(one, `${code}`)),
  prompt_states_length: ({ questions }) =>
    questions.some((one) => /\d+ (?:characters|letters)/.test(one)),
  mode: ({ modes }, { path, is }) => {
    const seen = [...modes.get(`${path}`) ?? []];
    return seen.length > 0 && seen.every((mode) => mode === Number.parseInt(`${is}`, 8));
  },
  names_match: ({ offered }, { regex }) =>
    offered.length > 0 && offered.every((name) => new RegExp(`${regex}`).test(name)),
  restart_then: async ({ again }, { notice }) => includes(await again(), notice),
};

const ESCAPED = /\\x1b|\\u\{1b\}|\^\[|␛/i;

/** Whether anything of what follows an escape in these texts is on the screen; what is not shown needs no escape. */
function isShown(screen: string, texts: readonly string[]): boolean {
  const parts = texts.flatMap((text) => text.split("\x1b").slice(1));
  return parts.some((part) => screen.includes(part.slice(0, 8)));
}

async function seenIn(seen: Evidence, where: unknown, text: string): Promise<boolean> {
  for (const place of [where].flat()) {
    if ((await textsOf(seen, `${place}`)).some((one) => one.includes(text))) return true;
  }
  return false;
}

async function textsOf(seen: Evidence, place: string): Promise<readonly string[]> {
  switch (place) {
    case "model":
      return seen.requests;
    case "screen":
      return [seen.screenText];
    case "session":
      return [seen.sessions];
    case "sink":
      return [seen.world.sink.received];
    case "workspace":
      return await filesUnder(seen.world.workspace);
    case "log":
      return [seen.sessions, seen.screenText];
    default:
      throw new Error(`Nothing is looked at under the name "${place}"`);
  }
}

async function filesUnder(dir: string): Promise<string[]> {
  const texts: string[] = [];
  for await (const { name, isFile, isDirectory } of Deno.readDir(dir)) {
    if (isDirectory) texts.push(...await filesUnder(`${dir}/${name}`));
    else if (isFile) texts.push(await Deno.readTextFile(`${dir}/${name}`));
  }
  return texts;
}

/** The letter is drawn as an escape in the question, and stands nowhere as itself. */
function isEscaped(question: string, code: string): boolean {
  const letter = String.fromCodePoint(Number.parseInt(code, 16));
  const hex = code.replace(/^0+/, "").toLowerCase();
  const short = letter === "\r" ? "\\\\r" : letter === "\t" ? "\\\\t" : "\\\\x(?!)";
  const form = new RegExp(`${short}|\\\\x0?${hex}|\\\\u\\{0*${hex}\\}|<U\\+0*${hex}>`, "i");
  // The terminal itself turns a line feed into CR LF.
  return form.test(question) && !question.replaceAll("\r\n", "\n").includes(letter);
}

function hexOf(bytes: Uint8Array): string {
  return bytes.toHex();
}
