import { SchemaChecker } from './check';
import type { CheckAnswer, SchemaJob } from './schema-worker';

// Runs in a Worker, so that a schema whose pattern takes for ever can be stopped from outside.
declare const self: {
  onmessage: ((event: { data: SchemaJob }) => void) | null;
  postMessage(answer: CheckAnswer): void;
};

let schema = 'true';
let checker: SchemaChecker | undefined;

self.onmessage = ({ data: job }) => void carryOut(job).then((answer) => answer && self.postMessage(answer));
self.postMessage({ type: 'ready' });

async function carryOut(job: SchemaJob): Promise<CheckAnswer | undefined> {
  if (job.type === 'schema') {
    schema = job.text;
    checker = undefined;
    return undefined;
  }
  if (job.type === 'check') {
    checker ??= new SchemaChecker(schema);
    return { type: 'verdict', verdict: checker.check(job.text, job.branches) };
  }
  try {
    const { makeSample } = await import('./sample');
    return { type: 'sample', text: makeSample(schema, job.all) };
  } catch (error) {
    return { type: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
}
