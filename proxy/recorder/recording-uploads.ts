import { readdirSync } from 'node:fs';
import { outboxFolder } from '@/proxy/files/data-folder';
import { addToOutbox, type UploadOrder } from './outbox';

/** The uploads of a process that records. Plain data, since it crosses threads. */
export interface UploadSettings {
  readonly order: UploadOrder;
  /** Path of our bin, which uploads in a process of its own, and the words of its command line. */
  readonly program: string;
  readonly words: readonly string[];
}

/** Milliseconds between two starts of the process that uploads. */
const BETWEEN_MS = 2000;

/**
 * Puts recordings into the outbox when they begin, and starts a process that uploads them when they end. So whatever
 * kills this process, the next one finds them. Nothing throws.
 */
export class RecordingUploads {
  readonly #folder: string;
  readonly #settings: UploadSettings;
  readonly #start: (program: string, words: readonly string[]) => void;
  /** Recordings that are not in the outbox, because it could not be written. */
  readonly #missing = new Set<string>();
  #begun = Number.NEGATIVE_INFINITY;
  #waiting: NodeJS.Timeout | undefined;

  /** `recordings`: their folder. `start` starts the process. */
  constructor(
    recordings: string,
    settings: UploadSettings,
    start: (program: string, words: readonly string[]) => void,
  ) {
    this.#folder = outboxFolder(recordings);
    this.#settings = settings;
    this.#start = start;
  }

  /** Adds a recording that begins. */
  onBegin(path: string): void {
    this.#add(path, true);
  }

  /** Uploads soon, because a recording has ended. */
  onEnd(path: string): void {
    if (this.#missing.delete(path)) this.#add(path, false);
    this.#startSoon();
  }

  /** Uploads what an earlier process has left. */
  resume(): void {
    if (hasUploads(this.#folder)) this.#startSoon();
  }

  /** Starts what should start soon, because this process ends. */
  finish(): void {
    if (this.#waiting) this.#startNow();
  }

  #add(path: string, isWritten: boolean): void {
    try {
      addToOutbox(this.#folder, path, this.#settings.order, isWritten);
    } catch {
      // A full disk also ends the recording, which says so.
      this.#missing.add(path);
    }
  }

  #startSoon(): void {
    const wait = this.#begun + BETWEEN_MS - performance.now();
    if (wait <= 0) this.#startNow();
    else this.#waiting ??= setTimeout(() => this.#startNow(), wait).unref();
  }

  #startNow(): void {
    clearTimeout(this.#waiting);
    this.#waiting = undefined;
    this.#begun = performance.now();
    this.#start(this.#settings.program, this.#settings.words);
  }
}

/** Returns true if something waits to be uploaded. */
export function hasUploads(outbox: string): boolean {
  try {
    return readdirSync(outbox).some((name) => /^\d{8}T.*\.json$/.test(name));
  } catch {
    return false;
  }
}
