import { RecordedFrames } from '@/lib/reading/recorded-frames';
import { recordingBytes } from '@/lib/reading/recording-bytes';
import type { FrameToRecord } from '@/lib/recording/encode-line';
import type { Inflate } from '@/lib/recording/index-line';
import { bytesOfEvent, lifecycleEventOf } from '@/lib/recording/lifecycle-event';
import { bytesFrom, type RandomAccess } from '@/lib/recording/random-access';
import type { HeaderFacts } from '@/lib/recording/read-header';
import { findIndexes, type IndexedRecording } from '@/lib/recording/read-index';
import { type ReadFrame, RecordingReader } from '@/lib/recording/recording-reader';
import { ConnectionError } from '@/lib/transports/transport';
import type { ConnectionSummary } from '@/lib/wire/command';
import type { Channel } from '@/lib/wire/frame';
import { type ConnectionState, type FrameNote, isFailure, type LifecycleEvent, stateAfter } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import type { RecordingFacts } from '@/lib/wire/recording-facts';
import { appendEvent } from './append-event';
import { EndedConnection } from './ended-connection';
import { factsIn } from './facts-in';
import { checkIndex, fillByIndex } from './fill-by-index';
import type { FrameLogOptions } from './frame-log';
import { plainFile } from './plain-file';
import { NOT_IN_FILE, NOT_WRITABLE, STILL_READ } from './recorded-refusals';
import { ServerName } from './server-name';
import { SkimmedLog } from './skimmed-log';

/** What a recording needs from where it is opened. */
export interface RecordedDeps {
  /** Name of the file, for people. */
  readonly file: string;
  readonly openSpill?: FrameLogOptions['openSpill'];
  /** The same bytes, of which any part can be read later. Absent: they come once. */
  readonly parts?: () => Promise<RandomAccess>;
  /** By what its indexes are unpacked. Absent: by what every platform has. */
  readonly inflate?: Inflate;
  /** Its indexes were found to be wrong. */
  readonly indexIgnored?: true;
  /** What the indexes of its file say is not so: what is in its log is of no use, and it has to be opened without them. */
  onUnsound?(connection: RecordedConnection): void;
  /** How many bytes there are at most of a file that is held whole, and how long nobody is sent any of it before indexes are checked. Absent: `LIMITS`. */
  readonly wholeBytes?: number;
  readonly indexCheckMs?: number;
  /** By what it is read. Absent: by one that does not check what its end vouches for. */
  readonly reader?: RecordingReader;
  /** Adds a frame to the file. Rejects with a Failure if that can't be. Absent where nothing can be added. */
  add?(frame: FrameToRecord): Promise<void>;
  /** The log has new frames. */
  onGrown(connection: RecordedConnection): void;
  /** The summary changed. */
  onChanged(connection: RecordedConnection): void;
}

/** A recording, opened: a log like any other, filled from a file, and nobody to talk to. */
export class RecordedConnection extends EndedConnection {
  readonly id: string;
  readonly log: SkimmedLog;
  protected readonly refusal = {
    code: 'is-recording',
    message: 'This is a recording: there is no server that anything could be sent to.',
    advice: 'Connect to the server to go on with it.',
  };
  readonly #deps: RecordedDeps;
  readonly #reader: RecordingReader;
  #header: HeaderFacts | undefined;
  #state: ConnectionState = 'starting';
  #start: Extract<LifecycleEvent, { event: 'start' }> | undefined;
  #open: Extract<LifecycleEvent, { event: 'open' }> | undefined;
  /** What the server calls itself. */
  readonly #serverName = new ServerName();
  #facts: RecordingFacts;
  #stopped = false;

