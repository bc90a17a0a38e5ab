import { type Clock, systemClock } from '@/lib/wire/clock';
import { plainText } from './plain-text';

/** How long work may take before its progress is shown, in ms. */
const SHOWN_AFTER_MS = 300;
/** Milliseconds between two updates. */
const EVERY_MS = 100;
const CLEAR = '\r\u001b[K';

/** Shows how far slow work is. */
export interface Status {
  /** Shows one line of text instead of the last one. The work begins with the first call. */
  show(text: string): void;
  /** Ends the work, and clears the line. */
  end(): void;
}

/** The last line of a terminal, for the progress of slow work. Other output must call {@link erase} first. */
export class StatusLine implements Status {
  readonly #write: (text: string) => void;
  readonly #clock: Clock;
  #text = '';
  #begunAt: number | undefined;
  #shownAt = Number.NEGATIVE_INFINITY;
  #isThere = false;
  #stopTimer: (() => void) | undefined;

  constructor(write: (text: string) => void, clock: Clock) {
    this.#write = write;
    this.#clock = clock;
  }

  show(text: string): void {
    const now = this.#clock.now();
    this.#begunAt ??= now;
    this.#text = plainText(text);
    const left = Math.max(this.#begunAt + SHOWN_AFTER_MS, this.#shownAt + EVERY_MS) - now;
    if (left <= 0) this.#draw();
    // The next text may be far off.
    else this.#stopTimer ??= this.#clock.after(left, () => this.#draw());
  }

  end(): void {
    this.erase();
    this.#stop();
    this.#begunAt = undefined;
  }

  /** Clears the line for other output. Soon after, it comes back. */
  erase(): void {
    if (!this.#isThere) return;
    this.#write(CLEAR);
    this.#isThere = false;
    this.#stopTimer ??= this.#clock.after(EVERY_MS, () => this.#draw());
  }

  #draw(): void {
    this.#stop();
    this.#write(CLEAR + this.#text);
    this.#isThere = true;
    this.#shownAt = this.#clock.now();
  }

  #stop(): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
  }
}

/** The line of this process, on stderr; it shows nothing unless that is a terminal. */
export const statusLine = new StatusLine((text) => {
  const { isTTY, columns } = process.stderr;
  // A line that wraps could not be cleared. Some terminals have 0 columns.
  if (isTTY) process.stderr.write(text.slice(0, CLEAR.length + (columns || 80) - 1));
}, systemClock);
