import type { RegexWorker } from '@/lib/filter/regex-search';
import type { HighlightWorker } from '@/lib/highlight/highlighter';
import type { PdfWorker } from '@/lib/pdf/pdf-reader';
import type { CheckWorker } from '@/lib/problems/problem-feed';
import { WORKER_TYPE, workerAddress } from '@/lib/wire/worker-address';
import type { ShareWorker } from './share-client';

/** Starts a Worker that runs the rules over one log. */
export function startProblemsWorker(): CheckWorker {
  return new Worker(workerAddress('problems'), { type: WORKER_TYPE }) as CheckWorker;
}

/** Starts a Worker that matches texts against regular expressions. */
export function startRegexWorker(): RegexWorker {
  return new Worker(workerAddress('regex'), { type: WORKER_TYPE }) as RegexWorker;
}

/** Starts a Worker that finds the runs of code. */
export function startHighlightWorker(): HighlightWorker {
  return new Worker(workerAddress('highlight'), { type: WORKER_TYPE }) as HighlightWorker;
}

/** Starts a Worker that reads one PDF file. */
export function startPdfWorker(): PdfWorker {
  return new Worker(workerAddress('pdf'), { type: WORKER_TYPE }) as PdfWorker;
}

/** Starts a Worker that shares one log. */
export function startShareWorker(): ShareWorker {
  return new Worker(workerAddress('share'), { type: WORKER_TYPE }) as ShareWorker;
}