  /** `file`: read anew where more than skims is wanted. */
  private constructor(id: string, deps: RecordedDeps, file?: RandomAccess, indexed?: IndexedRecording) {
    super();
    this.id = id;
    this.#deps = deps;
    this.#reader = deps.reader ?? new RecordingReader();
    this.#facts = { file: deps.file, by: '', ...(deps.indexIgnored && { indexIgnored: true }) };
    this.#header = indexed?.header;
    const { openSpill } = deps;
    const reader = indexed ? { header: indexed.header, numbers: AS_WRITTEN } : this.#reader;
    const isLarge = file !== undefined && isLargeFile(file, deps);
    this.log = new SkimmedLog({ reader, isLarge, ...(file && { file }) }, { openSpill });
  }

  /**
   * Resolves with the recording as soon as its first frame is here; the rest follows. Rejects with a RecordingError for what
   * is none, and with the system's error if it can't be read at all.
   */
  static async open(
    id: string,
    source: ReadableStream<Uint8Array<ArrayBuffer>>,
    deps: RecordedDeps,
  ): Promise<RecordedConnection> {
    const file = await plainFile(deps.parts);
    const indexed = file && isLargeFile(file, deps) && !deps.indexIgnored ? await findIndexes(file) : undefined;
    const connection = new RecordedConnection(id, deps, file, indexed);
    if (file) await source.cancel();
    try {
      await new Promise<void>((resolve, reject) => {
        const reading = indexed
          ? connection.#readByIndex(file!, indexed, resolve)
          : connection.#read(file ? bytesFrom(file, 0) : recordingBytes(source), resolve);
        reading.catch(reject);
      });
    } catch (error) {
      await connection.log.close();
      if (error === UNSOUND) return RecordedConnection.open(id, source, { ...deps, indexIgnored: true });
      throw error;
    }
    return connection;
  }

  /** Nothing can be started again: this says so, as a ConnectionError. */
  get launch(): never {
    return this.request();
  }

