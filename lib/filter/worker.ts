import { type RegexJob, type RegexReply, runRegexJob } from './regex-job';

/** What there is of a Worker's global scope; the DOM's types don't have it. */
interface WorkerScope {
  onmessage: ((event: { readonly data: RegexJob }) => void) | null;
  postMessage(message: RegexReply): void;
}

const scope = globalThis as unknown as WorkerScope;

scope.onmessage = ({ data }) => scope.postMessage(runRegexJob(data));
scope.postMessage('ready');
