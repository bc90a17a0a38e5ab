import type { Finding } from './finding';
import type { Unmatched } from './unmatched';

/** Returns the finding about a text that looks like an answer. */
export function brokenAnswer({ method, text, why, seq }: Unmatched): Finding {
  return {
    what: `The server sent text that looks like the response to ${method}: \`${text}\`. ${why}`,
    advice: 'Correct the server’s response, then try again.',
    seq,
  };
}
