import { parseBounded } from '@/lib/json/parse';
import { joinBytes } from '@/lib/json/typed-arrays';
import { isObject, own } from '@/lib/json/value';
import { eraOf } from '@/lib/mcp/versions';
import { CAPTURE_POLICY, CaptureRedactor } from '@/lib/redact/capture-redactor';
import { shownData } from '@/lib/transports/http-exchange';
import { isJsonBody, mediaType } from '@/lib/transports/http-link';
import { HttpLogger } from '@/lib/transports/http-tap';
import { maskedUrl } from '@/lib/transports/masking';
import { SessionNumbers } from '@/lib/transports/session-numbers';
import { SseParser } from '@/lib/transports/sse-parser';
import type { HttpSink } from '@/lib/transports/transport';
import type { Channel, Direction } from '@/lib/wire/frame';
import { nextTask, runInSlices } from '@/lib/wire/in-slices';
import { type LifecycleEvent, PROTOCOL_VERSIONS, type ProtocolVersion } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import type { RequestId } from '@/lib/wire/message';
import { encodeHeaderOrEnd, FrameEncoder, type FrameToRecord } from '../encode-lines';
import { RecordingError } from '../errors';
import { RECORDING_VERSION, type RecordingHeader } from '../format';
import { encodeEvent } from '../lifecycle-event';
import { HarSplitter } from './har-splitter';
import {
  EntryCollector,
  findMcpEntries,
  HAR_MS,
  isStream,
  type McpEntries,
  soundEntry,
  type ValidEntry,
} from './mcp-entries';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Bytes of lines that are converted before others may run. */
const PORTION_BYTES = 256 * 1024;

/** Milliseconds of work after which others may run. */
const WORK_MS = 8;

/**
 * Converts the MCP traffic in an HTTP Archive (JSON in UTF-8) to the lines of a recording. Masks secrets in headers and
 * URLs as a live recording does, and removes them wherever they are repeated. Calls `onConverted`, once all is read,
 * with the share that is done. Throws {@link RecordingError} `not-a-har`, `har-too-large` and `har-without-mcp`, and
 * when `signal` is aborted.
 */
export async function* readHar(
  source: AsyncIterable<Uint8Array>,
  onConverted: (share: number) => void = () => {},
  signal: AbortSignal = new AbortController().signal,
): AsyncGenerator<Uint8Array> {
  const { entries, by } = await readLog(source, signal);
  const traffic = findMcpEntries(entries);
  if (!traffic) throw WITHOUT_MCP;
  const began = Math.floor(traffic.entries[0]!.began);
  const at = new Date(began).toISOString();
  const { transport, damaged } = traffic;
  const name = new URL(traffic.url).host;
  const id = `har-${began.toString(36).padStart(8, '0')}`;
  const redaction = { policy: CAPTURE_POLICY };
  const header: RecordingHeader = {
    mcpr: RECORDING_VERSION,
    id,
    at,
    by,
    mode: 'import',
    name,
    transport,
    redaction,
    ...(damaged > 0 && { lacks: { damaged } }),
  };
  yield encodeHeaderOrEnd(header);
  const secrets: string[] = [];
  // Both halves take about as long: making the frames, and writing them.
  const making = framesOf(traffic, name, at, (values) => secrets.push(...values));
  const frames = await runInSlices(making, signal, (share) => onConverted(share / 2));
  signal.throwIfAborted();
  // A value masked in one exchange may occur in an earlier one.
  const redactor = new CaptureRedactor([]);
  redactor.addMaskedSecrets(secrets);
  const encoder = new FrameEncoder();
  let [n, newest, bytes] = [0, 0, 0];
  let lines: Uint8Array[] = [];
  for (const frame of frames!) {
    newest = Math.max(newest, frame.time);
    const made = encoder.encodeLines(++n, { ...(await redactor.applyInTurns(frame)), time: newest });
    for (const line of made) bytes += line.length;
    lines.push(...made);
    if (bytes < PORTION_BYTES) continue;
    yield joinBytes(lines);
    [lines, bytes] = [[], 0];
    onConverted((1 + n / frames!.length) / 2);
    await nextTask();
    signal.throwIfAborted();
  }
  // Without an end line, the recording would count as cut off.
  yield joinBytes([...lines, encodeHeaderOrEnd({ k: 'end', t: newest, frames: n })]);
}

