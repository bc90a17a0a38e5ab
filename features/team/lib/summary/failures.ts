import { isObject, own } from '@/lib/json/value';
import type { Log } from '@/lib/store/log';
import type { RowStatus } from '@/lib/store/rows/row';
import { type FailureSummary, SUMMARY_FAILURES } from './recording-summary';
import { shortName, shortText } from './short-text';

/** Failed requests of one recording whose answers are read. A server that fails more often fails alike. */
const MOST_READ = 50_000;
/** Ways to fail that are counted apart. */
const MOST_WAYS = 1000;
/** Bytes of the longest answer that is read for its message. */
const ANSWER_BYTES = 1024 * 1024;

interface Answer {
  readonly code: FailureSummary['code'];
  readonly message: string | undefined;
}

/** Collects how requests failed. Answers are read as they come, because their bytes may be evicted later. */
export class RequestFailureReader {
  readonly #answers = new Map<number, Answer>();
  readonly #ways = new Map<string, { -readonly [K in keyof FailureSummary]: FailureSummary[K] }>();
  #leftOut = 0;

  /** Reads the frame at `index` if it says why a request of the client failed. */
  readAnswer(log: Log, index: number): void {
    const { columns } = log;
    const isFailure = columns.kind(index) === 'error' || columns.status(index) === 'tool-error';
    if (!isFailure || columns.direction(index) !== 'to-client' || this.#answers.size >= MOST_READ) return;
    const request = columns.peer(index);
    if (request === undefined || columns.peer(request - 1) !== index + 1) return;
    const source = columns.bytes.length(index) <= ANSWER_BYTES ? log.json(index) : undefined;
    if (source) this.#answers.set(request, answerIn(source.value));
  }

  /** Adds a request that failed, in the order of the log. */
  addFailed(seq: number, status: RowStatus, method: string, name: string | undefined): void {
    const { code, message } = this.#answers.get(seq) ?? { code: CODES[status] ?? 'error', message: undefined };
    const key = JSON.stringify([code, method, name]);
    const known = this.#ways.get(key);
    if (known) known.count++;
    else if (this.#ways.size >= MOST_WAYS) this.#leftOut++;
    else {
      this.#ways.set(key, {
        method: shortName(method),
        ...(name !== undefined && { name: shortName(name) }),
        code,
        ...(message !== undefined && { message }),
        count: 1,
        frame: seq,
      });
    }
  }

  /** Returns the most frequent ways to fail, and the number of failed requests that are not among them. */
  result(): Pick<RecordedFailures, 'failures' | 'failuresLeftOut'> {
    const ways = [...this.#ways.values()].sort((a, b) => b.count - a.count);
    const left = ways.slice(SUMMARY_FAILURES).reduce((sum, { count }) => sum + count, this.#leftOut);
    return { failures: ways.slice(0, SUMMARY_FAILURES), ...(left > 0 && { failuresLeftOut: left }) };
  }
}

interface RecordedFailures {
  readonly failures: readonly FailureSummary[];
  /** Failed requests. */
  readonly failuresLeftOut?: number;
}

const CODES: Partial<Record<RowStatus, FailureSummary['code']>> = {
  'tool-error': 'tool-error',
  timeout: 'timeout',
  lost: 'lost',
};

function answerIn(message: unknown): Answer {
  const error = isObject(message) ? own(message, 'error') : undefined;
  if (isObject(error)) {
    const code = own(error, 'code');
    return { code: Number.isSafeInteger(code) ? (code as number) : 'error', message: textOf(own(error, 'message')) };
  }
  const result = isObject(message) ? own(message, 'result') : undefined;
  if (!isObject(result)) return { code: 'error', message: undefined };
  const content = own(result, 'content');
  const first = Array.isArray(content) ? content.find((block) => isObject(block) && own(block, 'type') === 'text') : {};
  return { code: 'tool-error', message: isObject(first) ? textOf(own(first, 'text')) : undefined };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? shortText(value) : undefined;
}
