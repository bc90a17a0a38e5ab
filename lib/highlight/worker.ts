import { codeRuns } from './code-runs';
import type { HighlightJob } from './highlighter';

/** The part of a worker's global scope that we use. The DOM's types lack it. */
interface WorkerScope {
  onmessage: ((event: { readonly data: HighlightJob }) => void) | null;
  postMessage(runs: unknown): void;
}

const scope = globalThis as unknown as WorkerScope;

scope.onmessage = ({ data: { code, names } }) => scope.postMessage(codeRuns(code, names));
