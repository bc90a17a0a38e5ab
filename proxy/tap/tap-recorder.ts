import { FrameLog } from '@/lib/hub/frame-log';
import { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { secretsInVariables } from '@/lib/redact/launch-secrets';
import { systemClock } from '@/lib/wire/clock';
import { commandName } from '@/lib/wire/command-name';
import type { Channel, Direction } from '@/lib/wire/frame';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import { freeMemory, isWorthFreeing } from '@/proxy/connection/free-memory';
import { argumentSecrets } from '@/proxy/connection/masked-target';
import { LineSplitter, StderrLines } from '@/proxy/connection/stdio-lines';
import { SpillFile } from '@/proxy/files/spill-file';
import type { ConnectionRecorder } from '@/proxy/recorder/connection-recorder';
import { Recorder } from '@/proxy/recorder/recorder';
import { SeenHandshake } from './handshake';
import type { Passed, TapSession } from './recording-thread';

/** Bytes that wait in memory for the disk. The rest waits in a file without a name. */
const WAITING_BYTES = 4 * 1024 * 1024;
/** Bytes and messages from the start of a session that each further file repeats, so that it can be read alone. */
const REPEATED_BYTES = 256 * 1024;
const REPEATED_MESSAGES = 100;
const TOOL_CALL = Buffer.from('"tools/call"');

/** A message that further files repeat. */
interface FirstMessage {
  readonly direction: Direction;
  readonly bytes: Uint8Array;
}

/** One file of the session, and the log that it is written from. */
interface Part {
  readonly log: FrameLog;
  readonly recorder: ConnectionRecorder;
  /** When it was begun, in µs since the start of the session. */
  readonly began: number;
  /** Bytes of its first frames, which tell of the session. */
  head: number;
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
  #part: Part | undefined;
  #parts = 0;
  /** Earlier files that are still being written. */
  #ending: Promise<void> = Promise.resolve();
  /** Time of the newest chunk, in µs since the start of the session. */
  #time = 0;
  /** Events that describe the process and its state, which further files repeat. */
  #spawned: LifecycleEvent | undefined;
  #open: LifecycleEvent | undefined;
  #failed = false;

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
    this.#lines = {
      stdin: message('to-server'),
      stdout: message('to-client'),
      stderr: new StderrLines(systemClock, (source, start, end, flags) => {
        this.#append('stderr', 'to-client', source, start, end, flags);
        this.#grown();
      }),
    };
    this.#begin();
  }

  /** Records bytes that have passed, and takes the memory of the chunk. `time` is in µs since the start. */
  onPassed(stream: Passed, time: number, chunk: Buffer): void {
    this.#time = time;
    this.#lines[stream].addChunk(chunk);
    this.#grown();
    // Everything was copied. In a flood, the chunks would otherwise wait for the garbage collector.
    if (isWorthFreeing(chunk)) freeMemory(chunk);
  }

  /** Resolves when what was passed is not in memory any more, but on disk. */
  async settled(): Promise<void> {
    await this.#part?.log.settled();
  }

  /** Notes that the bytes of about this many messages passed while this thread was too busy to take them. */
  onMissed(messages: number): void {
    for (const lines of Object.values(this.#lines)) lines.end();
    this.logEvent({ event: 'missing', frames: messages, folded: true });
  }

  /** Adds an event of the session, at the time of the newest chunk. */
  logEvent(event: LifecycleEvent): void {
    if (event.event === 'spawned') this.#spawned = event;
    const bytes = Buffer.from(JSON.stringify(event));
    this.#append('lifecycle', 'to-client', bytes, 0, bytes.length, 0);
    this.#grown();
  }

  /** Writes the rest and the end. Resolves when everything is on disk. Never rejects. */
  async end(time: number, events: readonly LifecycleEvent[]): Promise<void> {
    this.#time = time;
    for (const lines of Object.values(this.#lines)) lines.end();
    for (const event of events) this.logEvent(event);
    await this.#endPart();
  }

  #begin(): void {
    const { command, args, cwd, environment, host, session } = this.#session;
    const part = ++this.#parts;
    const began = this.#time;
    const at = new Date(Date.parse(this.#session.at) + began / 1000).toISOString();
    const log = new FrameLog({
      memoryBytes: WAITING_BYTES,
      openSpill: () => new SpillFile(),
      onSpillFailed: ({ message }) => this.#fail(`Recording stopped, because too much waits for the disk: ${message}.`),
    });
    const name = this.#session.name ?? commandName({ command, args });
    const about = { name, transport: 'stdio', at, mode: 'tap' } as const;
    // The values found so far are masked in each file.
    const redactor = part === 1 ? this.#redactor : this.#redactor.fork();
    const recorder = this.#folder.record(log, { ...about, redactor }, (sentence) => this.#fail(sentence));
    if (!recorder) return;
    // Until its head is complete, it is never full.
    this.#part = { log, recorder, began, head: Number.POSITIVE_INFINITY };
    const first = part === 1 ? [] : this.#first;
    const repeated = first.length + (this.#spawned ? 1 : 0) + (this.#open ? 1 : 0);
    this.logEvent({
      ...{ event: 'start', at, name, transport: 'stdio', command, args, cwd, protocol: 'auto' },
      environment: { policy: 'shell', inherited: Object.keys(environment).sort(), added: [] },
      tap: { ...(host !== undefined && { host }), session, part, ...(part > 1 && { repeated }) },
    });
    if (part > 1 && this.#spawned) this.logEvent(this.#spawned);
    for (const { direction, bytes } of first) this.#append('protocol', direction, bytes, 0, bytes.length, 0);
    if (part > 1 && this.#open) this.logEvent(this.#open);
    this.#part.head = log.bytes;
    this.#grown();
  }

  /** Ends the present file. Its rest is written while the next one is begun. */
  async #endPart(): Promise<void> {
    const part = this.#part;
    this.#part = undefined;
    if (!part) return this.#ending;
    part.log.settle();
    const end = part.recorder.end().then(() => part.log.close());
    this.#ending = Promise.all([this.#ending, end]).then(() => {});
    await this.#ending;
  }

  #append(channel: Channel, direction: Direction, source: Uint8Array, start: number, end: number, flags: number): void {
    if (this.#failed) return;
    if (this.#part && channel !== 'lifecycle' && this.#isFull(this.#part)) {
      void this.#endPart();
      this.#begin();
    }
    const part = this.#part;
    if (!part) return;
    // A line of stderr without an end is passed on by a timer, after later lines of others.
    const time = Math.max(part.log.lastTime, this.#time - part.began);
    part.log.append(channel, direction, flags, time, source, start, end);
  }

  #isFull({ log, began, head }: Part): boolean {
    const { mostBytes, mostMs } = this.#session;
    if (log.bytes <= head) return false;
    return log.bytes - head >= mostBytes || this.#time - began >= mostMs * 1000;
  }

  #grown(): void {
    this.#part?.log.settle();
    this.#part?.recorder.onLogGrown();
  }

  #readMessage(direction: Direction, bytes: Buffer): void {
    if (this.#isFirst) this.#keepFirst(direction, bytes);
    if (this.#handshake.isOver) return;
    const open = this.#handshake.readMessage(direction, bytes);
    if (!open) return;
    this.#open = open;
    this.logEvent(open);
  }

  #keepFirst(direction: Direction, bytes: Buffer): void {
    this.#firstBytes += bytes.length;
    this.#isFirst =
      this.#firstBytes <= REPEATED_BYTES && this.#first.length < REPEATED_MESSAGES && !bytes.includes(TOOL_CALL);
    if (this.#isFirst) this.#first.push({ direction, bytes: Uint8Array.from(bytes) });
  }

  #fail(sentence: string): void {
    if (this.#failed) return;
    this.#failed = true;
    this.#onFailed(sentence);
  }
}
