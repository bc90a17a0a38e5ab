import { randomUUID } from 'node:crypto';
import type { FrameToRecord } from '@/lib/recording/encode-lines';
import type { RecordingHeader } from '@/lib/recording/format';
import type { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { systemClock } from '@/lib/wire/clock';
import type { Channel, Direction } from '@/lib/wire/frame';
import { nextTask } from '@/lib/wire/in-slices';
import type { LifecycleEvent, TapStart } from '@/lib/wire/lifecycle';
import type { ExportFeed } from '@/proxy/otel/export-thread';
import { Recorder } from '@/proxy/recorder/recorder';
import type { RecordingFile } from '@/proxy/recorder/recording-file';
import type { RecordingUploads } from '@/proxy/recorder/recording-uploads';
import { SessionExport } from './session-export';

/** Bytes and frames from the start of a session that each further file repeats, so that it can be read alone. */
const REPEATED_BYTES = 256 * 1024;
const REPEATED_FRAMES = 100;
/** Bytes and frames that wait for the first message of a session. With more, its file begins without one. */
const EARLY_BYTES = 256 * 1024;
const EARLY_FRAMES = 1000;
/** Bytes of a frame that takes long. */
const LONG_BYTES = 1024 * 1024;
const TOOL_CALL = Buffer.from('"tools/call"');

/** Events of the process and of its state: further files repeat them before and after the first frames. */
const BEFORE: readonly LifecycleEvent['event'][] = ['spawned'];
const AFTER: readonly LifecycleEvent['event'][] = ['open', 'rules', 'overlay'];

/** A frame that further files repeat. */
interface FirstFrame {
  readonly channel: Channel;
  readonly direction: Direction;
  readonly bytes: Uint8Array;
}

/** A message from the start of a session. */
export type FirstMessage = Pick<FirstFrame, 'direction' | 'bytes'>;

/** A frame of a session that has not begun. */
interface EarlyFrame extends FirstFrame {
  readonly time: number;
  readonly flags: number;
}

/** One file of the session. */
interface Part {
  readonly file: RecordingFile;
  readonly redactor: CaptureRedactor;
  /** When it was begun, in µs since the start of the session. */
  readonly began: number;
  /** Frames that are not written yet. */
  frames: FrameToRecord[];
  /** How many of them come first and repeat the session's first ones: they are not part of its streams. */
  repeated: number;
  /** Bytes of all its frames, and of the first ones, which tell of the session. */
  bytes: number;
  head: number;
  /** Time of its newest frame. */
  time: number;
  /** True once there is a next one. */
  isOver: boolean;
}

/** The facts of a tapped session that its files need. */
export interface TapFileFacts {
  readonly version: string;
  /** Folder of recordings. */
  readonly folder: string;
  readonly name: string;
  readonly transport: RecordingHeader['transport'];
  readonly host?: string | undefined;
  /** True: the first file begins with {@link SessionFiles.begin}. */
  readonly waits?: boolean | undefined;
  /** Identifies the session. */
  readonly session: string;
  /** Its start, from which all times count; ISO 8601. */
  readonly at: string;
  readonly mostBytes: number;
  readonly mostMs: number;
  /** Exports what is recorded, too. */
  readonly feed?: ExportFeed | undefined;
  readonly uploads?: RecordingUploads | undefined;
  /** Returns the first event of each file. */
  startEvent(at: string, tap: TapStart): LifecycleEvent;
}

/** Writes the frames of a tapped session, without secrets. Begins another file when one is large or old enough. */
export class SessionFiles {
  readonly #facts: TapFileFacts;
  readonly #recorder: Recorder;
  readonly #redactor: CaptureRedactor;
  readonly #onFailed: (sentence: string) => void;
  readonly #first: FirstFrame[] = [];
  #firstBytes = 0;
  #isFirst = true;
  /** Frames until the first file begins. */
  #early: EarlyFrame[] | undefined;
  #earlyBytes = 0;
  #host: string | undefined;
  /** Earlier files that are not written completely, and the present one. */
  readonly #open: Part[] = [];
  #parts = 0;
  #writing: Promise<void> | undefined;
  /** Earlier files that wait for their indexes. */
  #ending: Promise<void> = Promise.resolve();
  #pause: () => Promise<void> = nextTask;
  #time = 0;
  /** The newest event of each kind that describes the process and its state, which further files repeat. */
  readonly #state = new Map<LifecycleEvent['event'], LifecycleEvent>();
  /** Messages that wait, by the number of their hold: since when, and that nobody waits for them. */
  readonly #held = new Map<number, { readonly held: LifecycleEvent; readonly givenUp?: LifecycleEvent }>();
  #isBatch = false;
  #failed = false;
  /** Exports the frames. */
  readonly #export: SessionExport | undefined;
  #isResting = false;

  /** Calls `onFailed` once, with a sentence, when nothing more is recorded. */
  constructor(facts: TapFileFacts, redactor: CaptureRedactor, onFailed: (sentence: string) => void) {
    this.#facts = facts;
    this.#redactor = redactor;
    this.#onFailed = onFailed;
    const { version, folder, uploads } = facts;
    this.#recorder = new Recorder({ clock: systemClock, version, folder, uploads });
    this.#host = facts.host;
    this.#export = facts.feed && new SessionExport(facts.feed);
    if (facts.waits) this.#early = [];
    else this.#beginFile();
  }

  /** The time of the frames that are added next, in µs since the start of the session. */
  set time(time: number) {
    this.#time = time;
  }

  /**
   * Writes what `add` adds together. Returns a promise if that takes long. It never rejects, and calls `pause` in
   * between.
   */
  batch(add: () => void, pause: () => Promise<void>): Promise<void> | undefined {
    this.#pause = pause;
    this.#isBatch = true;
    add();
    this.#isBatch = false;
    return this.#write();
  }

  /** Adds an event of the session. */
  logEvent(event: LifecycleEvent): void {
    this.#keepState(event);
    const bytes = Buffer.from(JSON.stringify(event));
    this.append('lifecycle', 'to-client', bytes, 0, bytes.length, 0);
  }

  #keepState(event: LifecycleEvent): void {
    if (BEFORE.includes(event.event) || AFTER.includes(event.event)) this.#state.set(event.event, event);
    else if (event.event === 'held') this.#held.set(event.hold, { ...this.#held.get(event.hold), held: event });
    else if (event.event === 'given-up') {
      const hold = this.#held.get(event.hold);
      if (hold) this.#held.set(event.hold, { ...hold, givenUp: event });
    } else if (event.event === 'intercepted' && event.hold !== undefined && event.did !== 'progress') {
      this.#held.delete(event.hold);
    }
  }

  #heldEvents(): readonly LifecycleEvent[] {
    return [...this.#held.values()].flatMap(({ held, givenUp }) => (givenUp ? [held, givenUp] : [held]));
  }

  /** Begins the first file, if it waits. `host`: the program that uses the server, if nobody has named it. */
  begin(host?: string): void {
    const early = this.#early;
    if (!early) return;
    this.#early = undefined;
    this.#host ??= host;
    const [time, isBatch] = [this.#time, this.#isBatch];
    this.#isBatch = true;
    this.#time = 0;
    this.#beginFile();
    for (const frame of early) {
      this.#time = frame.time;
      this.#add(frame.channel, frame.direction, frame.bytes, 0, frame.bytes.length, frame.flags);
    }
    this.#time = time;
    this.#isBatch = isBatch;
    if (!isBatch) void this.#write();
  }

  /** Adds the frame `source[start, end)`. The bytes must not change before they are written. */
  append(channel: Channel, direction: Direction, source: Uint8Array, start: number, end: number, flags: number): void {
    if (this.#early) {
      this.#early.push({ channel, direction, bytes: source.slice(start, end), time: this.#time, flags });
      this.#earlyBytes += end - start;
      if (this.#earlyBytes > EARLY_BYTES || this.#early.length > EARLY_FRAMES) this.begin();
      return;
    }
    this.#add(channel, direction, source, start, end, flags);
    if (!this.#isBatch) void this.#write();
  }

  /** Keeps a frame that was added, if it is one of the first, which further files repeat. */
  keepFirst(channel: Channel, direction: Direction, bytes: Uint8Array): void {
    if (!this.#isFirst) return;
    this.#firstBytes += bytes.length;
    this.#isFirst =
      this.#firstBytes <= REPEATED_BYTES &&
      this.#first.length < REPEATED_FRAMES &&
      !Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(TOOL_CALL);
    if (this.#isFirst) this.#first.push({ channel, direction, bytes: Uint8Array.from(bytes) });
  }

  /** Returns the messages among the first frames. */
  firstMessages(): readonly FirstMessage[] {
    return this.#first.filter(({ channel }) => channel === 'protocol');
  }

  /** Ends the present file. What is added later begins another one. */
  rest(): void {
    this.begin();
    const part = this.#open.at(-1);
    if (!part || part.isOver) return;
    part.isOver = true;
    this.#isResting = true;
    void this.#write();
    this.#export?.rest();
  }

  /** Writes the rest and the end. Resolves when everything is on disk. Never rejects. */
  async end(): Promise<void> {
    this.begin();
    this.#isResting = false;
    for (const part of this.#open) part.isOver = true;
    this.#export?.end();
    await this.#write();
    await this.#ending;
  }

  #beginFile(): void {
    const { session, name, transport } = this.#facts;
    const host = this.#host;
    const number = ++this.#parts;
    const began = this.#time;
    const at = new Date(Date.parse(this.#facts.at) + began / 1000).toISOString();
    // The values found so far are masked in each file.
    const redactor = number === 1 ? this.#redactor : this.#redactor.fork();
    const id = randomUUID();
    const about = { name, transport, at, mode: 'tap', redactor, id } as const;
    const file = this.#recorder.createFile(about, (sentence) => this.#fail(sentence));
    if (!file) return;
    // Until its head is complete, it is never full.
    const part: Part = {
      file,
      redactor,
      began,
      frames: [],
      repeated: 0,
      bytes: 0,
      head: Infinity,
      time: 0,
      isOver: false,
    };
    this.#open.push(part);
    this.#export?.beginFile(id, file.path, began);
    const first = number === 1 ? [] : this.#first;
    const kept = (names: readonly LifecycleEvent['event'][]): readonly LifecycleEvent[] =>
      number === 1 ? [] : names.flatMap((event) => this.#state.get(event) ?? []);
    const before = kept(BEFORE);
    const after = [...kept(AFTER), ...(number === 1 ? [] : this.#heldEvents())];
    const repeated = before.length + first.length + after.length;
    const isBatch = this.#isBatch;
    this.#isBatch = true;
    const tap = { ...(host !== undefined && { host }), session, part: number };
    this.logEvent(this.#facts.startEvent(at, { ...tap, ...(number > 1 && { repeated }) }));
    for (const event of before) this.logEvent(event);
    for (const { channel, direction, bytes } of first) this.#add(channel, direction, bytes, 0, bytes.length, 0);
    for (const event of after) this.logEvent(event);
    this.#isBatch = isBatch;
    part.head = part.bytes;
    this.#export?.endRepeated();
    part.repeated = part.frames.length;
    if (!isBatch) void this.#write();
  }

  #add(channel: Channel, direction: Direction, source: Uint8Array, start: number, end: number, flags: number): void {
    if (this.#failed) return;
    if (this.#isResting) {
      this.#isResting = false;
      this.#beginFile();
    }
    const before = this.#open.at(-1);
    if (before && channel !== 'lifecycle' && this.#isFull(before)) {
      before.isOver = true;
      this.#beginFile();
    }
    const part = this.#open.at(-1);
    if (!part || part.isOver) return;
    // A line of stderr without an end is passed on by a timer, after later lines of others.
    part.time = Math.max(part.time, this.#time - part.began);
    part.bytes += end - start;
    const frame = { time: part.time, direction, channel, flags, bytes: source.subarray(start, end) };
    part.frames.push(frame);
    this.#export?.add({ ...frame, time: this.#time });
  }

  #isFull({ bytes, began, head }: Part): boolean {
    const { mostBytes, mostMs } = this.#facts;
    if (bytes <= head) return false;
    return bytes - head >= mostBytes || this.#time - began >= mostMs * 1000;
  }

  /** Writes all frames, and the ends of files that are over. Returns undefined if that was done at once. */
  #write(): Promise<void> | undefined {
    this.#export?.flush();
    this.#writing ??= this.#writeSome()?.finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  #writeSome(): Promise<void> | undefined {
    const part = this.#open[0];
    if (!part) return undefined;
    if (part.frames.length > 0) {
      const frames = part.frames.splice(0, part.repeated || part.frames.length);
      if (part.repeated === 0) part.redactor.goOnAs(this.#redactor);
      part.repeated = 0;
      const write = (): Promise<void> | undefined => part.file.addInTurns(frames, { pause: this.#pause });
      // Its first step alone can take long, and others should not wait for it.
      const rest = frames.some(({ bytes }) => bytes.length > LONG_BYTES) ? this.#pause().then(write) : write();
      if (rest) return rest.then(() => this.#written(part));
      return this.#written(part);
    }
    if (!part.isOver) return undefined;
    this.#open.shift();
    // It waits for its index, and the next one goes on.
    this.#ending = Promise.all([this.#ending, this.#endFile(part)]).then(() => {});
    return this.#writeSome();
  }

  #written({ file }: Part): Promise<void> | undefined {
    this.#fail(file.failure);
    return this.#writeSome();
  }

  async #endFile({ file }: Part): Promise<void> {
    await file.prepareEnd();
    this.#fail(file.end());
  }

  #fail(sentence: string | undefined): void {
    if (sentence === undefined || this.#failed) return;
    this.#failed = true;
    this.#onFailed(sentence);
  }
}
