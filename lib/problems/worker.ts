import type { CheckDone, ProblemJob, SchemaCheckStarted } from './problem';
import { ProblemFinder } from './problem-finder';

/** The part of a worker's global scope that we use. The DOM's types lack it. */
interface WorkerScope {
  onmessage: ((event: { readonly data: ProblemJob }) => void) | null;
  postMessage(message: SchemaCheckStarted | CheckDone): void;
}

const scope = globalThis as unknown as WorkerScope;
const finder = new ProblemFinder((seq) => scope.postMessage({ checking: seq }));

scope.onmessage = ({ data: { frames, skippedChecks } }) => {
  if (skippedChecks) finder.skipChecks(skippedChecks);
  for (const frame of frames) finder.addFrame(frame);
  scope.postMessage({ changed: finder.takeChanged(), marks: finder.takeMarks() });
};
