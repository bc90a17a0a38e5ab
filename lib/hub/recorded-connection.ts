import type { RuleOwner } from '@/lib/mcp/message-interceptor';
import type { FrameToRecord } from '@/lib/recording/encode-lines';
import { RecordingError } from '@/lib/recording/errors';
import { findIndexes, type IndexedRecording, type Inflate } from '@/lib/recording/large/indexes';
import { type RandomAccess, readFrom } from '@/lib/recording/large/random-access';
import { encodeEvent, lifecycleEventOf } from '@/lib/recording/lifecycle-event';
import { OPENING_CANCELLED } from '@/lib/recording/opening-cancelled';
import type { HeaderFacts } from '@/lib/recording/read-header';
import { type ConvertElsewhere, isHar, recordingBytes } from '@/lib/recording/recording-bytes';
import { type ReadFrame, RecordingReader } from '@/lib/recording/recording-reader';
import { TolerantReader } from '@/lib/recording/tolerant-reader';
import { ConnectionError } from '@/lib/transports/transport';
import type { ConnectionSummary, RunInfo } from '@/lib/wire/command';
import type { Channel } from '@/lib/wire/frame';
import { isGzip } from '@/lib/wire/gzip';
import { nextTask } from '@/lib/wire/in-slices';
import type { HoldDecision, InterceptRule } from '@/lib/wire/intercept';
import {
  type ConnectionState,
  type Failure,
  type FrameNote,
  isFailure,
  type LifecycleEvent,
  stateAfter,
} from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import type { ReadingProgress, RecordingFacts, TapFacts } from '@/lib/wire/recording-facts';
import { EndedConnection } from './ended-connection';
import { appendEvent, type FrameLogOptions } from './frame-log';
import { ServerName } from './server-name';
import { checkIndex, fillByIndex, SkimmedLog } from './skimmed-log';

/** Rules of interception in another process. Each method rejects with a ConnectionError. */
export type RemoteRules = Pick<
  EndedConnection<never>,
  'setRules' | 'setOverlay' | 'removeRules' | 'readHeld' | 'decide'
>;

/** The host's services for a recording. */
export interface RecordedDeps {
  /** The file's name, for people. */
  readonly file: string;
  readonly openSpill?: FrameLogOptions['openSpill'];
  /** Bytes of the file. Absent: unknown. */
  readonly length?: number;
  /** Closes the recording while it is being opened. `open` then rejects with `cancelled`. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the progress until the recording is open. From then on the summary has it. */
  onOpening?(progress: ReadingProgress): void;
  /** Opens the same bytes for random access. Absent: they can be read only once. */
  readonly parts?: () => Promise<RandomAccess>;
  /** Unpacks indexes. Absent: `DecompressionStream` does. */
  readonly inflate?: Inflate;
  /** Converts an HTTP Archive elsewhere. Absent: it is converted here. */
  readonly convertArchive?: ConvertElsewhere;
  /** True if the file's index was found wrong and must not be used. */
  readonly indexIgnored?: true;
  /** Called if the file's index is wrong. The log is then useless, and the file has to be opened without its index. */
  onUnsound?(connection: RecordedConnection): void;
  /** Bytes of the largest file whose log is held whole. Absent: `LIMITS.pageLogBytes`. */
  readonly wholeBytes?: number;
  /** The host that the file was fetched from. */
  readonly from?: string;
  /**
   * True if reading the whole file takes too long. A file above `wholeBytes` is then opened by its index or not at all,
   * and only the lines that are shown are compared with the index.
   */
  readonly inParts?: true;
  /**
   * Resolves when this many bytes of index may be read. Calls `onWaiting` first if a person has to allow that. Absent:
   * all may be read.
   */
  mayRead?(bytes: number, onWaiting: () => void): Promise<void>;
  /** Quiet time before an index is checked, in ms. Absent: `LIMITS.indexCheckMs`. */
  readonly indexCheckMs?: number;
  /** Most bytes of messages with blobs in the log of a small file. Absent: 32 MiB. */
  readonly expandedBytes?: number;
  /** Absent: a reader that does not check the digest in the end line. */
  readonly reader?: RecordingReader;
  /** Set if a tap is still writing the recording. The source ends when the tap does. */
  readonly tap?: TapFacts;
  /** Returns true while that tap runs, whether or not it records. */
  tapRuns?(): boolean;
  /** The rules of pages in that tap. */
  readonly rules?: RemoteRules;
  /** Set if this is another file of the same tapped session. */
  readonly laterRun?: RunInfo;
  /** Adds a frame to the file. Rejects with a Failure. Absent where files can't be written. */
  add?(frame: FrameToRecord): Promise<void>;
  /** Called when the log has new frames. */
  onGrown(connection: RecordedConnection): void;
  /** Called when the summary has changed. */
  onChanged(connection: RecordedConnection): void;
}

