import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { isObject, own } from '@/lib/json/value';
import { OperationMetrics } from '@/lib/otel/operation-metrics';
import { RESOURCE } from '@/lib/otel/semantic-conventions';
import { type Reporter, resourceMetrics, resourceSpans } from '@/lib/otel/write-otlp';
import { type Headers, type HttpLink, headerOf, retryAfterMs } from '@/lib/transports/http-link';
import { ConnectionError } from '@/lib/transports/transport';
import type { Clock } from '@/lib/wire/clock';
import { countOf } from '@/lib/wire/format';
import type { SpanSink } from './log-export';
import type { OtlpSettings } from './otlp-settings';

/** Bytes of spans that wait. Further ones are dropped, and counted. */
export const QUEUE_BYTES = 16 * 1024 * 1024;
/** Spans and bytes of one request. Receivers refuse bodies of several megabytes. */
const BATCH_SPANS = 512;
const BATCH_BYTES = 1024 * 1024;
/** How long spans are collected, in ms. */
const BATCH_MS = 1000;
/** How often metrics are sent, in ms. */
const METRICS_MS = 60_000;
/** Attempts for one batch. With the waits between them, that is about half a minute. */
const ATTEMPTS = 6;
/** The wait after the first failure, which doubles each time, and the longest, whatever a receiver asks for; in ms. */
const BACKOFF_MS = 1000;
const MOST_BACKOFF_MS = 30_000;
/** Bytes of an answer that are read. */
const ANSWER_BYTES = 64 * 1024;
/** Statuses after which OTLP tells clients to try again. */
const RETRIED: ReadonlySet<number> = new Set([429, 502, 503, 504]);
/** Statuses of a receiver that does not take this signal at all. Jaeger takes no metrics. */
const NOT_TAKEN: ReadonlySet<number> = new Set([404, 405, 501]);

const zip = promisify(gzip);

/** The services of an {@link Exporter}. */
export interface ExporterParts {
  readonly link: HttpLink;
  readonly clock: Clock;
  readonly version: string;
  /** Tells this process from others that export under the same name. */
  readonly instance: string;
  /** Prints a sentence. It has no header value. */
  note(sentence: string): void;
  /** Milliseconds since 1970. */
  now(): number;
}

/** Numbers of spans by what became of them. */
export interface Exported {
  readonly sent: number;
  /** Refused by the receiver, or dropped because it took too long. */
  readonly dropped: number;
}

/** A span that waits, as JSON. */
interface Waiting {
  readonly text: string;
  /** Resource and scope as JSON; undefined for our own. */
  readonly foreign?: string;
}

/** How a request ended. `after`: try again, in ms if the receiver says so. */
type Answer =
  | { readonly is: 'taken'; readonly rejected: number }
  | { readonly is: 'refused'; readonly status: number }
  | { readonly is: 'failed'; readonly why: string; readonly afterMs?: number | undefined };

/**
 * Sends spans and metrics to an OTLP receiver, over HTTP as JSON. Spans wait in a bounded queue and go in batches, one
 * request at a time. Whatever the receiver does, adding a span takes the same time, and nothing throws.
 */
export class Exporter implements SpanSink {
  readonly #settings: OtlpSettings;
  readonly #parts: ExporterParts;
  readonly #reporter: Reporter;
  readonly metrics: OperationMetrics;
  readonly #queue: Waiting[] = [];
  #queuedBytes = 0;
  #sent = 0;
  #dropped = 0;
  #sending: Promise<void> | undefined;
  #callOff: (() => void) | undefined;
  #callOffMetrics: (() => void) | undefined;
  #takesMetrics = true;
  readonly #stop = new AbortController();
  #isEnding = false;
  /** Ends a wait early. */
  #wake: (() => void) | undefined;
  readonly #noted = new Set<string>();
  #failure: string | undefined;

