import { lifecycleEventOf } from '@/lib/recording/lifecycle-event';
import { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { type BatchHeader, BatchReader } from '@/lib/wire/batch';
import { type RecordingProgress, URL_TRANSPORTS } from '@/lib/wire/command';
import { formatBytes } from '@/lib/wire/format';
import type { Frame } from '@/lib/wire/frame';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import type { Recorder } from './recorder';
import type { RecordingAppender } from './recording-appender';
import type { RecordingFile } from './recording-file';

const PAGE_FRAME_BYTES = 80 * 1024 * 1024;

type Start = Extract<LifecycleEvent, { event: 'start'; url: string }>;

/**
 * The recording of a connection that a page makes itself, whose frames the page sends. Whatever comes, the file is one of ours: its
 * name and header are made of the first frame, which has to be a start, numbers and lines are its own, and times never run backwards.
 * What a page should have taken out and has not is looked for once more.
 */
export class PageRecording {
  readonly #recorder: Recorder;
  #reader = new BatchReader();
  /** Bytes of a frame that came so far in parts. */
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

  /** What it has. */
  get progress(): RecordingProgress {
    return { frames: this.#frames, ended: this.#ended };
  }

  /** A sentence for people once nothing more can be written. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** It has its end, or never gets one. */
  get isOver(): boolean {
    return this.#ended || this.#failure !== undefined;
  }

  /** Who sends is another one, or begins anew: parts of a frame will come once more. */
  resume(): void {
    this.#reader = new BatchReader();
    this.#parts = 0;
  }

  /** Takes a sound batch in. Never rejects; see `failure`. */
  async addBatch(message: ArrayBuffer, header: BatchHeader): Promise<void> {
    if (this.#failure !== undefined) return;
    try {
      await this.#take(message, header);
    } catch (error) {
      this.#fail(`mcp-inspect itself failed, so the recording ends there: ${error}.`);
    }
  }

  async #take(message: ArrayBuffer, { first, count }: BatchHeader): Promise<void> {
    if (first !== this.#frames + 1) return this.#fail(OUT_OF_ORDER);
    const { frames } = this.#reader.read(message);
    this.#parts = frames.length < count ? this.#parts + message.byteLength : 0;
    if (this.#parts > PAGE_FRAME_BYTES) return this.#fail(TOO_LARGE);
    if (frames.length > 0) await this.#write(frames);
  }

  /** Its connection has ended, and everything is here; if nothing is, that is a failure. Idempotent. */
  end(): void {
    if (this.isOver) return;
    if (!this.#file) this.#fail(NO_START);
    else if (this.#parts > 0) this.#fail(OUT_OF_ORDER);
    else {
      this.#ended = true;
      this.#failure = this.#file.end();
    }
  }

  /** Nothing more comes, and nobody knows how it went on: it has no end. Idempotent. */
  abandon(): void {
    if (!this.#ended) this.#fail(GONE);
  }

  async #write(frames: readonly Frame[]): Promise<void> {
    const inOrder = frames.map((frame) => {
      this.#time = Math.max(this.#time, frame.time);
      return { ...frame, time: this.#time };
    });
    if (this.#ended) {
      // A note, say, long after its end.
      await this.#appender!.appendFrames(inOrder).catch((error) => this.#fail(`${error.message} ${error.advice}`));
    } else {
      this.#file ??= await this.#create(frames[0]!);
      await this.#file?.addInTurns(inOrder);
      this.#failure ??= this.#file?.failure;
    }
    if (this.#failure === undefined) this.#frames += frames.length;
  }

  /** What its header and its name say of the connection has no secret either. */
  async #create(first: Frame): Promise<RecordingFile | undefined> {
    const redactor = new CaptureRedactor([]);
    const start = startIn(await redactor.fork().applyInTurns(first));
    if (!start) return void this.#fail(NO_START);
    if (this.#failure !== undefined) return undefined;
    const { name, transport, at } = start;
    const about = { name: name.slice(0, LIMITS.recordingNameChars), transport, at, redactor };
    const file = this.#recorder.createFile(about, (sentence) => this.#fail(sentence));
    this.#appender = file?.appender();
    return file;
  }

  #fail(sentence: string): void {
    this.#failure ??= sentence;
    this.#file?.abandon();
  }
}

/** What a page connects begins with one of a URL, by a transport and at a time that are some. */
function startIn({ channel, bytes }: Frame): Start | undefined {
  const event = channel === 'lifecycle' ? lifecycleEventOf(bytes) : undefined;
  if (event?.event !== 'start' || !('url' in event) || event.via !== 'direct') return undefined;
  if (!URL_TRANSPORTS.includes(event.transport)) return undefined;
  const at = Date.parse(event.at);
  return Number.isNaN(at) ? undefined : { ...event, at: new Date(at).toISOString() };
}

const OUT_OF_ORDER = 'The page left frames out, or sent them twice, so the recording ends there.';
const TOO_LARGE = `A message of more than ${formatBytes(PAGE_FRAME_BYTES)} is not recorded, so the recording ends there.`;
const NO_START = 'What the page sent is no log of a connection, so it is not recorded.';
const GONE = 'The page was away for too long, so the recording ends there.';
