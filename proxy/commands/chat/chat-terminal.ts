import { clearLine, createInterface, cursorTo, type Interface } from 'node:readline';
import { type Readable, Writable } from 'node:stream';
import { type Line, styledText } from '@/proxy/cli/output';
import { plainText } from '@/proxy/cli/plain-text';

/** The streams that a chat reads and writes. */
interface TerminalStreams {
  readonly input: Readable & { readonly isTTY?: boolean };
  readonly output: Writable & { readonly columns?: number };
  readonly colours: boolean;
}

/** How a question is asked. */
interface QuestionOptions {
  /** Does not show what is typed. */
  readonly hidden?: boolean;
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
}

/** Messages that the arrow keys bring back. They are never written to a file: people paste secrets. */
const HISTORY = 200;

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
  /** Resolves when no dialogue is going on. */
  #dialogues: Promise<unknown> = Promise.resolve();

  /** `onInterrupt` is called on Ctrl-C. */
  constructor({ input, output, colours }: TerminalStreams, onInterrupt: () => void) {
    this.#output = output;
    this.#colours = colours;
    const echo = new Writable({
      write: (chunk, _encoding, done) => {
        // At once: what is shown now may not be what is shown later.
        if (this.#echoes) output.write(chunk);
        done();
      },
    });
    // Readline asks its output for the width.
    const shown = Object.assign(echo, { isTTY: true, columns: output.columns ?? 80, rows: 24 });
    this.#lines = createInterface({
      input,
      output: shown,
      terminal: true,
      historySize: HISTORY,
      removeHistoryDuplicates: true,
    });
    this.#lines.on('line', (line) => this.#onLine(line));
    this.#lines.on('SIGINT', onInterrupt);
    this.#lines.on('history', (history: string[]) => {
      // Answers to questions are not messages.
      if (this.#asked?.isMessage !== true) history.splice(0, history.length, ...this.#history);
      else this.#history = [...history];
    });
    this.#lines.on('close', () => this.#close());
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
    const isAsked = this.#asked && this.#echoes;
    if (isAsked) this.#eraseQuestion();
    else this.endLine();
    this.#output.write(`${styledText(lines, this.#colours)}\n`);
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
    this.#lines.write(plainText(lines.join(' ')));
  }

  close(): void {
    this.#lines.close();
  }

  #ask(question: Omit<Waiting, 'resolve'>): Promise<string | undefined> {
    if (this.#closed || question.options.signal?.aborted) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const waiting = { ...question, resolve };
      question.options.signal?.addEventListener('abort', () => this.#withdraw(waiting), { once: true });
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
  }

  #onLine(line: string): void {
    const waiting = this.#asked;
    if (!waiting) return;
    if (!waiting.isMessage) {
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
      waiting.resolve(undefined);
    } else if (this.#asked === waiting) {
      if (this.#echoes) this.#eraseQuestion();
      this.#settle(waiting, undefined);
    }
  }

  #eraseQuestion(): void {
    cursorTo(this.#output, 0);
    clearLine(this.#output, 0);
  }

  #close(): void {
    this.#closed = true;
    const left = [...(this.#asked ? [this.#asked] : []), ...this.#queue.splice(0)];
    this.#asked = undefined;
    for (const { resolve } of left) resolve(undefined);
  }
}
