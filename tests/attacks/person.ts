/** The person of an attack: reads what is asked, and says no unless the attack says otherwise. */
import type { Terminal } from "./terminal.ts";

const LOOK_MS = 25;

/** Where the plain screen stops and waits: for a line, or for the answer to a question. */
const PROMPT = /(?:^|[\r\n])(?:\x1b\[[0-9;]*m)*> (?:\x1b\[[0-9;]*m)*$/;
const QUESTION = /(?:: |\] )$/;
/** What would be trusted is listed before the question. */
const TRUST = /question: trust exactly these contents/;

/** Answers every question with no, unless the attack says otherwise. */
export class Person {
  readonly questions: string[] = [];
  readonly #terminal: Terminal;
  readonly #answers: string[];
  #from = 0;

  constructor(terminal: Terminal, answers: readonly string[]) {
    this.#terminal = terminal;
    this.#answers = [...answers];
  }

  /**
   * Resolves to true at the next prompt after what was typed, having answered what was asked before it. `shows`: what the
   * line prints; a prompt before it stands there because something else was told meanwhile.
   */
  async untilPrompt(withinMs: number, typed = "", shows = ""): Promise<boolean> {
    const end = performance.now() + withinMs;
    if (typed !== "") await this.#echoed(typed, withinMs);
    for (;;) {
      const rest = (text: string) => text.slice(this.#from);
      const isPrompt = (text: string) => PROMPT.test(text) && text.includes(shows);
      const isThere = (text: string) => isPrompt(rest(text)) || QUESTION.test(rest(text));
      if (!await this.#terminal.until(isThere, end - performance.now())) return false;
      await pause(LOOK_MS);
      const text = rest(this.#terminal.text);
      if (isPrompt(text)) return true;
      if (!QUESTION.test(text)) continue;
      // An answer is taken only if it was typed after the question was read.
      await pause(LOOK_MS * 4);
      if (rest(this.#terminal.text) !== text) continue;
      this.questions.push(TRUST.test(text) ? text : lastOf(text));
      this.#from = this.#terminal.text.length;
      await this.#terminal.type(`${this.#answers.shift() ?? "n"}\n`);
    }
  }

  async #echoed(typed: string, withinMs: number): Promise<void> {
    const head = typed.slice(0, 20);
    const from = this.#from;
    await this.#terminal.until((text) => text.indexOf(head, from) >= 0, withinMs);
    this.#from = this.#terminal.text.indexOf(head, from) + typed.length;
  }
}

function lastOf(text: string): string {
  return text.slice(Math.max(0, text.lastIndexOf("question: ")));
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
