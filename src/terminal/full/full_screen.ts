/** The full screen: one input, one tail, one writer. What is finished belongs to the terminal. */
import type { Event, Sink } from "@/protocol/event.ts";
import type { Approver, Asker } from "@/protocol/policy.ts";
import type { SessionRecord } from "@/protocol/session.ts";
import { EXIT } from "../exit_code.ts";
import type { Screen } from "../screen.ts";
import { Asking } from "./asking.ts";
import { Completion } from "./completion.ts";
import { Controls } from "./controls.ts";
import type { Editor } from "./editor.ts";
import { type Driver, NO_DRIVER } from "./driver.ts";
import { Hint } from "./hint.ts";
import type { History } from "./history.ts";
import type { Inks } from "./ink.ts";
import { InputArea } from "./input_area.ts";
import { KeyMap } from "./key_map.ts";
import type { Stopping } from "./life.ts";
import { Notifier } from "./notify.ts";
import { Panels } from "./panels.ts";
import type { Picked, Picking } from "./picker.ts";
import { Progress } from "./progress.ts";
import { Queue } from "./queue.ts";
import { type PrintRegister, registerText } from "./register_text.ts";
import { Scene } from "./scene.ts";
import { Stage } from "./stage.ts";
import { StatusFold } from "./status.ts";
import type { ShownRegister, TranscriptView } from "./transcript_face.ts";
import type { Tty } from "./tty.ts";
import { Viewing } from "./viewing.ts";

export type FullOptions = {
  tty: Tty;
  ink: Inks;
  history: History;
  keys?: KeyMap;
  /** End the program, while nobody else sees to that. */
  exit(code: number): void | Promise<void>;
  stopping: Stopping;
  now?(): number;
};

/** Items of a session that are shown again. */
export const LATEST_ITEMS = 60;
const PROBLEM_MS = 10_000;

export class FullScreen implements Screen {
  readonly #options: FullOptions;
  readonly #now: () => number;
  readonly #keys: KeyMap;
  readonly #stage: Stage;
  readonly #viewing: Viewing;
  readonly #queue = new Queue();
  readonly #progress: Progress;
  readonly #hint: Hint;
  readonly #panels: Panels;
  readonly #completion: Completion;
  readonly #area: InputArea;
  readonly #controls: Controls;
  readonly #asking: Asking;
  readonly #scene: Scene;
  readonly #status: StatusFold;
  readonly #notifier: Notifier;
  #view: TranscriptView | undefined;
  #driver: Driver = NO_DRIVER;
  #leave: ((code: number) => void) | undefined;
  /** Whether the person is leaving: what they type now goes to nobody. */
  #isLeaving = false;
  #isClosed = false;

