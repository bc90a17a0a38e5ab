import { RecordingReader } from '@/lib/recording/recording-reader';
import type { FrameSelection } from '@/lib/sharing/selection';
import { withFonts } from '@/lib/sharing/share-files';
import type {
  ReviewResult,
  ShareAnswer,
  ShareJob,
  ShareRequest,
  ShareResult,
  ShareSource,
} from '@/lib/sharing/share-job';
import { copiedFrames } from '@/lib/store/columns/frame-bytes';
import type { Log } from '@/lib/store/log';
import { ConnectionError } from '@/lib/transports/transport';
import type { Frame } from '@/lib/wire/frame';
import type { Failure } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import { pagePath } from '@/lib/wire/page-path';

/** Frames handed to the worker at a time, so that the page stays responsive. */
const SHARED_AT_ONCE = 2048;

/** The used part of a Worker. */
export interface ShareWorker {
  onmessage: ((event: { readonly data: ShareAnswer }) => void) | null;
  onerror: (() => void) | null;
  postMessage(job: ShareJob, transfer: ArrayBuffer[]): void;
  terminate(): void;
}

/** Called with the number of bytes or frames done so far, and the total. */
type OnProgress = (done: number, total: number) => void;

interface Waiting {
  readonly settle: (answer: ShareAnswer) => void;
  readonly fail: (failure: Failure) => void;
  readonly onProgress: OnProgress;
}

/** A job that was cancelled stops within this time, in ms. If it does not, it hangs: a pattern may run for ever. */
const CANCEL_MS = 10_000;

/**
 * Shares one log. It hands the log over to a worker, which reviews the log and makes the output. Jobs that are aborted
 * reject with `cancelled`, and all jobs after the worker has ended.
 */
export class ShareClient {
  readonly #worker: ShareWorker;
  readonly #salt: Uint8Array;
  readonly #waiting = new Map<number, Waiting>();
  #refs = 0;
  #failure: Failure | undefined;
  /** Called if the worker had to be ended, or failed. */
  onEnded: ((failure: Failure) => void) | undefined;

  /** With the same `salt`, another client gives findings the same ids. */
  constructor(worker: ShareWorker, salt: Uint8Array) {
    this.#worker = worker;
    this.#salt = salt;
    worker.onmessage = ({ data }) => this.#onAnswer(data);
    worker.onerror = () => this.#end(WORKER_FAILED);
  }

  /** True once the worker has ended. */
  get hasEnded(): boolean {
    return this.#failure !== undefined;
  }

  /**
   * Hands over the first `last` frames. `bytes` is a recording of them, without the secrets that the proxy knows.
   * Rejects with a Failure if frames are missing or the client is closed.
   */
  async readRecording(
    bytes: ReadableStream<Uint8Array>,
    last: number,
    about: ShareSource['about'],
    onProgress: OnProgress,
  ): Promise<void> {
    this.#begin(about);
    const [reader, source] = [new RecordingReader(), bytes.getReader()];
    let read = 0;
    const next = () => source.read().catch(() => Promise.reject(new ConnectionError(NOT_READ)));
    for (let chunk = await next(); !chunk.done; chunk = await next()) {
      if (this.#failure) await source.cancel();
      if (this.#failure) throw new ConnectionError(this.#failure);
      const frames = reader.readChunk(chunk.value);
      this.#hand(frames);
      read += frames.length;
      onProgress(read, last);
    }
    if (read !== last) throw new ConnectionError(NOT_READ);
  }

  /**
   * Hands over the first `last` frames of the log, and requests those that left the page. Rejects with a Failure if
   * frames are gone or the client is closed.
   */
  async read(log: Log, last: number, about: ShareSource['about'], onProgress: OnProgress): Promise<void> {
    this.#begin(about);
    for (let next = 1; next <= last; ) {
      if (this.#failure) throw new ConnectionError(this.#failure);
      const frames = portion(log, next, last);
      if (frames.length === 0) {
        await broughtBack(log, next, last);
        continue;
      }
      this.#hand(frames);
      next += frames.length;
      onProgress(next - 1, last);
      // Let the page draw between two portions.
      await new Promise((resolve) => setTimeout(resolve));
    }
  }

  #begin(about: ShareSource['about']): void {
    this.#worker.postMessage({ type: 'begin', about, salt: this.#salt }, []);
  }

  #hand(frames: readonly Frame[]): void {
    if (frames.length === 0) return;
    const copied = copiedFrames(frames);
    this.#worker.postMessage({ type: 'frames', frames: copied }, [copied[0]!.bytes.buffer]);
  }

  /** Looks for secrets in the selected frames. Rejects with a Failure. */
  async review(selection: FrameSelection, onProgress: OnProgress, signal: AbortSignal): Promise<ReviewResult> {
    const answer = await this.#ask((ref) => ({ type: 'review', ref, selection }), signal, onProgress);
    if (answer.type === 'reviewed') return answer;
    throw new ConnectionError(WORKER_FAILED);
  }

  /** Counts the places of a pattern in the reviewed frames. Rejects with a Failure. */
  async count(pattern: ShareRequest['patterns'][number], signal: AbortSignal): Promise<number> {
    const answer = await this.#ask((ref) => ({ type: 'count', ref, pattern }), signal);
    if (answer.type === 'counted') return answer.places;
    throw new ConnectionError(WORKER_FAILED);
  }

  /** Makes an output of the reviewed frames. Rejects with a Failure. */
  async make(order: ShareRequest, onProgress: OnProgress, signal: AbortSignal): Promise<ShareResult> {
    const watched = order.kind === 'markdown' ? this.#watched(onProgress, signal) : undefined;
    try {
      const report = watched?.onProgress ?? onProgress;
      const answer = await this.#ask((ref) => ({ type: 'make', ref, ...order }), signal, report);
      if (answer.type === 'made') return answer;
      throw new ConnectionError(WORKER_FAILED);
    } finally {
      watched?.callOff();
    }
  }

  /** Ends the worker if it is silent for too long: a schema in the log may hang the rules. */
  #watched(onProgress: OnProgress, signal: AbortSignal) {
    const hung = () => {
      if (!signal.aborted) this.#end(HUNG);
    };
    let timer = setTimeout(hung, LIMITS.rulesBlindMs);
    const callOff = () => clearTimeout(timer);
    return {
      callOff,
      onProgress: (done: number, total: number) => {
        callOff();
        timer = setTimeout(hung, LIMITS.rulesBlindMs);
        onProgress(done, total);
      },
    };
  }

