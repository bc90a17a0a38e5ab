import { lifecycleEventOf } from '@/lib/recording/lifecycle-event';
import { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { type BatchHeader, BatchReader } from '@/lib/wire/batch';
import { readProfile } from '@/lib/wire/client-profile';
import type { RecordingProgress } from '@/lib/wire/command';
import { URL_TRANSPORTS } from '@/lib/wire/connection-settings';
import { formatBytes } from '@/lib/wire/format';
import type { Frame } from '@/lib/wire/frame';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import type { Recorder } from './recorder';
import type { RecordingAppender } from './recording-appender';
import type { RecordingFile } from './recording-file';

/** Largest frame that a page may send, in bytes, over all its parts. */
const PAGE_FRAME_BYTES = 80 * 1024 * 1024;

type Start = Extract<LifecycleEvent, { event: 'start'; url: string }>;

/**
 * The recording of a page's direct connection, whose frames the page sends. Whatever the page sends, the file is valid:
 * its name and header come from the first frame, which must be a start, its numbers are ours, and times never decrease.
 * Frames are redacted again, in case the page missed something.
 */
export class PageRecording {
  readonly #recorder: Recorder;
  #reader = new BatchReader();
  /** Bytes received of a frame that comes in parts. */
  #parts = 0;
  #frames = 0;
  #time = 0;
  #file: RecordingFile | undefined;
  #appender: RecordingAppender | undefined;
  #failure: string | undefined;
  #ended = false;

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
  }

  /** Number of recorded frames, and whether the end is written. */
  get progress(): RecordingProgress {
    return { frames: this.#frames, ended: this.#ended };
  }

  /** A sentence for the user once recording failed. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** True once the recording has its end or has failed. */
  get isOver(): boolean {
    return this.#ended || this.#failure !== undefined;
  }

  /** Call this when the page reconnects. It sends the parts of an unfinished frame again. */
  resume(): void {
    this.#reader = new BatchReader();
    this.#parts = 0;
  }

  /** Records a valid batch. Never rejects; see `failure`. */
  async addBatch(message: ArrayBuffer, header: BatchHeader): Promise<void> {
    if (this.#failure !== undefined) return;
    try {
      await this.#recordBatch(message, header);
    } catch (error) {
      this.#fail(`mcp-inspect failed, so the recording ends here: ${error}.`);
    }
  }

  async #recordBatch(message: ArrayBuffer, { first, count }: BatchHeader): Promise<void> {
    if (first !== this.#frames + 1) return this.#fail(OUT_OF_ORDER);
    const { frames } = this.#reader.read(message);
    this.#parts = frames.length < count ? this.#parts + message.byteLength : 0;
    if (this.#parts > PAGE_FRAME_BYTES) return this.#fail(TOO_LARGE);
    if (frames.length > 0) await this.#write(frames);
  }

  /** Ends the recording. It fails if nothing was recorded. Idempotent. Never rejects. */
  async end(): Promise<void> {
    if (this.isOver) return;
    if (!this.#file) this.#fail(NO_START);
    else if (this.#parts > 0) this.#fail(OUT_OF_ORDER);
    else {
      this.#ended = true;
      await this.#file.prepareEnd();
      this.#failure = this.#file.end();
    }
  }

  /** Closes the recording without an end, because the page is gone. Idempotent. */
  abandon(): void {
    if (!this.#ended) this.#fail(GONE);
  }

  async #write(frames: readonly Frame[]): Promise<void> {
    const inOrder = frames.map((frame) => {
      this.#time = Math.max(this.#time, frame.time);
      return { ...frame, time: this.#time };
    });
    if (this.#ended) {
      // For example a note, long after the end.
      await this.#appender!.appendFrames(inOrder).catch((error) => this.#fail(`${error.message} ${error.advice}`));
    } else {
      this.#file ??= await this.#create(frames[0]!);
      await this.#file?.addInTurns(inOrder);
      this.#failure ??= this.#file?.failure;
    }
    if (this.#failure === undefined) this.#frames += frames.length;
  }

  /** Creates the file. Its header and name are redacted too. */
  async #create(first: Frame): Promise<RecordingFile | undefined> {
    const redactor = new CaptureRedactor([]);
    const start = startIn(await redactor.fork().applyInTurns(first));
    if (!start) return void this.#fail(NO_START);
    if (this.#failure !== undefined) return undefined;
    const { name, transport, at } = start;
    const { as } = readProfile(start);
    const about = { name: name.slice(0, LIMITS.recordingNameChars), transport, at, redactor, as };
    const file = this.#recorder.createFile(about, (sentence) => this.#fail(sentence));
    this.#appender = file?.appender();
    return file;
  }

  #fail(sentence: string): void {
    this.#failure ??= sentence;
    this.#file?.abandon();
  }
}

/** Returns the start of a direct connection, which must have a known transport and a valid time. */
function startIn({ channel, bytes }: Frame): Start | undefined {
  const event = channel === 'lifecycle' ? lifecycleEventOf(bytes) : undefined;
  if (event?.event !== 'start' || !('url' in event) || event.via !== 'direct') return undefined;
  if (!URL_TRANSPORTS.includes(event.transport)) return undefined;
  const at = Date.parse(event.at);
  return Number.isNaN(at) ? undefined : { ...event, at: new Date(at).toISOString() };
}

const OUT_OF_ORDER = 'The page skipped or repeated frames, so the recording ends here.';
const TOO_LARGE = `A message of more than ${formatBytes(PAGE_FRAME_BYTES)} can’t be recorded, so the recording ends here.`;
const NO_START = 'The page sent an invalid log, so it is not recorded.';
const GONE = 'The page was away for too long, so the recording ends here.';
