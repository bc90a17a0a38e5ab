import type { ReadFrame } from '@/lib/recording/recording-reader';
import { Skimmer } from '@/lib/recording/skimmer';
import { PART } from '@/lib/wire/batch';
import { parseBounded } from '@/lib/wire/bounded-json';
import { CHANNELS, DIRECTIONS } from '@/lib/wire/frame';
import { LIMITS } from '@/lib/wire/limits';
import type { BatchSource } from './batch-cutter';
import { FrameLog, type FrameLogOptions } from './frame-log';
import { LinePlaces } from './line-places';
import { type ReadFile, readLines } from './read-lines';
import { Segment } from './segment';

/**
 * The log of a large recording: it has skims in the place of messages, and knows where in the file their lines are, which are read anew
 * when somebody wants the whole.
 */
export class SkimmedLog extends FrameLog implements BatchSource {
  readonly #of: Omit<ReadFile, 'places'>;
  readonly #places = new LinePlaces();
  readonly #skimmer = new Skimmer();
  /** Read last: of a frame that is larger than a batch there are several. */
  #read: Segment | undefined;

  constructor(of: Omit<ReadFile, 'places'>, options: FrameLogOptions) {
    super(options);
    this.#of = of;
  }

  /** Takes the next frame of the file. */
  take(frame: ReadFrame): void {
    const { channel, direction, flags, time, bytes } = frame;
    this.#places.push(frame.at, bytes.length, frame.blobsAt);
    const skim = this.#skimmer.skim(frame, frame.isJson || isJson(frame));
    if (!skim) {
      this.append(channel, direction, flags, time, bytes, 0, bytes.length);
      return;
    }
    this.append(channel, direction, flags, time, skim, 0, skim.length, PART.skim);
  }

  wholeOf(seq: number, until: number): Segment | Promise<Segment> {
    // What was said since is not in the file as it was opened.
    if (seq > this.#places.count) return this.segmentOf(seq);
    const known = this.#read;
    const isKnown = known !== undefined && seq >= known.first && seq < known.first + known.count;
    return isKnown ? known : this.#readFrom(seq, until);
  }

  override async close(): Promise<void> {
    await super.close();
    await this.#of.file.close();
  }

  /** Reads as many frames as fit into a batch, but one at least. */
  async #readFrom(seq: number, until: number): Promise<Segment> {
    const places = this.#places;
    const most = Math.min(until, places.count, seq + LIMITS.batchFrames - 1);
    let to = seq;
    let size = places.length(seq) + 1;
    while (to < most && size + places.length(to + 1) < LIMITS.batchBytes) size += places.length(++to) + 1;
    const segment = Segment.empty(seq, size);
    for (const { time, direction, channel, flags, bytes } of await readLines({ ...this.#of, places }, seq, to)) {
      segment.append(time, DIRECTIONS.indexOf(direction), CHANNELS.indexOf(channel), flags, bytes, 0, bytes.length);
    }
    this.#read = segment;
    return segment;
  }
}

/** Of a message that does not stand in its line as JSON, since there is white space around it. */
function isJson({ channel, bytes }: ReadFrame): boolean {
  if (channel !== 'protocol') return false;
  try {
    parseBounded(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
    return true;
  } catch {
    return false;
  }
}