  get summary(): ConnectionSummary {
    const { name = '', transport = 'auto', at = '' } = this.#header ?? {};
    const start = this.#start;
    return {
      id: this.id,
      name: name || start?.name || this.#deps.file,
      transport: start?.transport ?? transport,
      title: start === undefined ? '' : 'url' in start ? start.url : [start.command, ...start.args].join(' '),
      state: this.#state === 'failed' ? 'failed' : 'closed',
      startedAt: at,
      ...(this.#open && { era: this.#open.era, version: this.#open.version }),
      ...(this.#serverName.name !== undefined && { serverName: this.#serverName.name }),
      recording: this.#facts,
    };
  }

  /** Reads no further: nobody wants it any more. */
  override async stopLooking(): Promise<void> {
    this.#stopped = true;
  }

  /** Puts a note on a frame of the file, and into the file, if that can be. Throws ConnectionError. */
  override async annotate(note: FrameNote): Promise<void> {
    if (!this.#facts.report) throw new ConnectionError(STILL_READ);
    const on = this.#reader.numbers.numberOf(note.on);
    if (on === undefined) throw new ConnectionError(NOT_IN_FILE);
    await super.annotate(note);
    if (!this.#deps.add) {
      this.#unsaved(NOT_WRITABLE);
      return;
    }
    try {
      const bytes = bytesOfEvent({ event: 'note', ...note, on });
      await this.#deps.add({ time: 0, channel: 'lifecycle', direction: 'to-client', flags: 0, bytes });
    } catch (error) {
      this.#unsaved(`${isFailure(error) ? error.message : error} They stay until it is closed.`);
    }
  }

  /** Tells why notes are not in the file. */
  #unsaved(why: string): void {
    this.#facts = { ...this.#facts, unsaved: why };
    this.#deps.onChanged(this);
  }

  protected grown(): void {
    this.#deps.onGrown(this);
  }

  async #read(bytes: AsyncIterable<Uint8Array>, begun: () => void): Promise<void> {
    const recorded = new RecordedFrames(this.#reader, () => this.log.bytes > LIMITS.recordingBytes);
    for await (const frames of recorded.portions(bytes)) {
      if (this.#stopped) return;
      if (!this.#take(frames)) continue;
      begun();
      this.#deps.onGrown(this);
    }
    await this.log.filled();
    this.#filled();
    this.#reported(recorded);
  }

  /** Rejects with UNSOUND if not even a beginning can be made. */
  async #readByIndex(file: RandomAccess, indexed: IndexedRecording, begun: () => void): Promise<void> {
    const filling = { log: this.log, file, stopped: () => this.#stopped, inflate: this.#deps.inflate };
    this.#headed(indexed.header);
    let isSound = await fillByIndex(filling, indexed, async (from) => {
      await this.#happenedFrom(from);
      begun();
      this.#deps.onGrown(this);
    });
    if (this.log.last === 0) throw UNSOUND;
    if (isSound && !this.#stopped) {
      this.#facts = { ...this.#facts, checking: true };
      this.#filled();
      const quietMs = this.#deps.indexCheckMs ?? LIMITS.indexCheckMs;
      const recorded = await checkIndex(filling, this.#reader, quietMs).catch(() => undefined);
      isSound = recorded !== undefined;
      if (recorded) this.#reported(recorded);
    }
    if (!isSound && !this.#stopped) this.#deps.onUnsound?.(this);
  }

  /** Looks at what happened to the connection in the frames from this one on. */
  async #happenedFrom(from: number): Promise<void> {
    for (let seq = from; seq <= this.log.last; ) {
      const segment = await this.log.segmentOf(seq);
      for (; seq < segment.first + segment.count; seq++) {
        const channel = segment.channel(seq - segment.first);
        if (channel === 'lifecycle') this.#happened(segment.frame(seq - segment.first).bytes);
        else if (this.#asksWho(channel)) this.#serverName.take(segment.frame(seq - segment.first));
      }
    }
  }

  /** All frames are in the log. */
  #filled(): void {
    if (this.#state !== 'closed' && this.#state !== 'failed') this.#cut();
    this.#deps.onGrown(this);
    this.#deps.onChanged(this);
  }

  /** It is known what the file turned out to be. */
  #reported({ report, failure }: RecordedFrames): void {
    const { checking: _, ...facts } = this.#facts;
    this.#facts = { ...facts, ...(report && { report }), ...(failure !== undefined && { failure }) };
    this.#deps.onChanged(this);
  }

  /** True if there was anything. */
  #take(frames: readonly ReadFrame[]): boolean {
    if (this.log.last === 0 && this.#reader.header) this.#headed(this.#reader.header);
    for (const frame of frames) {
      if (frame.channel === 'lifecycle') this.#happened(frame.bytes);
      else if (this.#asksWho(frame.channel)) this.#serverName.take(frame);
      this.log.take(frame);
    }
    return frames.length > 0;
  }

  #headed(header: HeaderFacts): void {
    this.#header = header;
    this.#facts = { ...this.#facts, ...factsIn(header) };
  }

  #happened(bytes: Uint8Array): void {
    const event = lifecycleEventOf(bytes);
    if (!event) return;
    this.#state = stateAfter(this.#state, event);
    if (event.event === 'start') this.#start ??= event;
    if (event.event === 'open') this.#open = event;
    if (event.event === 'about') this.#facts = { ...this.#facts, called: event.name };
    // While it is being opened nobody knows of it yet.
    if (this.log.last > 0) this.#deps.onChanged(this);
  }

  /** Until it has opened a server may say who it is. */
  #asksWho(channel: Channel): boolean {
    return channel === 'protocol' && this.#serverName.name === undefined && this.#open === undefined;
  }

  /** Nobody wrote an end, and the log needs one: what waits would wait for ever. */
  #cut(): void {
    appendEvent(this.log, { event: 'recording-ends' });
    this.#state = 'closed';
  }
}

function isLargeFile({ size }: RandomAccess, { wholeBytes = LIMITS.pageLogBytes }: RecordedDeps): boolean {
  return size > wholeBytes;
}

/** An index is written by who numbers the frames from 1 without a gap; what is not so comes out when the lines are read. */
const AS_WRITTEN = { numberOf: (seq: number) => seq };

/** Thrown where the first index of a file is none. */
const UNSOUND = new Error('its indexes are no indexes');
