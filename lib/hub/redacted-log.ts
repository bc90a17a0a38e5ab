import { joinBytes } from '@/lib/json/typed-arrays';
import { encodeFrame, encodeHeaderOrEnd } from '@/lib/recording/encode-lines';
import { RECORDING_VERSION } from '@/lib/recording/format';
import { CAPTURE_POLICY, type CaptureRedactor } from '@/lib/redact/capture-redactor';
import { ConnectionError } from '@/lib/transports/transport';
import type { ConnectionSummary } from '@/lib/wire/command';
import type { Frame } from '@/lib/wire/frame';
import { runYielding } from '@/lib/wire/in-slices';
import { type FrameLog, framesFrom, Segment } from './frame-log';
import type { BatchSource } from './viewer';

/**
 * A view of a log that may leave this process, with secrets removed: those that the server was given, values that the
 * transport masked, and findings of the redactor. For one reader that only goes forward. Portions are redacted on
 * demand.
 */
export class RedactedLog implements BatchSource {
  readonly #log: FrameLog;
  readonly #redactor: CaptureRedactor;
  #portion: Segment | undefined;

  /** `redactor`: the redactor of the connection. */
  constructor(log: FrameLog, redactor: CaptureRedactor) {
    this.#log = log;
    this.#redactor = redactor.fork();
  }

  get last(): number {
    return this.#log.last;
  }

  segmentOf(seq: number): Segment | Promise<Segment> {
    const held = this.#portion;
    if (held && seq >= held.first && seq < held.first + held.count) return held;
    const segment = this.#log.segmentOf(seq);
    return segment instanceof Promise ? segment.then((read) => this.#redact(read, seq)) : this.#redact(segment, seq);
  }

  #redact(segment: Segment, seq: number): Segment | Promise<Segment> {
    const redacted = runYielding(this.#redacted(framesFrom(segment, seq)));
    return redacted instanceof Promise ? redacted.then((frames) => this.#hold(frames)) : this.#hold(redacted);
  }

  *#redacted(frames: readonly Frame[]): Generator<void, readonly Frame[]> {
    const redacted: Frame[] = [];
    for (const frame of frames) {
      if (redacted.length > 0) yield;
      redacted.push(yield* this.#redactor.applyInSlices(frame));
    }
    return redacted;
  }

  #hold(frames: readonly Frame[]): Segment {
    this.#portion = Segment.of(frames);
    return this.#portion;
  }
}

/** A connection with a redactor. */
interface Logged {
  readonly log: FrameLog;
  readonly redactor: CaptureRedactor;
  readonly summary: ConnectionSummary;
}

/**
 * Returns a connection's first `frames` frames as lines of a recording, redacted. Throws ConnectionError
 * `no-such-frames`.
 */
export function redactedLines(connection: Logged, frames: number): AsyncIterable<Uint8Array> {
  if (frames > connection.log.last) throw new ConnectionError(NO_SUCH_FRAMES);
  return linesOf(connection, frames);
}

async function* linesOf({ log, redactor, summary }: Logged, last: number): AsyncGenerator<Uint8Array> {
  const { id, startedAt: at, name, transport, as } = summary;
  // A redactor keeps its position in the stream, and the connection's own one has read further.
  const again = redactor.fork();
  const about = { mcpr: RECORDING_VERSION, id, at, by: 'mcp-inspect', mode: 'client', name, transport } as const;
  yield encodeHeaderOrEnd({ ...about, ...(as !== undefined && { as }), redaction: { policy: CAPTURE_POLICY } });
  for (let next = 1; next <= last; ) {
    const frames = framesFrom(await log.segmentOf(next), next).slice(0, last - next + 1);
    const lines: Uint8Array[] = [];
    for (const frame of frames) lines.push(encodeFrame(frame.seq, await again.applyInTurns(frame)));
    yield joinBytes(lines);
    next += frames.length;
  }
}

const NO_SUCH_FRAMES = {
  code: 'no-such-frames',
  message: 'The page shows more messages than this connection has: mcp-inspect was restarted.',
  advice: 'Reload the page.',
};
