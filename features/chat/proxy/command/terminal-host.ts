import type { Chat } from '@/features/chat/lib/chat';
import type { Allowance, ChatPart, ChatSettings } from '@/features/chat/lib/chat-frame';
import { isFailure } from '@/lib/wire/lifecycle';
import { ExitError } from '@/proxy/cli/exit-code';
import { usageText } from './chat-output';
import type { ChatTerminal, CompleteLine } from './chat-terminal';
import type { EndingServer, FailedServer } from './failed-server';
import { messageParts } from './message-parts';

/** The parts of a chat in a terminal. */
interface HostOptions {
  readonly chat: Chat;
  readonly terminal: ChatTerminal;
  /** The servers that are connected or were, and those that did not start. */
  readonly servers: () => readonly EndingServer[];
  readonly failed: () => readonly FailedServer[];
  /** Starts a server again. Rejects with an ExitError. */
  readonly restart: (name: string) => Promise<void>;
  /** Loads a model, and returns its settings. Rejects with an error that says what is wrong. */
  readonly load: (name: string) => Promise<Pick<ChatSettings, 'model' | 'toolMode'>>;
  /** Asks for another key of a model. Rejects with an ExitError. */
  readonly changeKey: (name: string) => Promise<unknown>;
  /** The turn that the first message follows, in a chat that goes on. */
  readonly leaf: string | undefined;
  /** Records the chat in a file. Throws an ExitError. */
  readonly save: (path: string) => void;
  /** Runs a line that begins with a slash. Rejects with an ExitError. */
  readonly runCommand: (host: TerminalHost, line: string) => Promise<void>;
  /** Completes the end of a message. */
  readonly complete: (line: string, host: TerminalHost) => ReturnType<CompleteLine>;
}

/** A chat with a person at a terminal. */
export class TerminalHost {
  readonly chat: Chat;
  readonly terminal: ChatTerminal;
  readonly save: HostOptions['save'];
  readonly changeKey: HostOptions['changeKey'];
  /** The turn that the next message follows. */
  leaf: string | undefined;
  readonly #options: HostOptions;
  #answering: AbortController | undefined;
  #isOver = false;
  /** Ctrl-C was the last thing that was typed. */
  #wasInterrupted = false;

  constructor(options: HostOptions) {
    const { chat, terminal, save, changeKey, leaf } = options;
    this.chat = chat;
    this.terminal = terminal;
    this.save = save;
    this.changeKey = changeKey;
    this.leaf = leaf;
    this.#options = options;
    terminal.complete = (line) => options.complete(line, this);
  }

  get servers(): readonly EndingServer[] {
    return this.#options.servers();
  }

  get failed(): readonly FailedServer[] {
    return [...this.servers.flatMap(({ lost }) => lost ?? []), ...this.#options.failed()];
  }

  get settings(): ChatSettings {
    return this.chat.state.settings!;
  }

  get allowance(): Allowance {
    return this.settings.allow ?? { mode: 'ask' };
  }

  setAllowance(allow: Allowance): void {
    this.chat.configure({ ...this.settings, allow });
  }

  /** Reads messages and commands until the person quits. */
  async run(): Promise<void> {
    while (!this.#isOver) {
      const line = await this.terminal.message('> ');
      if (line === undefined) return;
      this.#wasInterrupted = false;
      if (line.trim() === '') continue;
      // The arrow keys bring a command back. A message may be long, so it stays in the line.
      const isCommand = line.startsWith('/');
      try {
        if (isCommand) await this.#options.runCommand(this, line.trim());
        else await this.#sendText(line);
      } catch (error) {
        this.#report(error);
        if (!isCommand) this.terminal.prefill(line);
      }
    }
  }

  /** Sends a message, and shows the answer. */
  async send(parts: readonly ChatPart[]): Promise<void> {
    const turn = this.chat.say(parts, this.leaf);
    this.leaf = turn;
    await this.#answer(turn);
  }

  /** Asks for another answer to the last message, beside the one before. */
  async retry(): Promise<void> {
    const message = this.#lastMessage();
    this.leaf = message.id;
    await this.#answer(message.id);
  }

  /** Puts the last message into the line. The next one takes its place, in a branch of its own. */
  edit(): void {
    const message = this.#lastMessage();
    this.leaf = message.parent;
    const [first] = message.parts;
    if (first?.type === 'text') this.terminal.prefill(first.text);
  }

  /** Says that something was cut. */
  readonly noteCut = (sentence: string): void => this.terminal.print([{ text: sentence, tone: 'warn' }]);

  async chooseModel(name: string): Promise<void> {
    this.chat.configure({ ...this.settings, ...(await this.#options.load(name)) });
  }

  /** Starts a server again, also one that did not start before. Rejects with an ExitError. */
  async restart(name: string): Promise<void> {
    await this.#options.restart(name);
    this.chat.configure({ ...this.settings, servers: this.servers.map((server) => server.name) });
  }

  quit(): void {
    this.#isOver = true;
    this.#answering?.abort();
    this.terminal.close();
  }

  /** Ctrl-C: cancels the answer, clears what is typed or, the second time in a row, quits. */
  readonly interrupt = (): void => {
    if (this.#answering && !this.#answering.signal.aborted) {
      this.#answering.abort();
      this.#wasInterrupted = true;
      return;
    }
    if (this.#wasInterrupted) {
      this.quit();
      return;
    }
    this.#wasInterrupted = true;
    if (!this.terminal.clearTyped()) this.terminal.remind('Ctrl-C again quits.');
  };

  async #sendText(text: string): Promise<void> {
    const { resultChars } = this.settings.limits;
    await this.#whileBusy(async (signal) =>
      this.send(await messageParts(text, this.servers, signal, resultChars, this.noteCut)),
    );
  }

  async #answer(message: string): Promise<void> {
    await this.#whileBusy(async (signal) => {
      const answer = await this.chat.answer(message, signal);
      this.leaf = answer.id;
      this.terminal.print([{ text: usageText(answer), tone: 'muted' }]);
    });
  }

  async #whileBusy(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const outer = this.#answering;
    const stop = outer ?? new AbortController();
    this.#answering = stop;
    try {
      await work(stop.signal);
    } finally {
      this.#answering = outer;
    }
  }

  #lastMessage() {
    const turn = this.chat.state.pathTo(this.leaf).findLast(({ kind }) => kind === 'user');
    if (turn?.kind !== 'user') throw new ExitError(2, 'Nothing was asked yet: send a message first.');
    return turn;
  }

  #report(error: unknown): void {
    const sentence =
      error instanceof ExitError ? error.message : isFailure(error) ? `${error.message} ${error.advice}` : undefined;
    if (sentence === undefined && !(error instanceof DOMException && error.name === 'AbortError')) throw error;
    this.terminal.print([{ text: sentence ?? 'Cancelled.', tone: 'warn' }]);
  }
}
