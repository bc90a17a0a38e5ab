import type { FrameToRecord } from '@/lib/recording/encode-lines';
import { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { secretsInVariables } from '@/lib/redact/launch-secrets';
import { systemClock } from '@/lib/wire/clock';
import { commandName } from '@/lib/wire/command-name';
import type { Channel, Direction } from '@/lib/wire/frame';
import { nextTask } from '@/lib/wire/in-slices';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import { argumentSecrets } from '@/proxy/connection/masked-target';
import { LineSplitter, StderrLines } from '@/proxy/connection/stdio-lines';
import { Recorder } from '@/proxy/recorder/recorder';
import type { RecordingFile } from '@/proxy/recorder/recording-file';
import type { Missed } from './gaps';
import { SeenHandshake } from './handshake';
import type { LastRecords, TapSession } from './recording-thread';
import type { Passed } from './ring';

/** Bytes and messages from the start of a session that each further file repeats, so that it can be read alone. */
const REPEATED_BYTES = 256 * 1024;
const REPEATED_MESSAGES = 100;
const TOOL_CALL = Buffer.from('"tools/call"');

/** A message that further files repeat. */
interface FirstMessage {
  readonly direction: Direction;
  readonly bytes: Uint8Array;
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

/**
 * Records a tapped session: cuts the bytes that have passed into lines, and writes these as a recording without
 * secrets. Begins another file when one is large or old enough. Runs on a thread of its own.
 */
export class TapRecorder {
  readonly #session: TapSession;
  readonly #folder: Recorder;
  readonly #redactor: CaptureRedactor;
  readonly #onFailed: (sentence: string) => void;
  readonly #handshake = new SeenHandshake();
  readonly #first: FirstMessage[] = [];
  #firstBytes = 0;
  #isFirst = true;
  readonly #lines: Readonly<Record<Passed, LineSplitter | StderrLines>>;
  /** Earlier files that are not written completely, and the present one. */
  readonly #open: Part[] = [];
  #parts = 0;
  #writing: Promise<void> | undefined;
  /** Earlier files that wait for their indexes. */
  #ending: Promise<void> = Promise.resolve();
  #pause: () => Promise<void> = nextTask;
  /** Time of the newest chunk, in µs since the start of the session. */
  #time = 0;
  /** Events that describe the process and its state, which further files repeat. */
  #spawned: LifecycleEvent | undefined;
  #opened: LifecycleEvent | undefined;
  #rules: LifecycleEvent | undefined;
  #overlay: LifecycleEvent | undefined;
  readonly #held = new Map<number, LifecycleEvent>();
  /** True while a chunk is cut, after which its lines are written together. */
  #isCutting = false;
  #failed = false;
  #isHurried = false;

  /** Calls `onFailed` once, with a sentence, when nothing more is recorded. */
  constructor(session: TapSession, onFailed: (sentence: string) => void) {
    const { version, folder, command, args, environment } = session;
    this.#session = session;
    this.#onFailed = onFailed;
    this.#folder = new Recorder({ clock: systemClock, version, folder });
    this.#redactor = new CaptureRedactor([...secretsInVariables(environment), ...argumentSecrets(args)]);
    this.#redactor.addGivenSecrets(argumentSecrets([command]));
    const message = (direction: Direction) =>
      new LineSplitter(LIMITS.frameBytes, (source, start, end, flags, whole) => {
        this.#append('protocol', direction, source, start, end, flags);
        if (whole) this.#readMessage(direction, source.subarray(start, end));
      });
    const changed = (direction: Direction) =>
      new LineSplitter(LIMITS.frameBytes, (source, start, end, flags) =>
        this.#append('intercept', direction, source, start, end, flags),
      );
    this.#lines = {
      stdin: message('to-server'),
      stdout: message('to-client'),
      'changed-in': changed('to-server'),
      'changed-out': changed('to-client'),
      stderr: new StderrLines(systemClock, (source, start, end, flags) => {
        this.#append('stderr', 'to-client', source, start, end, flags);
        // The end of a line that never comes is not waited for.
        if (!this.#isCutting) void this.#write();
      }),
    };
    this.#begin();
  }

  /**
   * Records bytes that have passed; don't change them. `time` is in µs since the start. Returns a promise if that takes
   * long. It never rejects, and calls `pause` in between.
   */
  onPassed(stream: Passed, time: number, chunk: Buffer, pause: () => Promise<void>): Promise<void> | undefined {
    this.#time = time;
    this.#pause = pause;
    this.#isCutting = true;
    this.#lines[stream].addChunk(chunk);
    this.#isCutting = false;
    return this.#write();
  }

  /** Notes that messages passed while this thread was too busy to take them. What follows begins with a whole one. */
  onMissed({ stream, messages }: Missed): void {
    if (stream !== 'events') this.#lines[stream].end();
    this.logEvent({ event: 'missing', frames: messages, folded: true });
  }

  /** Makes no more indexes, which would take the processor from what waits to be recorded. */
  hurry(): void {
    this.#isHurried = true;
    for (const { file } of this.#open) file.leaveUnindexed();
  }

  /** Adds an event of the session, at the time of the newest chunk. */
  logEvent(event: LifecycleEvent): void {
    this.#keepState(event);
    const bytes = Buffer.from(JSON.stringify(event));
    this.#append('lifecycle', 'to-client', bytes, 0, bytes.length, 0);
    if (!this.#isCutting) void this.#write();
  }

  /** Writes the rest and the end. Resolves when everything is on disk. Never rejects. */
  async end({ time, missed, events }: LastRecords): Promise<void> {
    this.#time = time;
    for (const gap of missed) this.onMissed(gap);
    for (const lines of Object.values(this.#lines)) lines.end();
    for (const event of events) this.logEvent(event);
    for (const part of this.#open) part.isOver = true;
    await this.#write();
    await this.#ending;
  }

  #keepState(event: LifecycleEvent): void {
    if (event.event === 'spawned') this.#spawned = event;
    else if (event.event === 'rules') this.#rules = event;
    else if (event.event === 'overlay') this.#overlay = event;
    else if (event.event === 'held') this.#held.set(event.hold, event);
    else if (event.event === 'intercepted' && event.hold !== undefined && event.did !== 'progress')
      this.#held.delete(event.hold);
  }

  #begin(): void {
    const { command, args, cwd, environment, host, session } = this.#session;
    const number = ++this.#parts;
    const began = this.#time;
    const at = new Date(Date.parse(this.#session.at) + began / 1000).toISOString();
    const name = this.#session.name ?? commandName({ command, args });
    // The values found so far are masked in each file.
    const redactor = number === 1 ? this.#redactor : this.#redactor.fork();
    const about = { name, transport: 'stdio', at, mode: 'tap', redactor } as const;
    const file = this.#folder.createFile(about, (sentence) => this.#fail(sentence));
    if (!file) return;
    if (this.#isHurried) file.leaveUnindexed();
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
    const first = number === 1 ? [] : this.#first;
    const before = number > 1 && this.#spawned ? [this.#spawned] : [];
    const after =
      number === 1 ? [] : [this.#opened, this.#rules, this.#overlay, ...this.#held.values()].filter((one) => !!one);
    const repeated = before.length + first.length + after.length;
    const isCutting = this.#isCutting;
    this.#isCutting = true;
    this.logEvent({
      ...{ event: 'start', at, name, transport: 'stdio', command, args, cwd, protocol: 'auto' },
      environment: { policy: 'shell', inherited: Object.keys(environment).sort(), added: [] },
      tap: { ...(host !== undefined && { host }), session, part: number, ...(number > 1 && { repeated }) },
    });
    for (const event of before) this.logEvent(event);
    for (const { direction, bytes } of first) this.#append('protocol', direction, bytes, 0, bytes.length, 0);
    for (const event of after) this.logEvent(event);
    this.#isCutting = isCutting;
    part.head = part.bytes;
    part.repeated = part.frames.length;
    if (!isCutting) void this.#write();
  }

  #append(channel: Channel, direction: Direction, source: Uint8Array, start: number, end: number, flags: number): void {
    if (this.#failed) return;
    const before = this.#open.at(-1);
    if (before && channel !== 'lifecycle' && this.#isFull(before)) {
      before.isOver = true;
      this.#begin();
    }
    const part = this.#open.at(-1);
    if (!part || part.isOver) return;
    // A line of stderr without an end is passed on by a timer, after later lines of others.
    part.time = Math.max(part.time, this.#time - part.began);
    part.bytes += end - start;
    part.frames.push({ time: part.time, direction, channel, flags, bytes: source.subarray(start, end) });
  }

  #isFull({ bytes, began, head }: Part): boolean {
    const { mostBytes, mostMs } = this.#session;
    if (bytes <= head) return false;
    return bytes - head >= mostBytes || this.#time - began >= mostMs * 1000;
  }

  /** Writes all frames, and the ends of files that are over. Returns undefined if that was done at once. */
  #write(): Promise<void> | undefined {
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
      const rest = part.file.addInTurns(frames, { pause: this.#pause });
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

  #readMessage(direction: Direction, bytes: Buffer): void {
    if (this.#isFirst) this.#keepFirst(direction, bytes);
    if (this.#handshake.isOver) return;
    const open = this.#handshake.readMessage(direction, bytes);
    if (!open) return;
    this.#opened = open;
    this.logEvent(open);
  }

  #keepFirst(direction: Direction, bytes: Buffer): void {
    this.#firstBytes += bytes.length;
    this.#isFirst =
      this.#firstBytes <= REPEATED_BYTES && this.#first.length < REPEATED_MESSAGES && !bytes.includes(TOOL_CALL);
    if (this.#isFirst) this.#first.push({ direction, bytes: Uint8Array.from(bytes) });
  }

  #fail(sentence: string | undefined): void {
    if (sentence === undefined || this.#failed) return;
    this.#failed = true;
    this.#onFailed(sentence);
  }
}
