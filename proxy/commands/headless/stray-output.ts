import { BYTE } from '@/lib/json/scan';
import type { TapHost } from '@/lib/mcp/log-tap';
import { classify, decodeLossy, type Message } from '@/lib/store/classify';
import { RecentMap } from '@/lib/store/columns/collections';
import { explainBrokenAnswer, explainIdMismatch } from '@/lib/store/exchanges/answer-faults';
import { HttpExchanges } from '@/lib/store/exchanges/http-exchanges';
import { UnmatchedAnswers } from '@/lib/store/exchanges/unmatched-answers';
import { CRASH_LINES, crashLine, errorLine } from '@/lib/store/rows/error-line';
import { ConnectionError } from '@/lib/transports/transport';
import { withoutAnsi } from '@/lib/wire/control-characters';
import type { Direction } from '@/lib/wire/frame';
import { isFailure } from '@/lib/wire/lifecycle';
import type { RequestId } from '@/lib/wire/message';
import { EXIT, ExitError } from '@/proxy/cli/exit-code';
import { LateError } from './late-error';

/** Output of a server that is not MCP messages. */
interface StrayLines {
  readonly lines: number;
  /** Start of the first line. */
  readonly first: string;
  readonly message: string;
}

/**
 * Collects output of a server that is not MCP messages, to report it and to explain missing answers. Keeps the first
 * such line, and one line for each open request.
 */
export class StrayOutput {
  /** Open requests by seq. */
  readonly #asked = new Map<number, Asked>();
  readonly #answered = new RecentMap<RequestId, true>();
  readonly #http = new HttpExchanges();
  readonly #unmatched: UnmatchedAnswers;
  #isHttp = false;
  #lines = 0;
  /** `grows`: the text begins an object that the next lines continue. */
  readonly #first = { text: '', grows: false };
  /** The last lines on stderr that are not blank. */
  #stderr: string[] = [];
  /** How many of them came before the last response. An error among them did not stop the server. */
  #survived = 0;
  /** The first line that names an error, quoted. */
  #error: string | undefined;
  /** Number of lines already reported. */
  #told = 0;
  /** The response being examined, and its line. */
  #response: { readonly id: Message['id']; readonly line: Uint8Array } | undefined;

  readonly #onFirst: () => void;

