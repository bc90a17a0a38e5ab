import { quoteLine } from '@/lib/doctor/quote-line';
import { BYTE } from '@/lib/json/scan';
import type { TapHost } from '@/lib/mcp/log-tap';
import { classify, decodeLossy } from '@/lib/store/classify';
import { PrintedObjects } from '@/lib/store/exchanges/printed-objects';
import { errorLine } from '@/lib/store/rows/error-line';
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

/** Counts output of a server that is not MCP messages, and keeps its first line, to report it. */
export class StrayOutput {
  readonly #printed = new PrintedObjects();
  #isHttp = false;
  #lines = 0;
  /** `grows`: the text begins an object that the next lines continue. */
  readonly #first = { text: '', grows: false };
  /** The first line that names an error, quoted. */
  #error: string | undefined;
  /** Number of lines already reported. */
  #told = 0;

  readonly #onFirst: () => void;

  /** `onFirst` is called with the first line of each process. */
  constructor(onFirst: () => void = () => {}) {
    this.#onFirst = onFirst;
  }

  /** Passes each frame to `next`, then examines it. */
  tap(next: TapHost['append']): TapHost['append'] {
    return (channel, direction, flags, time, source, start, end) => {
      const seq = next(channel, direction, flags, time, source, start, end);
      const bytes = source.subarray(start, end);
      if (channel === 'http') this.#isHttp = true;
      else if (channel === 'lifecycle' && SPAWNED.equals(bytes.subarray(0, SPAWNED.length))) this.#reset();
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
    const advice = this.#isHttp ? '' : ` ${strayAdvice(text)}`;
    return {
      ...{ lines, first, message: `The server ${what}. First: \`${first}\`.${error}${advice}` },
      ...(!this.#isHttp && isTornMessage(text) && { isTorn: true }),
    };
  }

  /** Auto mode may start a second process. The output of the first one no longer matters. */
  #reset(): void {
    this.#lines = 0;
    this.#told = 0;
    this.#error = undefined;
    Object.assign(this.#first, { text: '', grows: false });
  }

  #protocol(seq: number, bytes: Uint8Array): void {
    if (isNotification(bytes) || classify(bytes).kind !== 'junk') {
      this.#printed.discardOpen();
      return;
    }
    const text = startOf(bytes);
    const first = this.#first;
    if (text.trim() !== '') {
      this.#error ??= errorLine([quoteLine(text, QUOTED_CHARS)], (line) => line);
      if (this.#lines++ === 0) {
        first.text = text;
        this.#onFirst();
      } else if (first.grows && first.text.length < QUOTED_CHARS) first.text += ` ${text.trim()}`;
    }
    // An HTTP body is whole.
    if (this.#isHttp) return;
    this.#printed.addLine(seq, text, bytes.length);
    first.grows = this.#printed.isOpen && (first.grows || this.#lines === 1);
  }
}

/** How the event of a new process begins. */
const SPAWNED = Buffer.from('{"event":"spawned"');

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