/** How long a file is read before others may run, in ms. */
const READING_MS = 16;
/** Milliseconds between two reports of the progress. The page renders again for each. */
const PROGRESS_MS = 250;

/** A recording that was opened: a log filled from a file, without a server. */
export class RecordedConnection extends EndedConnection<never> {
  readonly id: string;
  readonly log: SkimmedLog;
  readonly #deps: RecordedDeps;
  readonly #reader: RecordingReader;
  #header: HeaderFacts | undefined;
  #state: ConnectionState = 'starting';
  #start: Extract<LifecycleEvent, { event: 'start' }> | undefined;
  #open: Extract<LifecycleEvent, { event: 'open' }> | undefined;
  readonly #serverName = new ServerName();
  #facts: RecordingFacts;
  /** Number of indexes that may be read so far. */
  #indexesAllowed = 0;
  #stopped = false;
  #begun = false;
  /** Time of the last report, in ms of `performance.now()`. */
  #progressAt = 0;

  /** `file` is read again for messages that the log holds only as skims. */
  private constructor(id: string, deps: RecordedDeps, file?: RandomAccess, indexed?: IndexedRecording) {
    super();
    this.id = id;
    this.#deps = deps;
    this.#reader = deps.reader ?? new RecordingReader();
    const { tap, indexIgnored, from } = deps;
    this.#facts = {
      file: deps.file,
      by: '',
      ...(from !== undefined && { from }),
      ...(tap && { tap }),
      ...(indexIgnored && { indexIgnored: true }),
    };
    this.#header = indexed?.header;
    if (indexed && deps.inParts)
      this.#facts = { ...this.#facts, inParts: true, reading: { done: 0, of: deps.length ?? 0 } };
    const { openSpill } = deps;
    const reader = indexed ? { header: indexed.header, numbers: NUMBERED_FROM_1 } : this.#reader;
    const isLarge = file !== undefined && isLargeFile(file, deps);
    this.log = new SkimmedLog(
      { reader, isLarge, expandedBytes: deps.expandedBytes, ...(file && { file }) },
      { openSpill },
    );
  }

  /**
   * Resolves once the log has its first frame; the rest follows. Rejects with a RecordingError if the file is not a
   * recording, with the system's error if it can't be read at all, and with a ConnectionError `cancelled`.
   */
  static async open(
    id: string,
    source: ReadableStream<Uint8Array<ArrayBuffer>>,
    deps: RecordedDeps,
  ): Promise<RecordedConnection> {
    // Until the recording is open, opening fails as the read does.
    let onPart = (_failure: string | undefined): void => {};
    const plain = await plainFile(deps.parts);
    const file = plain && deps.inParts ? reportingReads(plain, (failure) => onPart(failure)) : plain;
    const indexed = file && isLargeFile(file, deps) && !deps.indexIgnored ? await findIndexes(file) : undefined;
    if (deps.inParts && !indexed && !(file && !isLargeFile(file, deps))) {
      await Promise.all([file?.close(), source.cancel()]);
      throw NO_INDEX;
    }
    const connection = new RecordedConnection(id, deps, file, indexed);
    onPart = (failure) => connection.#onPart(failure);
    if (file) await source.cancel();
    try {
      await new Promise<void>((resolve, reject) => {
        const cancel = (): void => {
          if (connection.#begun) return;
          connection.#stopped = true;
          reject(new ConnectionError(OPENING_CANCELLED));
        };
        if (deps.signal?.aborted) cancel();
        deps.signal?.addEventListener('abort', cancel);
        const begin = (): void => {
          connection.#begun = true;
          resolve();
        };
        const reading = indexed
          ? connection.#readByIndex(file!, indexed, begin)
          : connection.#readAll(connection.#bytesOf(file, source), begin);
        reading.catch(reject);
      });
    } catch (error) {
      await connection.log.close();
      if (error !== UNSOUND_INDEX) throw error;
      if (deps.inParts) throw WRONG_INDEX;
      return RecordedConnection.open(id, source, { ...deps, indexIgnored: true });
    }
    return connection;
  }

  get refusal(): Failure {
    return this.#facts.tap?.live
      ? TAPPED
      : recordingRefusal('so there is no server to send anything to', 'Connect to the server first.');
  }

  override async setRules(owner: RuleOwner, rules: readonly InterceptRule[]): Promise<void> {
    await this.#rules.setRules(owner, rules);
  }

  override async setOverlay(owner: RuleOwner, overlay: string): Promise<void> {
    await this.#rules.setOverlay(owner, overlay);
  }

  override removeRules(isGone: (owner: RuleOwner) => boolean): void {
    this.#deps.rules?.removeRules(isGone);
  }

  override async readHeld(hold: number): Promise<Uint8Array> {
    return this.#rules.readHeld(hold);
  }

  override async decide(hold: number, decision: HoldDecision): Promise<void> {
    await this.#rules.decide(hold, decision);
  }

  get #rules(): RemoteRules {
    if (this.#deps.rules && this.#facts.tap?.live) return this.#deps.rules;
    throw new ConnectionError(NOTHING_PASSES);
  }

  get launch(): never {
    throw new ConnectionError(this.refusal);
  }

  get summary(): ConnectionSummary {
    const { name = '', transport = 'auto', at = '', as } = this.#header ?? {};
    const start = this.#start;
    return {
      id: this.id,
      name: name || start?.name || this.#deps.file,
      transport: start?.transport ?? transport,
      ...(as !== undefined && { as }),
      title: start === undefined ? '' : 'url' in start ? start.url : [start.command, ...start.args].join(' '),
      ...this.#deps.laterRun,
      state: this.#facts.tap || this.#state === 'failed' ? this.#state : 'closed',
      startedAt: at,
      ...(this.#open && { era: this.#open.era, version: this.#open.version }),
      ...(this.#serverName.name !== undefined && { serverName: this.#serverName.name }),
      recording: this.#facts,
    };
  }

  override async stopBackgroundWork(): Promise<void> {
    this.#stopped = true;
  }

  /** Adds a note on a frame to the log, and to the file if possible. Throws ConnectionError. */
  override async annotate(note: FrameNote): Promise<void> {
    const { report, inParts, reading, tap } = this.#facts;
    if (!report && !(inParts && !reading)) throw new ConnectionError(tap ? STILL_TAPPED : STILL_READ);
    const on = inParts ? note.on : this.#reader.numbers.numberOf(note.on);
    if (on === undefined) throw new ConnectionError(NOT_IN_FILE);
    await super.annotate(note);
    if (!this.#deps.add) {
      this.#setUnsaved(NOT_WRITABLE);
      return;
    }
    try {
      const bytes = encodeEvent({ event: 'note', ...note, on });
      await this.#deps.add({ time: 0, channel: 'lifecycle', direction: 'to-client', flags: 0, bytes });
    } catch (error) {
      this.#setUnsaved(`${isFailure(error) ? error.message : error} Notes are lost when you close the recording.`);
    }
  }

  /** Sets the reason why notes are not in the file. */
  #setUnsaved(why: string): void {
    this.#facts = { ...this.#facts, unsaved: why };
    this.#deps.onChanged(this);
  }

  protected logGrew(): void {
    this.#deps.onGrown(this);
  }

  /** Returns the bytes of the recording, and reports how far they are read. */
  async *#bytesOf(file: RandomAccess | undefined, source: ReadableStream<Uint8Array<ArrayBuffer>>) {
    const { signal, convertArchive } = this.#deps;
    const onRead = (bytes: number) => this.#reportProgress(bytes);
    if (!file) return yield* recordingBytes(source, { signal, convertArchive, onRead });
    let read = 0;
    for await (const chunk of readFrom(file, 0)) {
      read += chunk.length;
      this.#reportProgress(read);
      yield chunk;
    }
  }

  #reportProgress(done: number): void {
    const { length: of = 0, onOpening } = this.#deps;
    const now = performance.now();
    if (of === 0 || this.#facts.waiting || now - this.#progressAt < PROGRESS_MS) return;
    this.#progressAt = now;
    this.#facts = { ...this.#facts, reading: { done: Math.min(done, of), of } };
    if (this.#begun) this.#deps.onChanged(this);
    else onOpening?.({ done, of });
  }

  async #readAll(bytes: AsyncIterable<Uint8Array>, begun: () => void): Promise<void> {
    const recorded = new TolerantReader(this.#reader, () => this.log.bytes > LIMITS.recordingBytes);
    let restedAt = performance.now();
    for await (const frames of recorded.portions(bytes)) {
      // Chunks that are there already come without a pause, so commands, such as to close this recording, would wait.
      if (performance.now() - restedAt > READING_MS) {
        await nextTask();
        restedAt = performance.now();
      }
      if (this.#stopped) return;
      if (!this.#addFrames(frames)) continue;
      begun();
      this.#deps.onGrown(this);
    }
    await this.log.closeFileIfComplete();
    this.#onFilled();
    this.#onRead(recorded);
  }

  /** Rejects with UNSOUND_INDEX if the index yields no frame at all. */
  async #readByIndex(file: RandomAccess, indexed: IndexedRecording, begun: () => void): Promise<void> {
    const mayRead = this.#deps.mayRead && ((bytes: number) => this.#mayRead(indexed, bytes));
    const filling = { log: this.log, file, stopped: () => this.#stopped, inflate: this.#deps.inflate, mayRead };
    this.#setHeader(indexed.header);
    let unread: unknown;
    let isSound = await fillByIndex(filling, indexed, async (from) => {
      await this.#applyEventsFrom(from);
      this.#reportProgress(this.log.lastOffset);
      begun();
      this.#deps.onGrown(this);
    }).catch((error: unknown) => {
      unread = error;
      return false;
    });
    if (this.log.last === 0) throw unread ?? UNSOUND_INDEX;
    if (this.#deps.inParts) {
      const { message } = isFailure(unread) ? unread : WRONG_INDEX;
      if (!isSound) this.#facts = { ...this.#facts, failure: message };
      if (!this.#stopped) this.#onFilled();
      return;
    }
    if (unread !== undefined) throw unread;
    if (isSound && !this.#stopped) {
      this.#facts = { ...this.#facts, checking: true };
      this.#onFilled();
      const quietMs = this.#deps.indexCheckMs ?? LIMITS.indexCheckMs;
      const recorded = await checkIndex(filling, this.#reader, quietMs).catch(() => undefined);
      isSound = recorded !== undefined;
      if (recorded) this.#onRead(recorded);
    }
    if (!isSound && !this.#stopped) this.#deps.onUnsound?.(this);
  }

  /** Waits until bytes of the index may be read, and says so meanwhile. */
  async #mayRead({ frames, places }: IndexedRecording, bytes: number): Promise<void> {
    await this.#deps.mayRead?.(bytes, () => {
      const left = places.slice(this.#indexesAllowed).reduce((sum, [, length]) => sum + length, 0);
      const { reading: _, ...facts } = this.#facts;
      this.#facts = { ...facts, waiting: { frames, bytes: left } };
      this.#deps.onChanged(this);
    });
    this.#indexesAllowed++;
    const { waiting, ...facts } = this.#facts;
    if (!waiting) return;
    this.#facts = facts;
    this.#deps.onChanged(this);
  }

  /** Updates the summary from the log's frames from `from` on. */
  async #applyEventsFrom(from: number): Promise<void> {
    for (let seq = from; seq <= this.log.last; ) {
      const segment = await this.log.segmentOf(seq);
      for (; seq < segment.first + segment.count; seq++) {
        const channel = segment.channel(seq - segment.first);
        if (channel === 'lifecycle') this.#applyEvent(segment.frame(seq - segment.first).bytes);
        else if (this.#mayNameServer(channel)) this.#serverName.readMessage(segment.frame(seq - segment.first));
      }
    }
  }

  /** Called when a part of the file was read, or why it was not. */
  #onPart(failure: string | undefined): void {
    if (failure === this.#facts.unfetched || this.#stopped || this.#facts.reading) return;
    const { unfetched: _, ...facts } = this.#facts;
    this.#facts = { ...facts, ...(failure !== undefined && { unfetched: failure }) };
    this.#deps.onChanged(this);
  }

  /** Called when all frames are in the log. */
  #onFilled(): void {
    const { reading: _, ...facts } = this.#facts;
    this.#facts = facts;
    if (this.#state !== 'closed' && this.#state !== 'failed') {
      // Without an end, open requests would wait forever.
      appendEvent(this.log, { event: 'recording-ends' });
      this.#state = 'closed';
    }
    this.#deps.onGrown(this);
    this.#deps.onChanged(this);
  }

  /** Called when the whole file was read. */
  #onRead({ report, failure }: TolerantReader): void {
    const { checking: _, tap, ...facts } = this.#facts;
    const isUnrecorded = report && !report.ended && this.#deps.tapRuns?.();
    const ended = tap && { tap: { ...tap, live: undefined, ...(isUnrecorded && { unrecorded: true as const }) } };
    this.#facts = { ...facts, ...ended, ...(report && { report }), ...(failure !== undefined && { failure }) };
    this.#deps.onChanged(this);
  }

  /** Adds frames to the log. Returns false if there were none. */
  #addFrames(frames: readonly ReadFrame[]): boolean {
    if (this.log.last === 0 && this.#reader.header) this.#setHeader(this.#reader.header);
    for (const frame of frames) {
      if (frame.channel === 'lifecycle') this.#applyEvent(frame.bytes);
      else if (this.#mayNameServer(frame.channel)) this.#serverName.readMessage(frame);
      this.log.addFrame(frame);
    }
    return frames.length > 0;
  }

  #setHeader(header: HeaderFacts): void {
    this.#header = header;
    this.#facts = { ...this.#facts, ...factsIn(header) };
  }

  #applyEvent(bytes: Uint8Array): void {
    const event = lifecycleEventOf(bytes);
    if (!event) return;
    this.#state = stateAfter(this.#state, event);
    if (event.event === 'start') this.#start ??= event;
    if (event.event === 'open') this.#open = event;
    if (event.event === 'about') this.#facts = { ...this.#facts, called: event.name };
    // The host does not know the connection before its first frame.
    if (this.log.last > 0) this.#deps.onChanged(this);
  }

  /** Returns true while a message may name the server: servers name themselves before the connection opens. */
  #mayNameServer(channel: Channel | undefined): boolean {
    return channel === 'protocol' && this.#serverName.name === undefined && this.#open === undefined;
  }
}