/** Reads the entries one by one, since parsing an archive as a whole would take long and much memory. */
async function readLog(
  source: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<{ readonly entries: readonly ValidEntry[]; readonly by: string }> {
  const splitter = new HarSplitter();
  const entries = new EntryCollector();
  let creator: unknown;
  let restedAt = performance.now();
  for await (const chunk of source) {
    for (const { is, bytes } of splitter.splitChunk(chunk)) {
      const value = parsedPart(bytes);
      if (is === 'creator') creator = value;
      const entry = is === 'entry' ? soundEntry(value) : undefined;
      if (entry) entries.addEntry(entry);
      if (performance.now() - restedAt < WORK_MS) continue;
      await nextTask();
      signal.throwIfAborted();
      restedAt = performance.now();
    }
  }
  if (!splitter.isComplete) throw NOT_HAR;
  const name = isObject(creator) ? own(creator, 'name') : undefined;
  return { entries: entries.entries, by: `${typeof name === 'string' ? name : 'unknown'} (HTTP Archive)` };
}

function parsedPart(bytes: Uint8Array): unknown {
  try {
    return parseBounded(decoder.decode(bytes));
  } catch {
    throw NOT_HAR;
  }
}

/** Returns the frames of an archive, by time. Yields the share that is done after each exchange. */
function* framesOf(
  traffic: McpEntries,
  name: string,
  at: string,
  onSecrets: OnSecrets,
): Generator<number, readonly FrameToRecord[]> {
  const { entries, transport, url } = traffic;
  const began = Math.floor(entries[0]!.began);
  const shared = { transport, onSecrets, sessions: new SessionNumbers() };
  const steps: TimedFrames[] = [];
  for (const [index, entry] of entries.entries()) {
    const after = Math.min(entry.began - began, HAR_MS) * 1000;
    for (const step of exchangeSteps(entry, index + 1, after, shared)) steps.push(step);
    yield index / entries.length;
  }
  const handshakes = entries.some(({ sent, status }) => /"method"\s*:\s*"initialize"/.test(sent ?? '') && status < 300);
  const start = {
    event: 'start',
    at,
    name,
    transport,
    url: maskedUrl(url),
    headerNames: [],
    protocol: 'auto',
  } as const;
  const frames = [lifecycle(0, start)];
  let version: ProtocolVersion | undefined;
  // Exchanges overlap, so their frames are sorted by time.
  for (const step of steps.sort((a, b) => a.time - b.time)) {
    frames.push(...step.frames);
    if (version) continue;
    version = versionIn(step.frames, handshakes);
    if (version) frames.push(lifecycle(step.time, { event: 'open', era: eraOf(version), version }));
  }
  return frames;
}

/** Returns the negotiated version from the response to `initialize`, or without a handshake from the first request. */
function versionIn(frames: readonly FrameToRecord[], handshakes: boolean): ProtocolVersion | undefined {
  const direction = handshakes ? 'to-client' : 'to-server';
  const message = frames.find((frame) => frame.channel === 'protocol' && frame.direction === direction);
  const found = message && (handshakes ? CHOSEN : CLAIMED).exec(decoder.decode(message.bytes));
  return PROTOCOL_VERSIONS.find((known) => known === found?.[1]);
}

const CHOSEN = /"protocolVersion"\s*:\s*"(\d{4}-\d\d-\d\d)"/;
const CLAIMED = /"io\.modelcontextprotocol\/protocolVersion"\s*:\s*"(\d{4}-\d\d-\d\d)"/;

function lifecycle(time: number, event: LifecycleEvent): FrameToRecord {
  return {
    time: Math.round(time),
    channel: 'lifecycle',
    direction: 'to-client',
    flags: 0,
    bytes: encodeEvent(event),
  };
}

const NOT_HAR = new RecordingError(
  'not-a-har',
  'This file is neither a recording nor an HTTP Archive.',
  'Choose a file ending in `.mcpr.jsonl`, `.mcpr.gz` or `.har`.',
);
const WITHOUT_MCP = new RecordingError(
  'har-without-mcp',
  'This HTTP Archive has no MCP traffic: no request posts a JSON-RPC message.',
  'Export it again with content, from the tool that recorded the MCP client.',
);

/** Frames at one moment: an http frame, and the message that it carried. */
interface TimedFrames {
  /** Microseconds. */
  readonly time: number;
  readonly frames: readonly FrameToRecord[];
}

type OnSecrets = NonNullable<HttpSink['onSecrets']>;

/** Shared by all exchanges of an archive. */
interface Shared {
  readonly transport: McpEntries['transport'];
  readonly onSecrets: OnSecrets;
  readonly sessions: SessionNumbers;
}

/**
 * Returns the frames that a tap would have recorded for this exchange. `began` is in microseconds since the first
 * entry.
 */
function exchangeSteps(entry: ValidEntry, exchange: number, began: number, shared: Shared): readonly TimedFrames[] {
  const steps = new ExchangeSteps(entry, exchange, began, shared);
  steps.request();
  if (entry.status === 0) {
    steps.end('failure', entry.error ?? 'The archive has no response.');
    return steps.result;
  }
  steps.response();
  if (isStream(entry)) steps.stream();
  else steps.body();
  return steps.result;
}

class ExchangeSteps {
  readonly result: TimedFrames[] = [];
  readonly #entry: ValidEntry;
  readonly #exchange: number;
  readonly #began: number;
  readonly #tap: HttpLogger;
  /** Ids of requests in the body that have no response yet. */
  readonly #unanswered: Set<RequestId>;
  /** Frames of the current step. */
  #frames: FrameToRecord[] = [];
  #time = 0;

  constructor(entry: ValidEntry, exchange: number, began: number, { transport, onSecrets, sessions }: Shared) {
    this.#entry = entry;
    this.#exchange = exchange;
    this.#began = began;
    // On HTTP+SSE, responses arrive on another stream.
    this.#unanswered = new Set(transport === 'http' ? idsIn(entry.sent ?? '', true) : []);
    const sink = {
      appendFrame: (channel: Channel, direction: Direction, source: Uint8Array, start: number, end: number) =>
        this.#add(channel, direction, source.subarray(start, end)),
      onSecrets,
    };
    this.#tap = new HttpLogger(sink, { url: entry.url, headers: [] }, sessions);
  }

  request(): void {
    const { method, sent, url, headers } = this.#entry;
    this.#step(0, () => {
      const bytes = sent === undefined ? undefined : encoder.encode(sent);
      this.#tap.logRequest(this.#exchange, method, url, headers, bytes?.length ?? 0);
      if (bytes) this.#add('protocol', 'to-server', bytes);
    });
  }

  response(): void {
    const { waited, status, answerHeaders } = this.#entry;
    this.#step(waited, () => this.#tap.logResponse(this.#exchange, status, answerHeaders));
  }

  /** Adds a response that came as events, each at its own time. */
  stream(): void {
    const { blockTimes, took, body } = this.#entry;
    let block = 0;
    const events = new SseParser(LIMITS.httpBodyBytes, ({ data, ...about }) =>
      this.#step(blockTimes[block++] ?? took, () => {
        const isMessage = data !== undefined && data.length > 0 && (about.event ?? 'message') === 'message';
        const shown = isMessage || data === undefined ? about : { ...about, data: shownData(about.event, data) };
        this.#tap.logStep({ kind: 'sse', exchange: this.#exchange, ...shown });
        if (isMessage) this.#add('protocol', 'to-client', data);
      }),
    );
    events.feed(body);
    this.end('server');
  }

  /** Adds a response that came in one piece, if any. */
  body(): void {
    const { took, body, answerHeaders } = this.#entry;
    if (body.length > 0) {
      this.#step(took, () => {
        const isJson = isJsonBody(mediaType(answerHeaders), body);
        const text = isJson ? undefined : decoder.decode(body.subarray(0, LIMITS.httpTextBytes));
        this.#tap.logStep({
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
      this.#tap.logStep({
        kind: 'end',
        exchange: this.#exchange,
        by,
        ...(message !== undefined && { message }),
        ...(this.#unanswered.size > 0 && { unanswered: [...this.#unanswered] }),
      }),
    );
  }

  /** `after` is in milliseconds since the exchange began. */
  #step(after: number, run: () => void): void {
    this.#time = Math.round(this.#began + after * 1000);
    this.#frames = [];
    run();
    this.result.push({ time: this.#time, frames: this.#frames });
  }

  #add(channel: Channel, direction: Direction, bytes: Uint8Array): number {
    this.#frames.push({ time: this.#time, channel, direction, flags: 0, bytes });
    if (channel === 'protocol' && direction === 'to-client' && this.#unanswered.size > 0) {
      for (const id of idsIn(decoder.decode(bytes), false)) this.#unanswered.delete(id);
    }
    return 0;
  }
}

/** Returns the ids of the requests, or of the responses, in a message or batch. */
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