  constructor(settings: OtlpSettings, parts: ExporterParts) {
    this.#settings = settings;
    this.#parts = parts;
    this.metrics = new OperationMetrics(parts.now());
    const scope = { name: 'mcp-inspect', version: parts.version };
    this.#reporter = {
      resource: {
        [RESOURCE.service]: 'mcp-inspect',
        [RESOURCE.version]: parts.version,
        [RESOURCE.instance]: parts.instance,
        ...settings.resource,
      },
      scope,
    };
    this.#sendMetricsLater();
  }

  addSpan(span: object): void {
    this.#add({ text: JSON.stringify(span) });
  }

  addForeignSpan(span: object, reporter: { readonly resource: object; readonly scope: object }): void {
    this.#add({ text: JSON.stringify(span), foreign: JSON.stringify(reporter) });
  }

  #add(span: Waiting): void {
    const bytes = sizeOf(span);
    if (this.#isEnding || this.#queuedBytes + bytes > QUEUE_BYTES) {
      this.#dropped++;
      return;
    }
    this.#queue.push(span);
    this.#queuedBytes += bytes;
    if (this.#sending) return;
    if (this.#queue.length >= BATCH_SPANS || this.#queuedBytes >= BATCH_BYTES) this.#start();
    else this.#callOff ??= this.#parts.clock.after(BATCH_MS, () => this.#start());
  }

  /** Resolves when there is room for many more spans, for somebody who can wait. */
  async room(): Promise<void> {
    if (this.#queuedBytes < QUEUE_BYTES / 2) return;
    this.#start();
    await this.#sending;
  }

  /** Why the newest batch could not be exported after all attempts; undefined if it was. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** Sends what is left within `mostMs`, and the metrics. Drops the rest. Never rejects. */
  async end(mostMs: number): Promise<Exported> {
    const late = this.#parts.clock.after(mostMs, () => {
      this.#stop.abort();
      this.#wake?.();
    });
    this.#callOffMetrics?.();
    this.#start();
    await this.#sending;
    this.#isEnding = true;
    await this.#sendMetrics();
    late();
    this.#dropped += this.#queue.splice(0).length;
    this.#parts.link.close();
    const { shown } = this.#settings;
    if (this.#dropped > 0) this.#parts.note(`${countOf(this.#dropped, 'span')} could not be exported to ${shown}.`);
    return { sent: this.#sent, dropped: this.#dropped };
  }

  #start(): void {
    this.#callOff?.();
    this.#callOff = undefined;
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
    });
  }

  async #sendAll(): Promise<void> {
    while (this.#queue.length > 0 && !this.#stop.signal.aborted) {
      const batch = this.#nextBatch();
      const answer = await this.#sendPatiently(batch);
      this.#failure = failureOf(answer);
      if (answer.is === 'taken') {
        this.#sent += batch.length - answer.rejected;
        this.#dropped += answer.rejected;
        if (answer.rejected > 0) this.#noteOnce('The receiver rejected some spans.');
      } else this.#dropped += batch.length;
    }
  }

  #nextBatch(): readonly Waiting[] {
    let [count, bytes] = [0, 0];
    for (const span of this.#queue) {
      bytes += sizeOf(span);
      if (count > 0 && (count >= BATCH_SPANS || bytes > BATCH_BYTES)) break;
      count++;
    }
    const batch = this.#queue.splice(0, count);
    for (const span of batch) this.#queuedBytes -= sizeOf(span);
    return batch;
  }

  async #sendPatiently(batch: readonly Waiting[]): Promise<Answer> {
    const body = this.#bodyOf(batch);
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#send('traces', body, batch.length);
      if (answer.is === 'refused') this.#noteOnce(`The receiver of spans answered with status ${answer.status}.`);
      if (answer.is !== 'failed') return answer;
      if (attempt === ATTEMPTS || this.#stop.signal.aborted) return answer;
      this.#noteOnce(`Spans can’t be exported now: ${answer.why} mcp-inspect tries ${ATTEMPTS - 1} times more.`);
      const backoff = Math.min(BACKOFF_MS * 2 ** (attempt - 1), MOST_BACKOFF_MS);
      // Many programs that lost the same receiver should not come back at the same moment.
      await this.#wait(answer.afterMs ?? backoff * (0.75 + Math.random() / 2));
    }
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const callOff = this.#parts.clock.after(ms, resolve);
      this.#wake = () => {
        callOff();
        resolve();
      };
      if (this.#stop.signal.aborted) this.#wake();
    });
  }

  #bodyOf(batch: readonly Waiting[]): string {
    const groups = new Map<string, string[]>();
    for (const { text, foreign = '' } of batch) {
      const group = groups.get(foreign) ?? [];
      groups.set(foreign, group);
      group.push(text);
    }
    const entries = Array.from(groups, ([foreign, spans]) => {
      const empty = foreign === '' ? resourceSpans(this.#reporter, []) : foreignSpans(foreign);
      // The spans are text already.
      return JSON.stringify(empty).replace(/"spans":\[\]\}\]\}$/, () => `"spans":[${spans.join(',')}]}]}`);
    });
    return `{"resourceSpans":[${entries.join(',')}]}`;
  }

  #sendMetricsLater(): void {
    this.#callOffMetrics = this.#parts.clock.after(METRICS_MS, () => {
      void this.#sendMetrics().then(() => {
        if (!this.#isEnding && this.#takesMetrics) this.#sendMetricsLater();
      });
    });
  }

  /** Sends the metrics once. They are cumulative, so the next time makes up for a failure. */
  async #sendMetrics(): Promise<void> {
    const metrics = this.metrics.metrics(this.#parts.now());
    if (!this.#takesMetrics || metrics.length === 0 || this.#stop.signal.aborted) return;
    const body = JSON.stringify({ resourceMetrics: [resourceMetrics(this.#reporter, metrics)] });
    const answer = await this.#send('metrics', body, 0);
    if (answer.is !== 'refused') return;
    this.#takesMetrics = !NOT_TAKEN.has(answer.status);
    if (this.#takesMetrics) this.#noteOnce(`The receiver of metrics answered with status ${answer.status}.`);
    else this.#noteOnce('The receiver takes no metrics, so only spans are exported.');
  }

  async #send(signal: 'traces' | 'metrics', text: string, spans: number): Promise<Answer> {
    const { headers, gzip: zips, timeoutMs } = this.#settings;
    const url = this.#settings[signal];
    try {
      const body = zips ? await zip(text) : Buffer.from(text);
      const answer = await this.#parts.link.send({
        method: 'POST',
        url,
        headers: [
          ['Content-Type', 'application/json'],
          ...(zips ? [['Content-Encoding', 'gzip'] as const] : []),
          ...headers[signal],
        ],
        body,
        signal: AbortSignal.any([this.#stop.signal, AbortSignal.timeout(timeoutMs)]),
        onRedirect: (redirect) => {
          // The headers are secrets of the endpoint that the user named.
          throw new RedirectedError(redirect.status);
        },
      });
      const { status } = answer;
      const read = await readAnswer(answer.body);
      if (status >= 200 && status < 300) return { is: 'taken', rejected: Math.min(rejectedIn(read), spans) };
      if (RETRIED.has(status)) {
        return {
          is: 'failed',
          why: `The receiver answered with status ${status}.`,
          afterMs: this.#retryAfter(answer.headers),
        };
      }
      return { is: 'refused', status };
    } catch (error) {
      if (error instanceof RedirectedError) return { is: 'refused', status: error.status };
      return { is: 'failed', why: failureText(error) };
    }
  }

  #retryAfter(headers: Headers): number | undefined {
    const ms = retryAfterMs(headerOf(headers, 'retry-after') ?? '', this.#parts.now());
    return ms === undefined ? undefined : Math.min(ms, MOST_BACKOFF_MS);
  }

  #noteOnce(sentence: string): void {
    if (this.#noted.has(sentence)) return;
    this.#noted.add(sentence);
    this.#parts.note(`${sentence} (${this.#settings.shown})`);
  }
}

function failureOf(answer: Answer): string | undefined {
  if (answer.is === 'taken') return undefined;
  return answer.is === 'failed' ? answer.why : `The receiver answered with status ${answer.status}.`;
}

function sizeOf({ text, foreign = '' }: Waiting): number {
  return text.length + foreign.length;
}

function foreignSpans(foreign: string): object {
  const { resource, scope } = JSON.parse(foreign) as { resource: object; scope: object };
  return { resource, scopeSpans: [{ scope, spans: [] }] };
}

/** Thrown in place of following a redirect. */
class RedirectedError extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`Redirected with status ${status}.`);
    this.status = status;
  }
}

/** Reads the start of an answer. A receiver that sends more, or stops in between, has still answered. */
async function readAnswer(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > ANSWER_BYTES) break;
    }
  } catch {
    // The status counts.
  }
  return Buffer.concat(chunks).toString();
}

/** Returns how many spans a receiver rejected of those that it took. Anything else than OTLP/JSON says none. */
function rejectedIn(text: string): number {
  try {
    const answer: unknown = JSON.parse(text);
    const partial = isObject(answer) ? own(answer, 'partialSuccess') : undefined;
    const rejected = Number(isObject(partial) ? (own(partial, 'rejectedSpans') ?? 0) : 0);
    return Number.isSafeInteger(rejected) && rejected > 0 ? rejected : 0;
  } catch {
    return 0;
  }
}

function failureText(error: unknown): string {
  if (error instanceof ConnectionError && error.code !== 'closed') return error.message;
  return 'The receiver did not answer in time.';
}
