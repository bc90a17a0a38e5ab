import { readLoosely } from '@/lib/store/exchanges/unmatched-answers';
import type { Clock } from '@/lib/wire/clock';
import type { StdioLineSplitter } from './stdio-lines';

/** Milliseconds without output after which a whole object counts as a message whose newline is missing. */
export const UNENDED_MS = 1000;
/** Bytes of a line that are examined. Takes milliseconds. */
const MOST_BYTES = 1024 * 1024;
/** Characters of an object that are reported. */
const MOST_CHARS = 4096;

/** Reports each whole object at the end of stdout that has no newline after it. The log gets a line when it ends. */
export class UnendedObjects {
  readonly #clock: Clock;
  readonly #lines: StdioLineSplitter;
  readonly #report: (text: string) => void;
  #isWaiting = false;
  /** Counts chunks, to find out whether one came since. */
  #chunks = 0;
  /** Characters of the present line that were reported. */
  #reported = 0;

  constructor(clock: Clock, lines: StdioLineSplitter, report: (text: string) => void) {
    this.#clock = clock;
    this.#lines = lines;
    this.#report = report;
  }

  /** Called after each chunk. `endsLine`: it has a line feed. */
  onChunk(endsLine: boolean): void {
    this.#chunks++;
    if (endsLine) this.#reported = 0;
    this.#watch();
  }

  /** Runs one timer at a time. */
  #watch(): void {
    if (this.#isWaiting || !this.#lines.holds) return;
    this.#isWaiting = true;
    const chunks = this.#chunks;
    this.#clock.after(UNENDED_MS, () => {
      this.#isWaiting = false;
      if (this.#chunks === chunks) this.#look();
      else this.#watch();
    });
  }

  #look(): void {
    const { held } = this.#lines;
    if (held.length === 0 || held.length > MOST_BYTES) return;
    const text = held.toString();
    for (const { start, end } of objectsIn(text, this.#reported)) {
      this.#report(text.slice(start, Math.min(end, start + MOST_CHARS)));
      this.#reported = end;
    }
  }
}

/** Returns the places of objects that follow each other up to the end of a text; none if that is not in one. */
function objectsIn(text: string, from: number): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  for (let at = from; ; ) {
    while (/\s/.test(text[at] ?? '')) at++;
    if (at === text.length) return found;
    const end = text[at] === '{' ? readLoosely(text, at, text.length).end : -1;
    if (end < 0) return [];
    found.push({ start: at, end });
    at = end;
  }
}