function isLargeFile({ size }: RandomAccess, { wholeBytes = LIMITS.pageLogBytes }: RecordedDeps): boolean {
  return size > wholeBytes;
}

/** Recordings with an index number their frames from 1 without gaps. The check of the index finds any that do not. */
const NUMBERED_FROM_1 = { numberOf: (seq: number) => seq };

/** Thrown if the first index of a file is invalid. */
const UNSOUND_INDEX = new Error('The index of the recording is invalid.');

/** Bytes at the start of a file that identify its kind. */
const BEGINNING_BYTES = 512;

/** Opens a file for random access if it may be a plain recording. Rejects as `parts` does. */
async function plainFile(parts: (() => Promise<RandomAccess>) | undefined): Promise<RandomAccess | undefined> {
  const file = await parts?.();
  if (!file) return undefined;
  if (file.size <= LIMITS.recordingBytes) {
    const beginning = await file.read(0, Math.min(file.size, BEGINNING_BYTES));
    if (!isGzip(beginning) && !isHar(beginning)) return file;
  }
  await file.close();
  return undefined;
}

/** Returns a file that also reports whether each read succeeded: undefined, or a sentence that says why not. */
function reportingReads(file: RandomAccess, report: (failure: string | undefined) => void): RandomAccess {
  return {
    size: file.size,
    close: () => file.close(),
    read: async (from, to) => {
      try {
        const bytes = await file.read(from, to);
        report(undefined);
        return bytes;
      } catch (error) {
        report(isFailure(error) ? `${error.message} ${error.advice}` : String(error));
        throw error;
      }
    },
  };
}

