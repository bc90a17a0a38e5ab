import { clearScreenDown, createInterface, cursorTo, type Interface, moveCursor } from 'node:readline';
import { type Readable, Writable } from 'node:stream';
import { systemClock } from '@/lib/wire/clock';
import { type Line, styledText } from '@/proxy/cli/output';
import { plainText } from '@/proxy/cli/plain-text';

/** The streams that a chat reads and writes. */
interface TerminalStreams {
  readonly input: Readable & { readonly isTTY?: boolean; setRawMode?(raw: boolean): unknown };
  readonly output: Writable & { readonly columns?: number };
  readonly colours: boolean;
  /** Opens text in the person's editor. Resolves with undefined if nothing was saved. */
  readonly edit?: ((text: string) => Promise<string | undefined>) | undefined;
}

/** Returns what may replace the end of a line, and that end. */
export type CompleteLine = (line: string) => Promise<readonly [candidates: readonly string[], end: string]>;

/** How a question is asked. */
interface QuestionOptions {
  /** Does not show what is typed. */
  readonly hidden?: boolean;
  /** Text in the line, to be changed. It may be from outside. */
  readonly text?: string;
  /** Takes a pasted text of several lines as one answer. */
  readonly multiline?: boolean;
  /** Withdraws the question. */
  readonly signal?: AbortSignal;
  /** Printed before the question, once it is its turn. */
  readonly before?: readonly Line[];
}

interface Waiting {
  readonly prompt: string;
  readonly options: QuestionOptions;
  readonly isMessage: boolean;
  readonly resolve: (line: string | undefined) => void;
  /** Removes the listener from the signal: a signal may outlive many questions. */
  forget(): void;
}

/** Messages that the arrow keys bring back. They are never written to a file: people paste secrets. */
const HISTORY = 200;

/** Milliseconds that Tab waits for the lists of servers. Meanwhile no key does anything. */
const COMPLETE_MS = 2000;

/**
 * A terminal that a person and a chat share. It asks one question at a time. What is typed while nothing is asked is
 * dropped, so that no key that was meant for something else answers a question.
 */
export class ChatTerminal {
  readonly #output: TerminalStreams['output'];
  readonly #colours: boolean;
  readonly #lines: Interface;
  /** Shows what is typed. */
  #echoes = false;
  #asked: Waiting | undefined;
  readonly #queue: Waiting[] = [];
  /** Lines of a message that was pasted. */
  #pasted: string[] = [];
  #history: string[] = [];
  #closed = false;
  /** The cursor is at the start of a line. */
  #atStart = true;
  /** Text that came while something was asked. */
  #held = '';
  readonly #input: TerminalStreams['input'];
  readonly #edit: TerminalStreams['edit'];
  /** The editor has the terminal. */
  #isEditing = false;
  /** The question was withdrawn meanwhile. The next one would take keys from the editor. */
  #isWithdrawn = false;
  /** Lines that came meanwhile. */
  readonly #heldLines: Line[] = [];
  /** A tab of the last input was pasted, not pressed. */
  #pastesTab = false;
  /** Completes the end of a message when Tab is pressed. */
  complete: CompleteLine | undefined;
  /** Resolves when no dialogue is going on. */
  #dialogues: Promise<unknown> = Promise.resolve();

