import type { CaptureRedactor } from '@/lib/redact/capture-redactor';
import type { Frame } from '@/lib/wire/frame';
import { inTurns } from '@/lib/wire/in-slices';
import type { BatchSource } from './batch-cutter';
import type { FrameLog } from './frame-log';
import { framesFrom } from './frames-from';
import { Segment } from './segment';

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
    this.#redactor = redactor.again();
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
    const redacted = inTurns(this.#redacted(framesFrom(segment, seq)));
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
