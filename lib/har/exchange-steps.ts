import type { FrameToRecord } from '@/lib/recording/encode-line';
import { shownData } from '@/lib/transports/http-exchange';
import { isJsonBody, mediaType } from '@/lib/transports/http-link';
import { HttpTap } from '@/lib/transports/http-tap';
import { SseEvents } from '@/lib/transports/sse-events';
import type { HttpSink } from '@/lib/transports/transport';
import { parseBounded } from '@/lib/wire/bounded-json';
import type { Channel, Direction } from '@/lib/wire/frame';
import { LIMITS } from '@/lib/wire/limits';
import { isObject, own, type RequestId } from '@/lib/wire/message';
import { type HarSession, isStream, type SoundEntry } from './har-session';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Frames that belong side by side: an http frame, and the message that it carried. */
export interface Step {
  /** µs. */
  readonly time: number;
  readonly frames: readonly FrameToRecord[];
}

export type OnSecrets = NonNullable<HttpSink['secrets']>;

/** What the tap would have seen of this exchange, had it been there. `began` in µs since the session's beginning. */
export function exchangeSteps(
  entry: SoundEntry,
  exchange: number,
  began: number,
  transport: HarSession['transport'],
  onSecrets: OnSecrets,
): readonly Step[] {
  const steps = new ExchangeSteps(entry, exchange, began, transport, onSecrets);
  steps.request();
  if (entry.status === 0) {
    steps.end('failure', entry.error ?? 'No response is in the archive.');
    return steps.taken;
  }
  steps.response();
  if (isStream(entry)) steps.stream();
  else steps.body();
  return steps.taken;
}

class ExchangeSteps {
  readonly taken: Step[] = [];
  readonly #entry: SoundEntry;
  readonly #exchange: number;
  readonly #began: number;
  readonly #tap: HttpTap;
  /** Ids of the requests in the body that nothing has answered yet. */
  readonly #unanswered: Set<RequestId>;
  /** Of the step that is being taken. */
  #frames: FrameToRecord[] = [];
  #time = 0;

  constructor(
    entry: SoundEntry,
    exchange: number,
    began: number,
    transport: HarSession['transport'],
    onSecrets: OnSecrets,
  ) {
    this.#entry = entry;
    this.#exchange = exchange;
    this.#began = began;
    // On HTTP+SSE answers come another way.
    this.#unanswered = new Set(transport === 'http' ? idsIn(entry.sent ?? '', true) : []);
    const sink = {
      frame: (channel: Channel, direction: Direction, source: Uint8Array, start: number, end: number) =>
        this.#add(channel, direction, source.subarray(start, end)),
      secrets: onSecrets,
    };
    this.#tap = new HttpTap(sink, { url: entry.url, headers: [] });
  }

  request(): void {
    const { method, sent, url, headers } = this.#entry;
    this.#step(0, () => {
      const bytes = sent === undefined ? undefined : encoder.encode(sent);
      this.#tap.request(this.#exchange, method, url, headers, bytes?.length ?? 0);
      if (bytes) this.#add('protocol', 'to-server', bytes);
    });
  }

  response(): void {
    const { waited, status, answerHeaders } = this.#entry;
    this.#step(waited, () => this.#tap.response(this.#exchange, status, answerHeaders));
  }

  /** An answer that came in events, each at a time of its own. */
  stream(): void {
    const { blockTimes, took, body } = this.#entry;
    let block = 0;
    const events = new SseEvents(LIMITS.httpBodyBytes, ({ data, ...about }) =>
      this.#step(blockTimes[block++] ?? took, () => {
        const isMessage = data !== undefined && data.length > 0 && (about.event ?? 'message') === 'message';
        const shown = isMessage || data === undefined ? about : { ...about, data: shownData(about.event, data) };
        this.#tap.note({ kind: 'sse', exchange: this.#exchange, ...shown });
        if (isMessage) this.#add('protocol', 'to-client', data);
      }),
    );
    events.push(body);
    this.end('server');
  }

  /** An answer in one piece, if there is any. */
  body(): void {
    const { took, body, answerHeaders } = this.#entry;
    if (body.length > 0) {
      this.#step(took, () => {
        const isJson = isJsonBody(mediaType(answerHeaders), body);
        const text = isJson ? undefined : decoder.decode(body.subarray(0, LIMITS.httpTextBytes));
        this.#tap.note({
          kind: 'body',
          exchange: this.#exchange,
          bytes: body.length,
          ...(text !== undefined && { text }),
        });
        if (isJson) this.#add('protocol', 'to-client', body);
      });
    }
    if (this.#unanswered.size > 0) this.end('server');
  }

  end(by: 'server' | 'failure', message?: string): void {
    this.#step(this.#entry.took, () =>
      this.#tap.note({
        ...{ kind: 'end', exchange: this.#exchange, by },
        ...(message !== undefined && { message }),
        ...(this.#unanswered.size > 0 && { unanswered: [...this.#unanswered] }),
      }),
    );
  }

  /** `after` in ms since the exchange began. */
  #step(after: number, run: () => void): void {
    this.#time = Math.round(this.#began + after * 1000);
    this.#frames = [];
    run();
    this.taken.push({ time: this.#time, frames: this.#frames });
  }

  #add(channel: Channel, direction: Direction, bytes: Uint8Array): number {
    this.#frames.push({ time: this.#time, channel, direction, flags: 0, bytes });
    if (channel === 'protocol' && direction === 'to-client' && this.#unanswered.size > 0) {
      for (const id of idsIn(decoder.decode(bytes), false)) this.#unanswered.delete(id);
    }
    return 0;
  }
}

/** Ids of the requests in a message or batch, or of the answers. */
function idsIn(text: string, ofRequests: boolean): RequestId[] {
  try {
    const parsed = parseBounded(text);
    return (Array.isArray(parsed) ? parsed : [parsed]).filter(isObject).flatMap((message) => {
      const id = own(message, 'id');
      const fits = (own(message, 'method') !== undefined) === ofRequests;
      return fits && (typeof id === 'string' || typeof id === 'number') ? [id] : [];
    });
  } catch {
    return [];
  }
}
