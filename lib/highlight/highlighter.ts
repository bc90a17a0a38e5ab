import { type Clock, systemClock } from '@/lib/wire/clock';
import type { CodeRuns } from './code-kinds';

/** A job for the worker. */
export interface HighlightJob {
  readonly code: string;
  /** Possible names of the language, the most certain first. */
  readonly names: readonly string[];
}

/** The part of a Worker that is used here. */
export interface HighlightWorker {
  postMessage(job: HighlightJob): void;
  onmessage: ((event: { readonly data: CodeRuns | undefined }) => void) | null;
  onerror: ((event: never) => void) | null;
  terminate(): void;
}

/** Time for one text, including the start of the worker. The tokenizer is slow on some texts that a server can make. */
export const HIGHLIGHT_MS = 1000;
/** After this many texts that took too long, nothing is coloured any more. */
const MOST_HANGS = 5;

/** Finds the runs of code in a Worker, one text at a time. A text that takes too long gets none. */
export class Highlighter {
  readonly #make: () => HighlightWorker;
  readonly #clock: Clock;
  #worker: HighlightWorker | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #hangs = 0;

  constructor(make: () => HighlightWorker, clock: Clock = systemClock) {
    this.#make = make;
    this.#clock = clock;
  }

  /** Resolves with undefined if the language is unknown or the text took too long. Never rejects. */
  highlight(job: HighlightJob): Promise<CodeRuns | undefined> {
    const runs = this.#last.then(() => (this.#hangs < MOST_HANGS ? this.#run(job) : undefined));
    this.#last = runs;
    return runs;
  }

  #run(job: HighlightJob): Promise<CodeRuns | undefined> {
    this.#worker ??= this.#make();
    const worker = this.#worker;
    return new Promise((resolve) => {
      const giveUp = () => {
        stopTimer();
        worker.terminate();
        this.#worker = undefined;
        this.#hangs++;
        resolve(undefined);
      };
      const stopTimer = this.#clock.after(HIGHLIGHT_MS, giveUp);
      worker.onerror = giveUp;
      worker.onmessage = ({ data }) => {
        stopTimer();
        resolve(data);
      };
      worker.postMessage(job);
    });
  }
}
