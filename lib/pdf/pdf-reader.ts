import { type Clock, systemClock } from '@/lib/wire/clock';
import type { PdfAnswer, PdfFailure, PdfJob } from './pdf-messages';

/** The part of a Worker that is used here. */
export interface PdfWorker {
  postMessage(job: PdfJob, transfer: ArrayBuffer[]): void;
  onmessage: ((event: { readonly data: PdfAnswer }) => void) | null;
  onerror: ((event: never) => void) | null;
  terminate(): void;
}

/** Time to open a file, or to draw a page. */
export const PDF_MS = 10_000;

/**
 * Reads one PDF file in a Worker, which is terminated when a job takes too long. Its promises reject with a
 * {@link PdfFailure}.
 */
export class PdfReader {
  readonly #worker: PdfWorker;
  readonly #clock: Clock;
  #last: Promise<unknown> = Promise.resolve();
  #ended: PdfFailure | undefined;

  constructor(worker: PdfWorker, clock: Clock = systemClock) {
    this.#worker = worker;
    this.#clock = clock;
  }

  /** Opens the file and resolves with its number of pages. */
  async open(bytes: Uint8Array): Promise<number> {
    const copy = Uint8Array.from(bytes);
    const answer = await this.#ask({ type: 'open', bytes: copy }, [copy.buffer]);
    return answer.type === 'opened' ? answer.pages : 0;
  }

  /** Draws a page, counted from 1, at a width in device pixels. */
  async draw(page: number, width: number): Promise<ImageBitmap | undefined> {
    const answer = await this.#ask({ type: 'draw', page, width }, []);
    return answer.type === 'drawn' ? answer.image : undefined;
  }

  close(): void {
    this.#ended ??= 'broken';
    this.#worker.terminate();
  }

  #ask(job: PdfJob, transfer: ArrayBuffer[]): Promise<PdfAnswer> {
    const answer = this.#last.then(() => this.#run(job, transfer));
    this.#last = answer.catch(() => {});
    return answer;
  }

  #run(job: PdfJob, transfer: ArrayBuffer[]): Promise<PdfAnswer> {
    return new Promise((resolve, reject) => {
      if (this.#ended) return reject(this.#ended);
      const end = (failure: PdfFailure) => {
        stopTimer();
        this.#ended = failure;
        this.#worker.terminate();
        reject(failure);
      };
      const stopTimer = this.#clock.after(PDF_MS, () => end('slow'));
      this.#worker.onerror = () => end('broken');
      this.#worker.onmessage = ({ data }) => {
        // pdf.js sends messages of its own.
        if (data.pdf !== true) return;
        stopTimer();
        if (data.type === 'failed') reject(data.failure);
        else resolve(data);
      };
      this.#worker.postMessage(job, transfer);
    });
  }
}
