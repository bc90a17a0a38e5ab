import { FrameLog } from '@/lib/hub/frame-log';
import type { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { type FrameTexts, textOrCut } from '@/lib/replay/traffic/message-table';
import { RecentTexts } from '@/lib/replay/traffic/recent-texts';
import type { RecordedTraffic } from '@/lib/replay/traffic/recorded-traffic';
import { TrafficReader } from '@/lib/replay/traffic/traffic-reader';
import type { Frame } from '@/lib/wire/frame';
import { nextTask } from '@/lib/wire/in-slices';
import { SpillFile } from '@/proxy/files/spill-file';

/** Frames that are read again in one turn. */
const FRAMES_PER_TURN = 256;

/**
 * The live session of a recorded client. The newest texts are held as they came. All frames are in a log without the
 * secrets known when they came, whose older part is on disk.
 */
export class PlayedSession {
  readonly #log = new FrameLog({ openSpill: () => new SpillFile() });
  readonly #redactor: CaptureRedactor;
  readonly #first: CaptureRedactor;
  #reader: TrafficReader | undefined = new TrafficReader(new RecentTexts());

  /** `redactor` knows the secrets that are given. It learns those that are found. */
  constructor(redactor: CaptureRedactor) {
    this.#redactor = redactor;
    this.#first = redactor.fork();
  }

  /** Adds the next frame. They are numbered from 1. Ignores frames that come after the end of the playing. */
  addFrame(frame: Frame): void {
    if (!this.#reader) return;
    this.#reader.addFrame(frame);
    const { channel, direction, flags, time, bytes } = this.#first.apply(frame);
    this.#log.append(channel, direction, flags, time, bytes, 0, bytes.length);
  }

  /** The traffic with the newest texts, until {@link withoutSecrets}. */
  get live(): Pick<TrafficReader, 'sent' | 'traffic'> {
    return this.#reader!;
  }

  /**
   * Returns the traffic as reports show it. Every frame is redacted again, because a secret may be known only after it
   * was sent. `onRead` gets the number of frames read so far, and of all.
   */
  async withoutSecrets(onRead: (done: number, of: number) => void): Promise<RecordedTraffic> {
    this.#reader = undefined;
    const again = this.#redactor.fork();
    const changed = new Map<number, string>();
    const log = this.#log;
    const texts: FrameTexts = {
      addText: () => {},
      textOf: (seq) => changed.get(seq) ?? textOrCut(log.frameNow(seq)),
    };
    const reader = new TrafficReader(texts);
    for (let seq = 1; seq <= log.last; seq++) {
      const frame = log.frameNow(seq);
      const shown = again.apply(frame);
      if (shown !== frame) changed.set(seq, textOrCut(shown) as string);
      reader.addFrame(shown);
      if (seq % FRAMES_PER_TURN !== 0) continue;
      onRead(seq, log.last);
      await nextTask();
    }
    return reader.traffic();
  }

  /** Deletes the frames. The traffic can't be read any more. */
  close(): Promise<void> {
    return this.#log.close();
  }
}
