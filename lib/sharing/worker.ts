// Runs in a Worker of the page: reading a long log takes seconds, and a person's own regular expression may run for
// ever.

import type { ShareAnswer, ShareJob } from './share-job';
import { ShareJobRunner } from './share-job-runner';

/** Set by the bundler. */
declare const MCP_INSPECT_VERSION: string;

declare const self: {
  onmessage: ((event: { readonly data: ShareJob }) => void) | null;
  postMessage(answer: ShareAnswer): void;
};

const runner = new ShareJobRunner(MCP_INSPECT_VERSION, (answer) => self.postMessage(answer));
self.onmessage = ({ data }) => {
  void runner.run(data);
};
