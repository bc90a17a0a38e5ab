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
 * A log as it may leave: without what its server was given, what was masked below it, and what a redactor finds. Made for one
 * reader, who goes forward: a portion is redacted when it is first asked for.
 */
export class RedactedLog implements BatchSource {
  readonly #log: FrameLog;
  readonly #redactor: CaptureRedactor;
  #portion: Segment | undefined;

  /** `redactor` is that of the connection. */
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

/** What is used of a connection that has a redactor of its own. */
export interface Logged {
  readonly log: FrameLog;
  readonly redactor: CaptureRedactor;
  readonly summary: ConnectionSummary;
}

/**
 * The first so many frames of a connection as a recorder would write them, without what the server was given and what was masked:
 * for whoever gives them away. Throws ConnectionError `no-such-frames`.
 */
export function redactedLines(connection: Logged, frames: number): AsyncIterable<Uint8Array> {
  if (frames > connection.log.last) throw new ConnectionError(NO_SUCH_FRAMES);
  return linesOf(connection, frames);
}

async function* linesOf({ log, redactor, summary }: Logged, last: number): AsyncGenerator<Uint8Array> {
  const { id, startedAt: at, name, transport } = summary;
  // The recorder's own is somewhere in the stream.
  const again = redactor.fork();
  const about = { mcpr: RECORDING_VERSION, id, at, by: 'mcp-inspect', mode: 'client', name, transport } as const;
  yield encodeHeaderOrEnd({ ...about, redaction: { policy: CAPTURE_POLICY } });
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
  message: 'This connection has fewer messages than the page shows: mcp-inspect was started again since.',
  advice: 'Reload the page.',
};
