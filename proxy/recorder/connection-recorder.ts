import { performance } from 'node:perf_hooks';
import { type FrameLog, framesFrom, type Segment } from '@/lib/hub/frame-log';
import type { Clock } from '@/lib/wire/clock';
import type { Frame } from '@/lib/wire/frame';
import type { Looked } from './first-look';
import type { RecordingAppender } from './recording-appender';
import type { RecordingFile } from './recording-file';

/** In a flood, the recorder rests this many times as long as it worked. */
export const RECORDER_REST = 40;
/** The longest rest, in milliseconds: what is not written yet is lost if the process is killed. */
export const RECORDER_REST_MS = 50;
/** The load of the process is measured this long at a time during a rest. */
export const RECORDER_LOOK_MS = 25;
/** Share of busy time below which a rest ends early, because nothing else needs the time. */
const RECORDER_QUIET_LOAD = 0.1;

/** From this many frames on, the end is worth a second thread, which takes about 50 ms to start. */
export const LONG_RECORDING_FRAMES = 100_000;
/** The backlog is reported in steps of so many frames. Fewer are written within a moment. */
export const BACKLOG_STEP = 10_000;
/** Segments in memory that are looked at before they are written, 512 KiB each. */
const SEGMENTS_AHEAD = 6;
/** One in so many segments gets no look on the other thread, which would otherwise be busy longer than this one. */
const OWN_SHARE = 4;

/** Starts a measurement. The returned function gives the share of time since then that the process was busy, 0 to 1. */
export type LoadSince = () => () => number;

/** Measures the event loop of this thread. */
const loopLoad: LoadSince = () => {
  const before = performance.eventLoopUtilization();
  return () => performance.eventLoopUtilization(before).utilization;
};

/**
 * Writes a connection's log to its recording as it grows. It reads the log by a cursor, as a viewer does. An
 * occasional message is written at once. In a flood the file falls behind, so that recording takes little time and no
 * memory.
 */
export class ConnectionRecorder {
  readonly #log: FrameLog;
  readonly #file: RecordingFile;
  readonly #clock: Clock;
  readonly #load: LoadSince;
  readonly #onFailed: (sentence: string) => void;
  #next = 1;
  #working: Promise<void> | undefined;
  /** Start of the current work, in ms of the clock. */
  #began = 0;
  /** End of the current rest, in ms of the clock. */
  #restUntil = 0;
  /** Last seq when the process was idle. There is no rest until more frames come. */
  #quietAt = 0;
  #ending = false;
  /** Ends a rest early, for `end`. */
  #wake: (() => void) | undefined;
  #ended: Promise<void> | undefined;
  #failed = false;
  #onBacklog: (frames: number) => void = () => {};
  #backlog = 0;
  /** Adds frames after the end. */
  readonly #appender: RecordingAppender;
  #adding: Promise<void> = Promise.resolve();

  /** Calls `onFailed` once, with a sentence, when recording fails. */
  constructor(
    log: FrameLog,
    file: RecordingFile,
    clock: Clock,
    onFailed: (sentence: string) => void,
    load: LoadSince = loopLoad,
  ) {
    this.#log = log;
    this.#file = file;
    this.#appender = file.appender();
    this.#clock = clock;
    this.#load = load;
    this.#onFailed = onFailed;
  }

  /** Path of the file. */
  get path(): string {
    return this.#file.path;
  }

  /** Number of frames that are not written yet. */
  get left(): number {
    return this.#failed ? 0 : this.#log.last + 1 - this.#next;
  }

  /** Calls back when the number of frames that are not written yet has changed, in steps of `BACKLOG_STEP`. */
  onBacklog(listener: (frames: number) => void): void {
    this.#onBacklog = listener;
  }

  #reportBacklog(): void {
    const backlog = this.left - (this.left % BACKLOG_STEP);
    if (backlog === this.#backlog) return;
    this.#backlog = backlog;
    this.#onBacklog(backlog);
  }

  /** Call this when the log has new frames. */
  onLogGrown(): void {
    if (this.#ended) this.#adding = this.#adding.then(() => this.#addRest());
    if (this.#working || this.#failed || this.#ending) return;
    const writing = this.#clock.now() >= this.#restUntil ? this.#writeSome() : this.#follow();
    this.#working = writing?.finally(() => {
      this.#working = undefined;
    });
  }

  /** Writes the rest and the end line. Further calls wait for the same end. Never rejects. */
  async end(): Promise<void> {
    this.#ended ??= this.#end();
    await this.#ended;
    await this.#adding;
  }

  /** Stops recording and deletes the file. */
  discard(): void {
    this.#failed = true;
    this.#ending = true;
    this.#file.discard();
  }