  /** `onInterrupt` is called on Ctrl-C. */
  constructor({ input, output, colours, edit }: TerminalStreams, onInterrupt: () => void) {
    this.#input = input;
    this.#output = output;
    this.#edit = edit;
    this.#colours = colours;
    const echo = new Writable({
      write: (chunk, _encoding, done) => {
        // At once: what is shown now may not be what is shown later.
        if (this.#echoes) output.write(chunk);
        done();
      },
    });
    // Readline asks its output for the width.
    const shown = Object.assign(echo, { isTTY: true, rows: 24 });
    Object.defineProperty(shown, 'columns', { get: () => this.width });
    const onData = (chunk: Buffer): void => {
      this.#pastesTab = chunk.length > 1 && chunk.includes('\t');
    };
    const onKey = (_: unknown, key?: { readonly name?: string; readonly ctrl?: boolean }): void => {
      if (key?.ctrl && key.name === 'g') void this.#openEditor();
    };
    // Before Readline, which reads the same input.
    input.on('data', onData);
    this.#lines = createInterface({
      input,
      output: shown,
      terminal: true,
      completer: (line: string, done: (error: null, found: [string[], string]) => void) => {
        // With a completer, Readline takes every tab for a wish.
        if (this.#pastesTab) done(null, [[`${line}\t`], line]);
        else void this.#candidates(line).then((found) => done(null, found));
      },
      historySize: HISTORY,
      removeHistoryDuplicates: true,
    });
    this.#lines.on('line', (line) => this.#onLine(line));
    this.#lines.on('SIGINT', onInterrupt);
    input.on('keypress', onKey);
    this.#lines.on('history', (history: string[]) => {
      // Answers to questions are not messages.
      if (this.#asked?.isMessage !== true) history.splice(0, history.length, ...this.#history);
      else this.#history = [...history];
    });
    this.#lines.on('close', () => {
      input.off('data', onData).off('keypress', onKey);
      this.#close();
    });
  }

  /** Columns. */
  get width(): number {
    return this.#output.columns ?? 80;
  }

  /** Reads a message. Resolves with undefined at the end of the input. */
  message(prompt: string): Promise<string | undefined> {
    return this.#ask({ prompt, options: {}, isMessage: true });
  }

  /** Asks a question. Resolves with undefined at the end of the input, and if the question is withdrawn. */
  ask(prompt: string, options: QuestionOptions = {}): Promise<string | undefined> {
    return this.#ask({ prompt, options, isMessage: false });
  }

  /** Asks several questions that belong together. Those of others wait. */
  dialogue<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#dialogues.then(work);
    this.#dialogues = turn.catch(() => {});
    return turn;
  }

  /** Writes text from outside, piece by piece. Control characters are replaced. */
  stream(text: string, tone?: 'muted'): void {
    if (text === '') return;
    if (this.#asked) {
      this.#held += text;
      return;
    }
    const safe = plainText(text.replaceAll('\r\n', '\n'));
    const dim = tone === 'muted' && this.#colours;
    this.#output.write(dim ? `\u001b[2m${safe}\u001b[22m` : safe);
    this.#atStart = text.endsWith('\n');
  }

  /** Writes lines, below what was streamed, and above what is asked. */
  print(...lines: readonly Line[]): void {
    if (lines.length === 0) return;
    if (this.#isEditing) {
      this.#heldLines.push(...lines);
      return;
    }
    const isAsked = this.#asked && this.#echoes;
    const rows = isAsked ? this.#eraseQuestion() : 0;
    if (!isAsked) this.endLine();
    // Readline goes up the rows of what is typed before it shows that again.
    this.#output.write(`${styledText(lines, this.#colours)}\n${'\n'.repeat(rows)}`);
    if (isAsked) this.#lines.prompt(true);
  }

  /** Begins a new line unless the cursor is at the start of one. */
  endLine(): void {
    if (!this.#atStart) this.#output.write('\n');
    this.#atStart = true;
  }

  /** Removes what is typed. Returns false if there was nothing. */
  clearTyped(): boolean {
    const typed = this.#lines.line !== '' || this.#pasted.length > 0;
    this.#pasted = [];
    this.#lines.write(null, { ctrl: true, name: 'e' });
    this.#lines.write(null, { ctrl: true, name: 'u' });
    return typed;
  }

  /** Shows a sentence below what is typed, and asks again. */
  remind(sentence: string): void {
    this.#output.write('\n');
    this.print([{ text: sentence, tone: 'muted' }]);
    if (this.#asked) this.#lines.prompt(true);
  }

  /** Puts text into the next message, to be edited. It may be from outside: control characters are replaced. */
  prefill(text: string): void {
    const lines = text.split(/[\r\n]+/).map((line) => line.trim());
    this.#lines.write(plainText(lines.join(' ')).replaceAll('\t', ' '));
  }

  close(): void {
    this.#lines.close();
  }

  #ask(question: Omit<Waiting, 'resolve' | 'forget'>): Promise<string | undefined> {
    const { signal } = question.options;
    if (this.#closed || signal?.aborted) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const onAbort = (): void => this.#withdraw(waiting);
      const waiting: Waiting = { ...question, resolve, forget: () => signal?.removeEventListener('abort', onAbort) };
      signal?.addEventListener('abort', onAbort, { once: true });
      if (this.#asked) this.#queue.push(waiting);
      else this.#begin(waiting);
    });
  }

  #begin(waiting: Waiting): void {
    this.endLine();
    if (!waiting.isMessage) this.clearTyped();
    this.print(...(waiting.options.before ?? []));
    this.#asked = waiting;
    const prompt = plainText(waiting.prompt.replace(/\s+/g, ' '));
    this.#echoes = waiting.options.hidden !== true;
    if (!this.#echoes) this.#output.write(prompt);
    this.#lines.setPrompt(prompt);
    this.#lines.prompt(true);
    if (waiting.options.text !== undefined) this.prefill(waiting.options.text);
  }

  async #candidates(line: string): Promise<[string[], string]> {
    if (!this.#asked?.isMessage || !this.complete) return [[], line];
    let callOff = (): void => {};
    const late = new Promise<readonly [readonly string[], string]>((resolve) => {
      callOff = systemClock.after(COMPLETE_MS, () => resolve([[], line]));
    });
    const found = this.complete(line).catch(() => [[], line] as const);
    const [candidates, end] = await Promise.race([found, late]).finally(() => callOff());
    // Names from outside: a line break or a control character could look like something else.
    return [candidates.filter((one) => !/\s/.test(one.trimEnd()) && plainText(one) === one), end];
  }

  /** Hands the terminal and the line over to the editor. A text that was changed there is the answer. */
  async #openEditor(): Promise<void> {
    const waiting = this.#asked;
    if (!waiting || waiting.options.hidden || this.#isEditing) return;
    if (!this.#edit) {
      this.remind('Set EDITOR to edit a text in an editor.');
      return;
    }
    const before = [...this.#pasted, this.#lines.line].join('\n');
    this.#isEditing = true;
    this.#lines.pause();
    this.#input.setRawMode?.(false);
    const text = await this.#edit(before);
    this.#isEditing = false;
    if (this.#closed) return;
    this.#input.setRawMode?.(true);
    this.#lines.resume();
    this.print(...this.#heldLines.splice(0));
    if (this.#isWithdrawn) {
      this.#isWithdrawn = false;
      this.#withdraw(waiting);
      return;
    }
    if (text === undefined || text === before) {
      this.#lines.prompt(true);
      return;
    }
    this.clearTyped();
    this.#eraseQuestion();
    this.#output.write(`${plainText(waiting.prompt)}${plainText(text)}\n`);
    this.#settle(waiting, text);
  }

  #onLine(line: string): void {
    const waiting = this.#asked;
    if (!waiting) return;
    if (!waiting.isMessage && !waiting.options.multiline) {
      this.#settle(waiting, line);
      return;
    }
    this.#pasted.push(line);
    // The lines of a pasted text come at once, and its last one may have no line feed.
    if (this.#pasted.length === 1) setImmediate(() => this.#endMessage(waiting));
    else if (this.#lines.line === '') setImmediate(() => this.#endMessage(waiting));
  }

  #endMessage(waiting: Waiting): void {
    if (this.#asked !== waiting || this.#pasted.length === 0 || this.#lines.line !== '') return;
    const text = this.#pasted.join('\n');
    this.#pasted = [];
    this.#settle(waiting, text);
  }

  #settle(waiting: Waiting, line: string | undefined): void {
    waiting.forget();
    this.#asked = undefined;
    if (!this.#echoes) this.#output.write('\n');
    this.#echoes = false;
    this.#atStart = true;
    const held = this.#held;
    this.#held = '';
    this.stream(held);
    waiting.resolve(line);
    const next = this.#queue.shift();
    if (next && !this.#asked) this.#begin(next);
  }

  #withdraw(waiting: Waiting): void {
    const at = this.#queue.indexOf(waiting);
    if (at >= 0) {
      this.#queue.splice(at, 1);
      waiting.forget();
      waiting.resolve(undefined);
    } else if (this.#asked === waiting && this.#isEditing) {
      this.#isWithdrawn = true;
    } else if (this.#asked === waiting) {
      if (this.#echoes) this.#eraseQuestion();
      this.#settle(waiting, undefined);
    }
  }

  /** Erases the question and what is typed. Returns the rows above the cursor that they had. */
  #eraseQuestion(): number {
    const { rows } = this.#lines.getCursorPos();
    moveCursor(this.#output, 0, -rows);
    cursorTo(this.#output, 0);
    clearScreenDown(this.#output);
    return rows;
  }

  #close(): void {
    this.#closed = true;
    const left = [...(this.#asked ? [this.#asked] : []), ...this.#queue.splice(0)];
    this.#asked = undefined;
    for (const { resolve } of left) resolve(undefined);
  }
}
