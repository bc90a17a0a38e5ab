import { type RegexJob, type RegexReply, runRegexJob } from './regex-job';

/** The worker's global scope, which the DOM types lack. */
interface WorkerScope {
  onmessage: ((event: { readonly data: RegexJob }) => void) | null;
  postMessage(message: RegexReply): void;
}

const scope = globalThis as unknown as WorkerScope;

scope.onmessage = ({ data }) => scope.postMessage(runRegexJob(data));
scope.postMessage('ready');