  /** Ends the worker and rejects pending jobs. */
  close(): void {
    this.onEnded = undefined;
    this.#end(CANCELLED);
  }

  #ask(job: (ref: number) => ShareJob, signal: AbortSignal, onProgress: OnProgress = () => {}): Promise<ShareAnswer> {
    return new Promise((resolve, reject) => {
      const failure = signal.aborted ? CANCELLED : this.#failure;
      if (failure) {
        reject(new ConnectionError(failure));
        return;
      }
      const ref = ++this.#refs;
      const cancel = () => this.#cancel(ref);
      const done = () => signal.removeEventListener('abort', cancel);
      signal.addEventListener('abort', cancel);
      this.#waiting.set(ref, {
        settle: (answer) => {
          done();
          resolve(answer);
        },
        fail: (reason) => {
          done();
          reject(new ConnectionError(reason));
        },
        onProgress,
      });
      this.#worker.postMessage(job(ref), []);
    });
  }

  /** Rejects a job, and ends the worker unless it stops soon. */
  #cancel(ref: number): void {
    const timer = setTimeout(() => this.#end(CANCELLED), CANCEL_MS);
    const stopped = () => clearTimeout(timer);
    this.#waiting.get(ref)?.fail(CANCELLED);
    this.#waiting.set(ref, { settle: stopped, fail: stopped, onProgress: () => {} });
    this.#worker.postMessage({ type: 'cancel', ref }, []);
  }

  #onAnswer(answer: ShareAnswer): void {
    const waiting = this.#waiting.get(answer.ref);
    if (answer.type === 'progress') {
      waiting?.onProgress(answer.done, answer.total);
      return;
    }
    this.#waiting.delete(answer.ref);
    if (answer.type === 'failed') waiting?.fail(answer.failure);
    else waiting?.settle(answer);
  }

  #end(failure: Failure): void {
    if (this.#failure) return;
    this.#failure = failure;
    this.#worker.terminate();
    for (const { fail } of this.#waiting.values()) fail(failure);
    this.#waiting.clear();
    this.onEnded?.(failure);
  }
}

/** Returns frames from `next` on that are in the page. */
function portion(log: Log, next: number, last: number): Frame[] {
  const frames: Frame[] = [];
  let bytes = 0;
  for (let seq = next; seq <= last && log.hasBytes(seq); seq++) {
    const frame = log.frame(seq - 1);
    bytes += frame.bytes.length;
    frames.push(frame);
    if (frames.length >= SHARED_AT_ONCE || bytes >= LIMITS.againBytes) break;
  }
  return frames;
}

/** Resolves once frame `seq` is in the page again. Rejects if it is gone. */
function broughtBack(log: Log, seq: number, last: number): Promise<void> {
  const end = Math.min(last, seq + LIMITS.againFrames - 1);
  for (let want = seq; want <= end; want++) if (!log.hasBytes(want)) log.wanted.want(want);
  return new Promise((resolve, reject) => {
    const look = () => {
      if (log.wanted.isUnavailable(seq)) reject(new ConnectionError(NOT_HAD));
      else if (log.hasBytes(seq)) resolve();
      else return;
      leave();
    };
    const leave = log.subscribe(look);
    look();
  });
}

const WORKER_FAILED: Failure = {
  code: 'share-failed',
  message: 'The worker for sharing did not load, or ran out of memory.',
  advice: 'Try again with fewer frames, or use `mcp-inspect share` in a terminal.',
};

const HUNG: Failure = {
  code: 'report-hangs',
  message: 'The report takes too long. A schema in this log may be very slow to check.',
  advice: 'Wait until Problems has checked all messages, then try again.',
};

const CANCELLED: Failure = { code: 'cancelled', message: 'Sharing was cancelled.', advice: 'Share again.' };

const NOT_READ: Failure = {
  code: 'log-incomplete',
  message: 'mcp-inspect did not send the whole log.',
  advice: 'Check that it still runs in its terminal, then share again.',
};

const NOT_HAD: Failure = {
  code: 'frames-gone',
  message: 'Older messages of this log have left the page and cannot be loaded again.',
  advice: 'Use `mcp-inspect share` with the recording in a terminal, or choose newer messages.',
};

/** Returns the viewer page without a recording. Rejects with a Failure. */
export async function viewerTemplate(): Promise<Blob> {
  try {
    const template = await (await fetched('/viewer/page.txt')).text();
    const readFont = async (path: string) => new Uint8Array(await (await fetched(`/${path}`)).arrayBuffer());
    return new Blob([await withFonts(template, readFont)]);
  } catch {
    throw new ConnectionError({
      code: 'no-viewer',
      message: 'The viewer for HTML files did not load.',
      advice: 'Try again. If that does not help, share a recording file instead.',
    });
  }
}

async function fetched(path: string): Promise<Response> {
  const response = await fetch(pagePath(path));
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response;
}