  /** Adds frames that came after the end, such as notes. */
  async #addRest(): Promise<void> {
    await this.#ended;
    try {
      while (!this.#failed && this.#next <= this.#log.last) {
        const frames = framesFrom(await this.#log.segmentOf(this.#next), this.#next);
        await this.#appender.appendFrames(frames);
        this.#next += frames.length;
      }
    } catch (error) {
      this.#fail((error as Error).message);
    }
  }

  async #end(): Promise<void> {
    this.#ending = true;
    this.#wake?.();
    await this.#working;
    if (this.left >= LONG_RECORDING_FRAMES) await this.#writeMany();
    while (!this.#failed && this.#next <= this.#log.last) await this.#writeNext();
    await this.#file.prepareEnd();
    this.#fail(this.#file.end());
  }

  /** Writes until the file has caught up. */
  async #follow(): Promise<void> {
    while (!this.#failed && !this.#ending && this.#next <= this.#log.last) {
      await this.#pause();
      if (!this.#ending) await this.#writeNext();
    }
  }

  /** Rests while the process is busy, as long as the last work earned. Otherwise only yields. */
  async #pause(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    while (!this.#ending && this.#log.last !== this.#quietAt) {
      const left = this.#restUntil - this.#clock.now();
      if (left <= 0) return;
      const load = this.#load();
      await this.#wait(Math.min(left, RECORDER_LOOK_MS));
      this.#reportBacklog();
      // A large message that is still arriving adds no frame for a while.
      if (load() < RECORDER_QUIET_LOAD) this.#quietAt = this.#log.last;
    }
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const callOff = this.#clock.after(ms, resolve);
      this.#wake = () => {
        callOff();
        resolve();
      };
    });
  }

  /** Writes a portion if it is in memory. Returns a promise if more is left. */
  #writeSome(): Promise<void> | undefined {
    const segment = this.#log.segmentOf(this.#next);
    if (segment instanceof Promise) return this.#follow();
    const writing = this.#write(framesFrom(segment, this.#next));
    if (writing) return writing.then(() => this.#follow());
    return this.#next > this.#log.last ? undefined : this.#follow();
  }

  async #writeNext(): Promise<void> {
    try {
      await this.#write(framesFrom(await this.#log.segmentOf(this.#next), this.#next));
    } catch (error) {
      this.#failRead(error);
    }
  }

  /** Writes the segments that are left. Another thread looks at most of the next ones meanwhile. */
  async #writeMany(): Promise<void> {
    const look = this.#file.startLook();
    const ahead: { readonly segment: Segment; readonly looked: Promise<Looked | undefined> | undefined }[] = [];
    let [seq, segments] = [this.#next, 0];
    try {
      while (!this.#failed) {
        while (ahead.length < SEGMENTS_AHEAD && seq <= this.#log.last) {
          const segment = await this.#log.segmentOf(seq);
          seq = segment.first + segment.count;
          ahead.push({ segment, looked: ++segments % OWN_SHARE === 0 ? undefined : look.at(segment) });
        }
        const oldest = ahead.shift();
        if (!oldest) return;
        await this.#writeSegment(oldest.segment, await oldest.looked);
      }
    } catch (error) {
      this.#failRead(error);
    } finally {
      look.stop();
    }
  }

  /** Writes the rest of a segment. `looked`: what the first look at its frames found, if there was one. */
  async #writeSegment(segment: Segment, looked: Looked | undefined): Promise<void> {
    while (!this.#failed && this.#next < segment.first + segment.count) {
      const frames = framesFrom(segment, this.#next);
      await this.#write(frames, looked?.subarray(this.#next - segment.first));
    }
  }

  /** Returns undefined if everything was written at once. */
  #write(frames: readonly Frame[], looked?: Looked): Promise<void> | undefined {
    this.#began = this.#clock.now();
    const pause = async (): Promise<void> => {
      this.#scheduleRest();
      await this.#pause();
      this.#began = this.#clock.now();
    };
    const rest = this.#file.addInTurns(frames, { pause, looked });
    if (rest) return rest.then(() => this.#written(frames.length));
    this.#written(frames.length);
    return undefined;
  }

  #written(frames: number): void {
    this.#next += frames;
    this.#scheduleRest();
    this.#fail(this.#file.failure);
    this.#reportBacklog();
  }

  /** Sets the rest after work. The maximum is for work that took long because the machine was busy. */
  #scheduleRest(): void {
    const now = this.#clock.now();
    this.#restUntil = now + Math.min((now - this.#began) * RECORDER_REST, RECORDER_REST_MS);
  }

  #failRead(error: unknown): void {
    this.#fail(`Frames that were moved to disk can’t be read back, so the recording ends here: ${error}.`);
  }

  #fail(failure: string | undefined): void {
    if (failure === undefined || this.#failed) return;
    this.#failed = true;
    this.#reportBacklog();
    this.#onFailed(failure);
  }
}