  /** `onFirst` is called with the first line of each process. */
  constructor(onFirst: () => void = () => {}) {
    this.#onFirst = onFirst;
    const asked = this.#asked;
    const find = (isIt: (request: Asked) => boolean): number | undefined =>
      [...asked].find(([, request]) => isIt(request))?.[0];
    this.#unmatched = new UnmatchedAnswers({
      waitingFor: (id) => find((request) => request.id === id),
      wasAnswered: (id) => this.#answered.has(id),
      get onlyPending() {
        // A subcommand sends one request at a time. Our probe may stay open.
        return [...asked.keys()].at(-1);
      },
      onExchange: (exchange) => {
        const seq = this.#http.get(exchange)?.messages[0];
        return seq !== undefined && asked.has(seq) ? seq : undefined;
      },
      linkUnmatched: (request, seq, text) => this.#found(asked.get(request)!, seq, text),
    });
  }

  /** Passes each frame to `next`, then examines it. */
  tap(next: TapHost['append']): TapHost['append'] {
    return (channel, direction, flags, time, source, start, end) => {
      const seq = next(channel, direction, flags, time, source, start, end);
      const bytes = source.subarray(start, end);
      if (channel === 'stderr') this.#addStderr(withoutAnsi(startOf(bytes)));
      else if (channel === 'lifecycle' && SPAWNED.equals(bytes.subarray(0, SPAWNED.length))) this.#reset();
      else if (channel === 'http') {
        this.#isHttp = true;
        this.#http.addFrame(seq, decodeLossy(bytes));
      } else if (channel === 'protocol') this.#protocol(seq, direction, bytes);
      return seq;
    };
  }

  /** Returns all stray output so far; undefined if there is none since the last call. */
  takeLines(): StrayLines | undefined {
    if (this.#lines === this.#told) return undefined;
    this.#told = this.#lines;
    const [lines, first] = [this.#lines, quoted(this.#first.text)];
    const advice = this.#isHttp ? '' : ' Print logs to stderr instead.';
    return { lines, first, message: `${this.#whatLines()}${advice}` };
  }

  /** Counts the lines and quotes the first, and the first that names an error. */
  #whatLines(): string {
    const [lines, first] = [this.#lines, quoted(this.#first.text)];
    const what = this.#isHttp
      ? `sent ${lines === 1 ? '1 HTTP body or event that is not an MCP message' : `${lines} HTTP bodies or events that are not MCP messages`}`
      : `printed ${lines === 1 ? '1 line on stdout that is not an MCP message' : `${lines} lines on stdout that are not MCP messages`}`;
    const error = this.#error === undefined || this.#error === first ? '' : ` Then: \`${this.#error}\`.`;
    return `The server ${what}. First: \`${first}\`.${error}`;
  }

  /** Adds an explanation of the missing answer to the error that ended a subcommand. */
  explain(error: unknown): unknown {
    const broken = this.#brokenAnswer();
    if (error instanceof LateError) {
      const { message, option } = error;
      return new ExitError(
        EXIT.timeout,
        `${message} ${broken ?? `Allow more time with \`${option}\`. ${this.#whatElse()}`}`,
      );
    }
    if (!isFailure(error)) return error;
    const { code, message } = error;
    const advice = broken ?? (EXPLAINED.has(code) ? this.#whatElse() : undefined);
    return advice === undefined ? error : new ConnectionError({ code, message, advice });
  }

  /** Says what the server printed instead of a response. */
  #whatElse(): string {
    if (this.#isHttp) return 'The server sent nothing that looks like the response.';
    const stderr = this.#whyOnStderr();
    if (this.#lines > 0) {
      this.#told = this.#lines;
      return `${this.#whatLines()} ${stderr}`;
    }
    return `The server printed ${this.#answered.size > 0 ? 'only other MCP messages' : 'nothing'} on stdout. ${stderr}`;
  }

  /** Quotes the line on stderr that best explains the end. */
  #whyOnStderr(): string {
    const itself = (text: string) => text;
    const line = crashLine(this.#stderr.slice(this.#survived), itself) || crashLine(this.#stderr, itself);
    if (line === '') return 'It printed nothing on stderr.';
    const isLast = line === this.#stderr.at(-1)?.trim();
    return `${isLast ? 'Its last line on stderr' : 'On stderr'}: \`${quoted(line)}\`.`;
  }

  #addStderr(line: string): void {
    if (line.trim() === '') return;
    this.#stderr.push(line);
    if (this.#stderr.length <= CRASH_LINES) return;
    this.#stderr.shift();
    this.#survived = Math.max(0, this.#survived - 1);
  }

  /** Auto mode may start a second process. The output of the first one no longer matters. */
  #reset(): void {
    this.#lines = 0;
    this.#told = 0;
    this.#stderr = [];
    this.#survived = 0;
    this.#error = undefined;
    Object.assign(this.#first, { text: '', grows: false });
  }

  #brokenAnswer(): string | undefined {
    const found = [...this.#asked.values()].findLast(({ answer }) => answer !== undefined);
    if (!found?.answer) return undefined;
    const { text, why } = found.answer;
    return `The server sent text that looks like the response to ${found.method}: \`${quoted(text)}\`. ${why}`;
  }

  #protocol(seq: number, direction: Direction, bytes: Uint8Array): void {
    const exchange = this.#http.attachMessage(seq);
    const ours = direction === 'to-server';
    if (isNotification(bytes)) {
      if (!ours) this.#unmatched.addMessage(seq, exchange);
      return;
    }
    const { kind, messages } = classify(bytes);
    if (ours) for (const message of messages) this.#ask(seq, message);
    else if (kind === 'junk') this.#junk(seq, bytes, exchange);
    else this.#messages(seq, messages, exchange, bytes);
  }

  #ask(seq: number, { kind, id, method }: Message): void {
    if (kind !== 'request' || id === undefined || id === null) return;
    this.#asked.set(seq, { id, method: method ?? '' });
    const [oldest] = this.#asked.keys();
    if (this.#asked.size > MOST_REQUESTS) this.#asked.delete(oldest!);
  }

  #messages(seq: number, messages: readonly Message[], exchange: number, line: Uint8Array): void {
    let stray: Message | undefined;
    for (const message of messages) {
      if (message.kind !== 'response' && message.kind !== 'error') continue;
      const found = [...this.#asked].find(([, { id }]) => id === message.id);
      if (found) {
        this.#asked.delete(found[0]);
        this.#answered.set(found[1].id, true);
        this.#survived = this.#stderr.length;
      } else stray = message;
    }
    this.#response = stray && { id: stray.id, line };
    this.#unmatched.addMessage(seq, exchange, stray);
    this.#response = undefined;
  }

  #junk(seq: number, bytes: Uint8Array, exchange: number): void {
    const text = startOf(bytes);
    const first = this.#first;
    if (text.trim() !== '') {
      this.#error ??= errorLine([quoted(text)], (line) => line);
      if (this.#lines++ === 0) {
        first.text = text;
        this.#onFirst();
      } else if (first.grows && first.text.length < QUOTED_CHARS) first.text += ` ${text.trim()}`;
    }
    this.#unmatched.addJunk(seq, bytes, exchange);
    first.grows = this.#unmatched.printed.isOpen && (first.grows || this.#lines === 1);
  }

  #found(request: Asked, seq: number, text: string | undefined): void {
    if (text !== undefined) {
      const lines = this.#unmatched.printed.objectStartingAt(seq)?.lines.length ?? 1;
      request.answer = { text: text.slice(0, READ_CHARS), why: explainBrokenAnswer(text, lines, request.id) };
    } else if (this.#response) {
      const { id, line } = this.#response;
      request.answer = { text: startOf(line), why: explainIdMismatch(id, request.id) ?? '' };
    }
  }
}

