import type { Chat } from '@/lib/chat/chat';
import type { Allowance, ChatPart, ChatSettings } from '@/lib/chat/chat-frame';
import type { ChatServer } from '@/lib/chat/model';
import { isFailure } from '@/lib/wire/lifecycle';
import { ExitError } from '@/proxy/cli/exit-code';
import { usageText } from './chat-output';
import type { FailedServer } from './chat-servers';
import type { ChatTerminal } from './chat-terminal';
import { messageParts } from './message-parts';

/** The parts of a chat in a terminal. */
interface HostOptions {
  readonly chat: Chat;
  readonly terminal: ChatTerminal;
  readonly servers: readonly ChatServer[];
  readonly failed: readonly FailedServer[];
  /** Loads a model, and returns its settings. Rejects with an error that says what is wrong. */
  readonly load: (name: string) => Promise<Pick<ChatSettings, 'model' | 'toolMode'>>;
  /** Records the chat in a file. Throws an ExitError. */
  readonly save: (path: string) => void;
  /** Runs a line that begins with a slash. Rejects with an ExitError. */
  readonly runCommand: (host: TerminalHost, line: string) => Promise<void>;
}

/** A chat with a person at a terminal. */
export class TerminalHost {
  readonly chat: Chat;
  readonly terminal: ChatTerminal;
  readonly servers: readonly ChatServer[];
  readonly failed: readonly FailedServer[];
  readonly save: (path: string) => void;
  /** The turn that the next message follows. */
  leaf: string | undefined;
  readonly #load: HostOptions['load'];
  readonly #runCommand: HostOptions['runCommand'];
  #answering: AbortController | undefined;
  #isOver = false;
  /** Ctrl-C was the last thing that was typed. */
  #wasInterrupted = false;

  constructor({ chat, terminal, servers, failed, load, save, runCommand }: HostOptions) {
    this.chat = chat;
    this.terminal = terminal;
    this.servers = servers;
    this.failed = failed;
    this.#load = load;
    this.#runCommand = runCommand;
    this.save = save;
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
      try {
        if (line.startsWith('/')) await this.#runCommand(this, line.trim());
        else await this.#sendText(line);
      } catch (error) {
        this.#report(error, line);
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
    this.chat.configure({ ...this.settings, ...(await this.#load(name)) });
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
    if (turn?.kind !== 'user') throw new ExitError(2, 'There is no message yet.');
    return turn;
  }

  /** Says what went wrong, and gives back what was typed. */
  #report(error: unknown, line: string): void {
    const sentence =
      error instanceof ExitError ? error.message : isFailure(error) ? `${error.message} ${error.advice}` : undefined;
    if (sentence === undefined && !(error instanceof DOMException && error.name === 'AbortError')) throw error;
    this.terminal.print([{ text: sentence ?? 'Cancelled.', tone: 'warn' }]);
    this.terminal.prefill(line);
  }
}
