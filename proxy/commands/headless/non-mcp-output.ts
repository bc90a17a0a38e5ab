import type { BrokenText } from '@/lib/doctor/broken-answer';
import { quoteLine } from '@/lib/doctor/quote-line';
import { BYTE } from '@/lib/json/scan';
import type { TapHost } from '@/lib/mcp/log-tap';
import { classify, decodeLossy } from '@/lib/store/classify';
import { brokenAnswer, UnmatchedAnswers, unwrapped } from '@/lib/store/exchanges/unmatched-answers';
import { errorLine } from '@/lib/store/rows/error-line';
import { toLifecycleEvent } from '@/lib/store/state/connection-facts';
import type { RequestId } from '@/lib/wire/message';
import { isTornMessage, strayAdvice } from './stray-advice';

/** Output of a server that is not MCP messages. */
interface StrayLines {
  readonly lines: number;
  /** Start of the first line. */
  readonly first: string;
  readonly message: string;
  /** The first line begins a message. */
  readonly isTorn?: boolean;
}

/** The receiver of what {@link NonMcpOutput} finds. */
interface StrayListener {
  /** The first line of a process came. */
  onFirst?(): void;
  /** True while our request with this id waits for its answer. */
  awaits?(id: RequestId): boolean;
  /** The id of our oldest request of this method that waits for its answer. */
  oldestOf?(method: string): RequestId | undefined;
  /** A text on stdout that is not a message looks like the answer to a request that waits. */
  onBrokenAnswer?(id: RequestId, text: BrokenText): void;
}

/**
 * Counts output of a server that is not MCP messages, and keeps its first line, to report it. Finds answers in it that
 * can’t be read.
 */
export class NonMcpOutput {
  readonly #answers: UnmatchedAnswers<RequestId>;
  #isHttp = false;
  #lines = 0;
  /** `grows`: the text begins an object that the next lines continue. */
  readonly #first = { text: '', grows: false };
  /** The first line that names an error, quoted. */
  #error: string | undefined;
  /** Number of lines already reported. */
  #told = 0;

  /** The request that the first line looks like the answer to. */
  #firstAnswers: RequestId | undefined;
  #isUnended = false;

  readonly #listener: StrayListener;

  constructor(listener: StrayListener = {}) {
    this.#listener = listener;
    this.#answers = new UnmatchedAnswers({
      waitingFor: (id) => (this.#awaits(id) ? id : undefined),
      oldestOf: (method) => this.#listener.oldestOf?.(method),
      // Only an id or a result shows which request a text answers.
      wasAnswered: () => true,
      onlyPending: undefined,
      onExchange: () => undefined,
      linkUnmatched: (id, seq, text) => this.#onAnswer(id, seq, text),
    });
  }

  #awaits(id: RequestId): boolean {
    return this.#listener.awaits?.(id) ?? false;
  }

  #onAnswer(id: RequestId, seq: number, text = ''): void {
    const { printed } = this.#answers;
    if (this.#lines === 1) this.#firstAnswers = id;
    // A log line may have an `id` and an `error`.
    if (!unwrapped(text).includes('jsonrpc') && brokenAnswer(text)?.resultOf === undefined) return;
    const lines = printed.objectStartingAt(seq)?.lines.length ?? 1;
    this.#listener.onBrokenAnswer?.(id, { text, lines, unended: this.#isUnended });
  }

  /** Passes each frame to `next`, then examines it. */
  tap(next: TapHost['append']): TapHost['append'] {
    return (channel, direction, flags, time, source, start, end) => {
      const seq = next(channel, direction, flags, time, source, start, end);
      const bytes = source.subarray(start, end);
      if (channel === 'http') this.#isHttp = true;
      else if (channel === 'lifecycle' && SPAWNED.equals(bytes.subarray(0, SPAWNED.length))) this.#reset();
      else if (channel === 'lifecycle' && UNENDED.equals(bytes.subarray(0, UNENDED.length))) this.#unended(seq, bytes);
      else if (channel === 'protocol' && direction === 'to-client') this.#protocol(seq, bytes);
      return seq;
    };
  }

  /** Returns all stray output so far; undefined if there is none since the last call. */
  takeLines(): StrayLines | undefined {
    if (this.#lines === this.#told) return undefined;
    this.#told = this.#lines;
    const [lines, first] = [this.#lines, quoteLine(this.#first.text, QUOTED_CHARS)];
    const { text } = this.#first;
    const what = this.#isHttp
      ? `sent ${lines === 1 ? '1 HTTP body or event that is not an MCP message' : `${lines} HTTP bodies or events that are not MCP messages`}`
      : `printed ${lines === 1 ? '1 line on stdout that is not an MCP message' : `${lines} lines on stdout that are not MCP messages`}`;
    const error = this.#error === undefined || this.#error === first ? '' : ` Then: \`${this.#error}\`.`;
    const isTorn = isTornMessage(text) || (this.#firstAnswers !== undefined && this.#awaits(this.#firstAnswers));
    const advice = this.#isHttp ? '' : ` ${strayAdvice(text, isTorn)}`;
    return {
      lines,
      first,
      message: `The server ${what}. First: \`${first}\`.${error}${advice}`,
      ...(!this.#isHttp && isTorn && { isTorn: true }),
    };
  }

  /** Auto mode may start a second process. The output of the first one no longer matters. */
  #reset(): void {
    this.#lines = 0;
    this.#told = 0;
    this.#error = undefined;
    this.#firstAnswers = undefined;
    Object.assign(this.#first, { text: '', grows: false });
  }

  /** Reads an event about a text without a newline after it. */
  #unended(seq: number, bytes: Uint8Array): void {
    const event = toLifecycleEvent(decodeLossy(bytes));
    this.#isUnended = true;
    if (event?.event === 'line-unended') this.#answers.addUnended(seq, event.text);
    this.#isUnended = false;
  }

  #protocol(seq: number, bytes: Uint8Array): void {
    if (isNotification(bytes) || classify(bytes).kind !== 'junk') {
      this.#answers.endPrintedObject();
      return;
    }
    const text = startOf(bytes);
    const first = this.#first;
    if (text.trim() !== '') {
      this.#error ??= errorLine([quoteLine(text, QUOTED_CHARS)], (line) => line);
      if (this.#lines++ === 0) {
        first.text = text;
        this.#listener.onFirst?.();
      } else if (first.grows && first.text.length < QUOTED_CHARS) first.text += ` ${text.trim()}`;
    }
    // An HTTP body is whole.
    if (this.#isHttp) return;
    this.#answers.addJunk(seq, bytes, 0);
    first.grows = this.#answers.printed.isOpen && (first.grows || this.#lines === 1);
  }
}

/** How the event of a new process begins. */
const SPAWNED = Buffer.from('{"event":"spawned"');
/** How the event of a text without a newline begins. */
const UNENDED = Buffer.from('{"event":"line-unended"');

/** Most characters quoted from a line. */
const QUOTED_CHARS = 120;
/** Characters read for a quote, since some are white space or colours. */
const READ_CHARS = 1024;

/** How libraries begin notifications. They are most of a flood, and need no parsing. */
const NOTIFICATION = Buffer.from('{"jsonrpc":"2.0","method":"notifications/');

function isNotification(bytes: Uint8Array): boolean {
  return NOTIFICATION.equals(bytes.subarray(0, NOTIFICATION.length)) && bytes.at(-1) === BYTE.closeObject;
}

/** Decodes the start of a line. */
function startOf(bytes: Uint8Array): string {
  return decodeLossy(bytes.subarray(0, READ_CHARS));
}
