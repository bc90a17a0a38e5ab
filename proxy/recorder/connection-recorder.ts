import type { FrameLog } from '@/lib/hub/frame-log';
import { framesFrom } from '@/lib/hub/frames-from';
import { isLarge } from '@/lib/redact/capture-redactor';
import type { Clock } from '@/lib/wire/clock';
import { LIMITS } from '@/lib/wire/limits';
import type { RecordingAppender } from './recording-appender';
import type { RecordingFile } from './recording-file';

/**
 * Writes a connection's log to its recording as it grows. It reads the log as a viewer does, by a cursor: what is said now and
 * then is in the file before anything else happens, and in a flood the file follows behind, so that recording costs the
 * connection a small share of the time and never memory.
 */
export class ConnectionRecorder {
  readonly #log: FrameLog;
  readonly #file: RecordingFile;
  readonly #clock: Clock;
  readonly #onFailed: (sentence: string) => void;
  #next = 1;
  #working: Promise<void> | undefined;
  /** Until then the time belongs to others. */
  #restUntil = 0;
  #ending = false;
  /** Ends a rest: whoever waits for the end of the file waits for nothing else. */
  #wake: (() => void) | undefined;
  #ended: Promise<void> | undefined;
  #failed = false;
  /** Once it has ended. */
  readonly #appender: RecordingAppender;
  #adding: Promise<void> = Promise.resolve();

  /** `onFailed` is called once, with a sentence, if no more can be written. */
  constructor(log: FrameLog, file: RecordingFile, clock: Clock, onFailed: (sentence: string) => void) {
    this.#log = log;
    this.#file = file;
    this.#appender = file.appender();
    this.#clock = clock;
    this.#onFailed = onFailed;
  }

  /** The log has new frames. */
  grown(): void {
    if (this.#ended) this.#adding = this.#adding.then(() => this.#addRest());
    if (this.#working || this.#failed || this.#ending) return;
    const now = this.#clock.now();
    if (now >= this.#restUntil && this.#writeSome()) return;
    this.#working = this.#follow().finally(() => {
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
        await this.#appender.add(frames);
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

  /** While more comes in, for as long as the last turn has earned; else until others had a turn. */
  #pause(): Promise<void> {
    const last = this.#log.last;
    return new Promise((resolve) => {
      setImmediate(() => {
        const left = this.#restUntil - this.#clock.now();
        if (this.#log.last === last || left <= 0 || this.#ending) resolve();
        else {
          const callOff = this.#clock.after(left, resolve);
          this.#wake = () => {
            callOff();
            resolve();
          };
        }
      });
    });
  }

  /** Writes a portion if it is in memory. True if nothing is left then. */
  #writeSome(): boolean {
    const segment = this.#log.segmentOf(this.#next);
    if (segment instanceof Promise) return false;
    const frames = framesFrom(segment, this.#next);
    if (frames.some(isLarge)) return false;
    const began = this.#clock.now();
    this.#file.add(frames);
    this.#written(frames.length, this.#clock.now() - began);
    return this.#next > this.#log.last;
  }

  async #writeNext(): Promise<void> {
    try {
      const frames = framesFrom(await this.#log.segmentOf(this.#next), this.#next);
      const began = this.#clock.now();
      await this.#file.addInTurns(frames);
      // Of large ones others had their turns.
      this.#written(frames.length, frames.some(isLarge) ? 0 : this.#clock.now() - began);
    } catch (error) {
      this.#tell(`What was moved to disk can not be read back, so the recording ends here: ${error}.`);
    }
  }

  /** `busy`: for how long nobody else had a turn. */
  #written(frames: number, busy: number): void {
    this.#next += frames;
    this.#restUntil = this.#clock.now() + busy * LIMITS.recorderRest;
    this.#tell(this.#file.failure);
  }

  #tell(failure: string | undefined): void {
    if (failure === undefined || this.#failed) return;
    this.#failed = true;
    this.#onFailed(failure);
  }
}
