import type { Finding } from './finding';
import type { Unmatched } from './unmatched';

/** Returns the finding about a text that looks like an answer. */
export function brokenAnswer({ method, text, why, seq, unended }: Unmatched): Finding {
  if (unended) {
    return {
      what: `The server sent the start of a response to ${method} and never ended the line: \`${text}\`.`,
      advice: 'Make it write the whole message with a newline after it, and flush its stdout.',
      seq,
    };
  }
  return {
    what: `The server sent text that looks like the response to ${method}: \`${text}\`. ${why}`,
    advice: 'Correct the server’s response, then try again.',
    seq,
  };
}
