// Runs in a Worker of the page: going through a long log takes seconds, and a person's own expression may take for ever.

import type { ShareAnswer, ShareJob } from './share-job';
import { ShareJobRunner } from './share-job-runner';

/** Set by the bundler. */
declare const MCP_INSPECT_VERSION: string;

declare const self: {
  onmessage: ((event: { readonly data: ShareJob }) => void) | null;
  postMessage(answer: ShareAnswer): void;
};

const bench = new ShareJobRunner(MCP_INSPECT_VERSION, (answer) => self.postMessage(answer));

// One after the other: what is made goes by the review before it.
let last = Promise.resolve();
self.onmessage = ({ data }) => {
  last = last.then(() => bench.run(data));
};
