import type { RegexWorker } from '@/lib/filter/regex-search';

/** Bundled apart from the page: see scripts/build-workers.mjs. */
const SCRIPT = '/workers/regex.js';

/** Starts a Worker that holds texts against regular expressions. */
export function startRegexWorker(): RegexWorker {
  return new Worker(SCRIPT, { type: 'module' }) as RegexWorker;
}
