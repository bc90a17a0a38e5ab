import { performance } from 'node:perf_hooks';
import { type FrameLog, framesFrom } from '@/lib/hub/frame-log';
import type { Clock } from '@/lib/wire/clock';
import type { Frame } from '@/lib/wire/frame';
import type { RecordingAppender } from './recording-appender';
import type { RecordingFile } from './recording-file';

export const RECORDER_REST = 40;
/** No rest is longer. The process is looked at for so long at a time: if it is busy for less than this share of it, nobody needs the rest. */
export const RECORDER_REST_MS = 500;
export const RECORDER_LOOK_MS = 100;
const RECORDER_QUIET_LOAD = 0.1;

/** Begins to measure; what it returns says which share of the time since then, 0 to 1, this process had something to do. */
export type LoadSince = () => () => number;

/** That of this thread's event loop. */
const loopLoad: LoadSince = () => {
  const before = performance.eventLoopUtilization();
  return () => performance.eventLoopUtilization(before).utilization;
};

/**
 * Writes a connection's log to its recording as it grows. It reads the log as a viewer does, by a cursor: what is said now and
 * then is in the file before anything else happens, and in a flood the file follows behind, so that recording costs the
 * connection a small share of the time and never memory.
 */
export class ConnectionRecorder {
  readonly #log: FrameLog;
  readonly #file: RecordingFile;
  readonly #clock: Clock;
  readonly #load: LoadSince;
  readonly #onFailed: (sentence: string) => void;
  #next = 1;
  #working: Promise<void> | undefined;
  /** When it went to work. */
  #began = 0;
  /** Until then the time belongs to others. */
  #restUntil = 0;
  /** How far the log was when they did not need it: until more comes, there is no rest. */
  #quietAt = 0;
  #ending = false;
  /** Ends a rest: whoever waits for the end of the file waits for nothing else. */
  #wake: (() => void) | undefined;
  #ended: Promise<void> | undefined;
  #failed = false;
  /** Once it has ended. */
  readonly #appender: RecordingAppender;
  #adding: Promise<void> = Promise.resolve();

  /** `onFailed` is called once, with a sentence, if no more can be written. */
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

  /** Of the file. */
  get path(): string {
    return this.#file.path;
  }

  /** The log has new frames. */
  onLogGrown(): void {
    if (this.#ended) this.#adding = this.#adding.then(() => this.#addRest());
    if (this.#working || this.#failed || this.#ending) return;
    const writing = this.#clock.now() >= this.#restUntil ? this.#writeSome() : this.#follow();
    this.#working = writing?.finally(() => {
      this.#working = undefined;
    });
  }

  /** Writes what is left and the last line. Whoever asks waits for the same end; never rejects. */
  async end(): Promise<void> {
    this.#ended ??= this.#end();
    await this.#ended;
    await this.#adding;
  }

  /** What is said of a connection after its end. */
  async #addRest(): Promise<void> {
    await this.#ended;
    try {
      while (!this.#failed && this.#next <= this.#log.last) {
        const frames = framesFrom(await this.#log.segmentOf(this.#next), this.#next);
        await this.#appender.appendFrames(frames);
        this.#next += frames.length;
      }
    } catch (error) {
      this.#tell((error as Error).message);
    }
  }

  async #end(): Promise<void> {
    this.#ending = true;
    this.#wake?.();
    await this.#working;
    while (!this.#failed && this.#next <= this.#log.last) await this.#writeNext();
    this.#tell(this.#file.end());
  }

  /** Until the file has caught up. */
  async #follow(): Promise<void> {
    while (!this.#failed && !this.#ending && this.#next <= this.#log.last) {
      await this.#pause();
      if (!this.#ending) await this.#writeNext();
    }
  }

  /** While others are busy, for as long as the last turn has earned; else until they had a turn. */
  async #pause(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    while (!this.#ending && this.#log.last !== this.#quietAt) {
      const left = this.#restUntil - this.#clock.now();
      if (left <= 0) return;
      const load = this.#load();
      await this.#wait(Math.min(left, RECORDER_LOOK_MS));
      // Between large messages, whose parts are no frames, nothing need come for a while.
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

  /** Writes a portion if it is in memory. undefined if nothing is left then, else until the file has caught up. */
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
      this.#tell(`What was moved to disk can not be read back, so the recording ends here: ${error}.`);
    }
  }

  /** undefined if it took so little time that it is done. */
  #write(frames: readonly Frame[]): Promise<void> | undefined {
    this.#began = this.#clock.now();
    const rest = this.#file.addInTurns(frames, async () => {
      this.#earn();
      await this.#pause();
      this.#began = this.#clock.now();
    });
    if (rest) return rest.then(() => this.#written(frames.length));
    this.#written(frames.length);
    return undefined;
  }

  #written(frames: number): void {
    this.#next += frames;
    this.#earn();
    this.#tell(this.#file.failure);
  }

  /** Whoever worked rests, so much longer; but not for long, even where the machine was busy with something else meanwhile. */
  #earn(): void {
    const now = this.#clock.now();
    this.#restUntil = now + Math.min((now - this.#began) * RECORDER_REST, RECORDER_REST_MS);
  }

  #tell(failure: string | undefined): void {
    if (failure === undefined || this.#failed) return;
    this.#failed = true;
    this.#onFailed(failure);
  }
}