/** An open request. */
interface Asked {
  readonly id: RequestId;
  readonly method: string;
  /** Text that looks like the answer, and why it is not the answer. */
  answer?: { readonly text: string; readonly why: string };
}

/** Failures for which the server's output may name the cause. */
const EXPLAINED: ReadonlySet<string> = new Set(['server-exited', 'handshake-timeout']);

/** How the event of a new process begins. */
const SPAWNED = Buffer.from('{"event":"spawned"');

/** Most characters quoted from a line. */
const QUOTED_CHARS = 120;
/** Characters read for a quote, since some are white space or colours. */
const READ_CHARS = 1024;
/** Most open requests remembered, the newest. A subcommand has fewer, unless it plays a recording. */
const MOST_REQUESTS = 256;

/** How libraries begin notifications. They are most of a flood, and need no parsing. */
const NOTIFICATION = Buffer.from('{"jsonrpc":"2.0","method":"notifications/');

function isNotification(bytes: Uint8Array): boolean {
  return NOTIFICATION.equals(bytes.subarray(0, NOTIFICATION.length)) && bytes.at(-1) === BYTE.closeObject;
}

/** Decodes the start of a line. */
function startOf(bytes: Uint8Array): string {
  return decodeLossy(bytes.subarray(0, READ_CHARS));
}

/** Quotes the start of a text on one line. */
function quoted(text: string): string {
  const line = withoutAnsi(text.slice(0, READ_CHARS)).replace(/\s+/g, ' ').trim();
  return line.length <= QUOTED_CHARS ? line : `${line.slice(0, QUOTED_CHARS)}…`;
}