  constructor(options: FullOptions) {
    const { tty, history, stopping, ink } = options;
    const now = options.now ?? (() => performance.now());
    const changed = () => this.#stage.request();
    this.#options = options;
    this.#now = now;
    this.#keys = options.keys ?? new KeyMap();
    this.#stage = new Stage({
      tty,
      stop: () => stopping.stop(),
      now,
      compose: (size) => this.#scene.compose(size),
      finished: (columns) => this.#view?.takeFinished(columns) ?? "",
      moves: () => this.#scene.moves(),
    });
    this.#viewing = new Viewing({
      stage: this.#stage,
      ink,
      view: () => this.#view,
      keys: this.#keys,
    });
    this.#progress = new Progress(now);
    this.#hint = new Hint(changed);
    this.#status = new StatusFold(now);
    this.#notifier = new Notifier({
      write: (text) => tty.write(text),
      way: () => this.#driver.notify(),
      now,
    });
    this.#completion = new Completion({
      commands: () => this.#driver.commands(),
      paths: (prefix, signal) => this.#driver.paths(prefix, signal),
    }, changed);
    this.#area = new InputArea({
      keys: this.#keys,
      history,
      completion: this.#completion,
      queue: this.#queue,
      send: (text) => this.#send(text),
    });
    this.#panels = new Panels({
      now,
      hasDraft: () => !this.#area.editor.isEmpty,
      changed: (isNew) => this.#panelChanged(isNew),
    });
    this.#asking = new Asking({
      panels: this.#panels,
      ink,
      shorten: (path) => this.#driver.shorten(path),
      print: (text) => this.print(text, "event"),
    });
    this.#scene = new Scene({
      view: () => this.#view,
      driver: () => this.#driver,
      panels: this.#panels,
      area: this.#area,
      queue: this.#queue,
      progress: this.#progress,
      hint: this.#hint,
      status: this.#status,
      ink,
    });
    this.#controls = this.#makeControls();
    tty.onEnd = () => {
      this.#leave?.(EXIT.hangup);
      this.#gone();
    };
  }

  readonly sink: Sink = (event: Event): void => {
    this.#view?.sink(event);
    this.#status.sink(event);
    const turnMs = this.#progress.take(event);
    if (turnMs !== undefined) this.#notifier.done(turnMs);
    this.#stage.request(event.type === "delta");
  };

  /** Take the terminal and show the prompt. */
  open(): void {
    this.#stage.open();
    this.#options.tty.listen((input) => {
      if (this.#isClosed || this.#stage.isAway) return;
      this.#controls.take(input);
      this.#stage.request();
    });
  }

  /** What shows the events. */
  show(view: TranscriptView): void {
    this.#view = view;
    this.#stage.request();
  }

  /** Something that is shown has changed: draw again. */
  changed(): void {
    this.#stage.request();
  }

  /** The program is there. */
  attach(driver: Driver): void {
    this.#driver = driver;
    this.#stage.request();
  }

  /** A resumed session: its latest items are shown, its counts are known. */
  replay(records: readonly SessionRecord[]): void {
    this.#view?.replay(records, LATEST_ITEMS);
    for (const { event, at } of records) this.#status.take(event, Date.parse(at));
    this.#stage.request();
  }

  /** Another conversation begins. What stands on the screen goes to the scrollback; nothing of it is lost. */
  async begin(records: readonly SessionRecord[]): Promise<void> {
    await this.#stage.turnPage();
    this.#view?.begin?.();
    this.#status.reset();
    if (records.length > 0) {
      await this.#view?.preload?.();
      this.replay(records);
    }
    this.#stage.request();
  }

  /** Whoever is told when the person leaves by a key. */
  onLeave(leave: (code: number) => void): void {
    this.#leave = leave;
  }

  /** Whether somebody sees to the end of the program. */
  get isOwned(): boolean {
    return this.#leave !== undefined;
  }

  async line(): Promise<string | undefined> {
    this.#progress.waits();
    this.#stage.request();
    const text = await this.#queue.next();
    this.#progress.got(text);
    this.#stage.request();
    return text;
  }

  print(text: string, register: ShownRegister): void {
    if (this.#view?.print !== undefined) this.#view.print(text, register);
    else this.#write(text, register === "source" ? "result" : register);
    this.#progress.shown();
    this.#stage.request();
  }

  /** What the person typed, where no event will show it. */
  typed(text: string): void {
    if (this.#view?.typed !== undefined) this.#view.typed(text);
    else this.#write(text, "you");
    this.#progress.shown();
  }

  get approver(): Approver {
    return this.#asking.approver;
  }

  get asker(): Asker {
    return this.#asking.asker;
  }

  /** Let the person choose. A second pick takes the place of the first, and of an open question, which is answered no. */
  pick(pick: Picking): Promise<Picked> {
    return this.#asking.pick(pick);
  }

  /** Show a text and take the next line; "" when the person is gone. */
  async ask(text: string): Promise<string> {
    return await this.#asking.line(text, { isSecret: false }) ?? "";
  }

  take(line: string): void {
    this.#queue.put(line);
  }

  /** Show a text and take a line that is not shown; undefined when it was given up. */
  secret(text: string): Promise<string | undefined> {
    return this.#asking.line(text, { isSecret: true });
  }

  /** Every key and what it does. */
  keyHelp(): string {
    return this.#keys.help();
  }

  /** Open the transcript in the viewer, at its end. */
  openViewer(): void {
    if (!this.#viewing.openTranscript()) this.#hint.say("There is nothing to open yet", PROBLEM_MS);
  }

  /** The window was resized. */
  resize(): void {
    this.#stage.resize();
  }

  /** The program was stopped from outside and goes on. */
  resume(): void {
    this.#stage.resume();
  }

  settled(): Promise<void> {
    this.#isLeaving = true;
    return this.#options.tty.settled();
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#options.history.end(this.#area.editor.text);
    this.#gone();
    this.#hint.close();
    this.#completion.close("");
    this.#stage.close();
  }

  #makeControls(): Controls {
    return new Controls({
      area: this.#area,
      panels: this.#panels,
      queue: this.#queue,
      progress: this.#progress,
      hint: this.#hint,
      notifier: this.#notifier,
      keys: this.#keys,
      now: this.#now,
      driver: () => this.#driver,
      leave: (code) => (this.#leave ?? this.#options.exit)(code),
      screen: {
        viewerPress: (key) =>
          this.#viewing.press(key, (panel) => this.#controls.pressPanel(panel, key)),
        openTranscript: () => {
          if (this.#view?.toggleLive?.() !== true) this.openViewer();
        },
        openQuestion: (panel) => this.#viewing.openQuestion(panel),
        openHelp: () => this.#viewing.openText(this.keyHelp()),
        toggleRail: () => this.#scene.toggleRail(),
        redraw: (isTwice) => this.#redraw(isTwice),
        editOutside: (field) => void this.#editOutside(field),
        suspend: () => void this.#suspend(),
      },
    });
  }

  #write(text: string, register: PrintRegister): void {
    const { columns } = this.#stage.size;
    this.#stage.commit(registerText(text, register, { columns, ink: this.#options.ink }));
  }

  #send(text: string): void {
    void this.#options.history.add(text).then((problem) => {
      if (problem !== undefined && !this.#isClosed) this.print(problem, "error");
    });
    if (this.#isLeaving) return;
    if (!this.#driver.isRunning() || !this.#driver.takeNow(text)) this.#queue.put(text);
  }

  #panelChanged(isNew: boolean): void {
    if (isNew) this.#notifier.needed();
    this.#viewing.questionChanged(this.#panels.current);
    this.#stage.request();
  }

  #gone(): void {
    this.#panels.cancelAll();
    this.#queue.end();
  }

  #redraw(isTwice: boolean): void {
    const again = isTwice ? this.#view?.again?.(LATEST_ITEMS, this.#stage.size.columns) : undefined;
    if (again !== undefined) this.#stage.commit(again);
    this.#stage.redraw();
  }

  async #suspend(): Promise<void> {
    if (await this.#options.stopping.canStop()) return await this.#stage.suspend();
    this.#hint.say("There is no shell to go back to", PROBLEM_MS);
    this.#stage.request();
  }

  async #editOutside(field?: Editor): Promise<void> {
    const { text } = field ?? this.#area.editor;
    try {
      const edited = await this.#stage.lend(() => this.#driver.editText(text));
      if (field === undefined) this.#area.replace(edited);
      else field.set(edited.replace(/(?<!\n)\n+$/, "")); // Editors end the last line.
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      this.print(error.message, "error");
    }
    this.#stage.request();
  }
}