/** Returns the facts of a recording's first line that people see. */
function factsIn(header: HeaderFacts): Pick<RecordingFacts, 'by'> & Partial<RecordingFacts> {
  const { id, by, mode, selection, lacks, policy } = header;
  return {
    ...(id !== '' && { id }),
    by,
    policy,
    ...(mode === 'import' && { imported: true }),
    ...(selection && { selection }),
    ...(lacks && { lacks }),
  };
}

/** Returns the failure for an action that recordings don't allow. `why` ends the sentence “This is a recording, …”. */
export function recordingRefusal(why: string, advice: string): Failure {
  return { code: 'is-recording', message: `This is a recording, ${why}.`, advice };
}

const NOT_WRITABLE =
  'mcp-inspect cannot write to this file, so notes are lost when you close the recording. Share saves a file with them.';

const NO_INDEX = new RecordingError(
  'recording-without-index',
  'This recording has no index, or is compressed, so all of it would have to be fetched.',
  'Download the file and drop it here. `mcp-inspect share FILE --out` makes a copy with an index.',
);

const WRONG_INDEX = new RecordingError(
  'recording-index-wrong',
  'The recording’s index does not match its lines, so the rest was not read.',
  'Download the file and drop it here: then it is read line by line.',
);

const TAPPED = {
  code: 'is-tapped',
  message: 'Another client drives this session, so nothing can be sent from here.',
  advice: 'Connect to the server yourself to send messages.',
};

const NOTHING_PASSES = {
  code: 'no-interception',
  message: 'No messages pass here that could be held or changed.',
  advice: 'Connect to the server, or tap it.',
};

const STILL_TAPPED = {
  code: 'still-tapped',
  message: 'The session is still being recorded by its tap.',
  advice: 'Add the note once the session has ended.',
};

const STILL_READ = {
  code: 'still-read',
  message: 'The recording is still being read.',
  advice: 'Add the note once it is complete.',
};

const NOT_IN_FILE = {
  code: 'no-frame',
  message: 'This row is not in the recording’s file, so it cannot have a note.',
  advice: 'Put the note on the row before.',
};
