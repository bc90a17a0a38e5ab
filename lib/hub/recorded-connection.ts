import { RecordedFrames } from '@/lib/har/recorded-frames';
import { isHar, recordingBytes } from '@/lib/har/recording-bytes';
import type { FrameToRecord } from '@/lib/recording/encode-line';
import { RECORDING_VERSION } from '@/lib/recording/format';
import { lifecycleEventOf } from '@/lib/recording/lifecycle-event';
import { isGzip } from '@/lib/recording/plain-bytes';
import { bytesFrom, type RandomAccess } from '@/lib/recording/random-access';
import type { HeaderFacts } from '@/lib/recording/read-header';
import { type ReadFrame, RecordingReader } from '@/lib/recording/recording-reader';
import { ConnectionError } from '@/lib/transports/transport';
import type { ConnectionSummary } from '@/lib/wire/command';
import { type ConnectionState, type FrameNote, isFailure, type LifecycleEvent, stateAfter } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import type { RecordingFacts } from '@/lib/wire/recording-facts';
import { appendEvent } from './append-event';
import { EndedConnection } from './ended-connection';
import { FrameLog, type FrameLogOptions } from './frame-log';
import { SkimmedLog } from './skimmed-log';

/** What a recording needs from where it is opened. */
export interface RecordedDeps {
  /** Name of the file, for people. */
  readonly file: string;
  readonly openSpill?: FrameLogOptions['openSpill'];
  /** The same bytes, of which any part can be read later. Absent: they come once. */
  readonly parts?: () => Promise<RandomAccess>;
  /** How many bytes there are at most of a file that is held whole. Absent: `LIMITS.pageLogBytes`. */
  readonly wholeBytes?: number;
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
  readonly log: FrameLog | SkimmedLog;
  protected readonly refusal = {
    code: 'is-recording',
    message: 'This is a recording: there is no server that anything could be sent to.',
    advice: 'Connect to the server to go on with it.',
  };
  readonly #deps: RecordedDeps;
  readonly #reader: RecordingReader;
  #state: ConnectionState = 'starting';
  #start: Extract<LifecycleEvent, { event: 'start' }> | undefined;
  #open: Extract<LifecycleEvent, { event: 'open' }> | undefined;
  #facts: RecordingFacts;
  #stopped = false;

  /** `file`: it is so large that it is read anew where more than skims is wanted. */
  private constructor(id: string, deps: RecordedDeps, file: RandomAccess | undefined) {
    super();
    this.id = id;
    this.#deps = deps;
    this.#reader = deps.reader ?? new RecordingReader();
    this.#facts = { file: deps.file, by: '' };
    const { openSpill } = deps;
    const reader = this.#reader;
    this.log = file ? new SkimmedLog({ file, reader }, { openSpill }) : new FrameLog({ openSpill });
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
    const file = await largeFile(deps);
    const connection = new RecordedConnection(id, deps, file);
    if (file) await source.cancel();
    try {
      await new Promise<void>((resolve, reject) => {
        connection.#read(file ? bytesFrom(file, 0) : recordingBytes(source), resolve).catch(reject);
      });
    } catch (error) {
      await connection.log.close();
      throw error;
    }
    return connection;
  }

  /** Nothing can be started again: this says so, as a ConnectionError. */
  get launch(): never {
    return this.request();
  }

  get summary(): ConnectionSummary {
    const { name = '', transport = 'auto', at = '' } = this.#reader.header ?? {};
    const start = this.#start;
    return {
      id: this.id,
      name: name || start?.name || this.#deps.file,
      transport: start?.transport ?? transport,
      title: start === undefined ? '' : 'url' in start ? start.url : [start.command, ...start.args].join(' '),
      state: this.#state === 'failed' ? 'failed' : 'closed',
      startedAt: at,
      ...(this.#open && { era: this.#open.era, version: this.#open.version }),
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
      const bytes = eventBytes({ event: 'note', ...note, on });
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
    const recorded = new RecordedFrames(this.#reader);
    for await (const frames of recorded.portions(bytes)) {
      if (this.#stopped) return;
      if (!this.#take(frames)) continue;
      begun();
      this.#deps.onGrown(this);
    }
    const { report, failure } = recorded;
    if (this.#state !== 'closed' && this.#state !== 'failed') this.#cut();
    this.#facts = { ...this.#facts, ...(report && { report }), ...(failure !== undefined && { failure }) };
    this.#deps.onGrown(this);
    this.#deps.onChanged(this);
  }

  /** True if there was anything. */
  #take(frames: readonly ReadFrame[]): boolean {
    if (this.log.last === 0 && this.#reader.header) this.#headed(this.#reader.header);
    for (const frame of frames) {
      const { channel, direction, flags, time, bytes } = frame;
      if (channel === 'lifecycle') this.#happened(bytes);
      if (this.log instanceof SkimmedLog) this.log.take(frame);
      else this.log.append(channel, direction, flags, time, bytes, 0, bytes.length);
    }
    return frames.length > 0;
  }

  #headed({ by, mode, version, selection, lacks, policy }: HeaderFacts): void {
    this.#facts = {
      ...this.#facts,
      by,
      policy,
      ...(mode === 'import' && { imported: true }),
      ...(selection && { selection }),
      ...(lacks && { lacks }),
      ...(version > RECORDING_VERSION && { newer: version }),
    };
  }

  #happened(bytes: Uint8Array): void {
    const event = lifecycleEventOf(bytes);
    if (!event) return;
    this.#state = stateAfter(this.#state, event);
    if (event.event === 'start') this.#start ??= event;
    if (event.event === 'open') this.#open = event;
    // While it is being opened nobody knows of it yet.
    if (this.log.last > 0) this.#deps.onChanged(this);
  }

  /** Nobody wrote an end, and the log needs one: what waits would wait for ever. */
  #cut(): void {
    appendEvent(this.log, { event: 'recording-ends' });
    this.#state = 'closed';
  }
}

/** The file, if it is plain and larger than what is held whole. */
async function largeFile({ parts, wholeBytes = LIMITS.pageLogBytes }: RecordedDeps): Promise<RandomAccess | undefined> {
  const file = await parts?.();
  if (!file) return undefined;
  if (file.size > wholeBytes && file.size <= LIMITS.recordingBytes) {
    const beginning = await file.read(0, Math.min(file.size, BEGINNING_BYTES));
    if (!isGzip(beginning) && !isHar(beginning)) return file;
  }
  await file.close();
  return undefined;
}

/** Of a file, to tell what it is. */
const BEGINNING_BYTES = 512;

function eventBytes(event: LifecycleEvent): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(event));
}

const NOT_WRITABLE =
  'A page can not write to a file that it was given. They stay until it is closed: to have them in a file, import it in Recordings, and open it there.';

const STILL_READ = {
  code: 'still-read',
  message: 'The recording is still being read.',
  advice: 'Add the note when it is here.',
};

const NOT_IN_FILE = {
  code: 'no-frame',
  message: 'This row is not in the recording’s file, so no note can be on it.',
  advice: 'Put it on the row before.',
};
