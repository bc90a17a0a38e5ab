import { explainBrokenAnswer } from '@/lib/store/exchanges/answer-faults';
import type { Failure } from '@/lib/wire/lifecycle';
import type { RequestId } from '@/lib/wire/message';
import type { Finding } from './finding';
import { quoteLine } from './quote-line';
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

/** Returns the failure of a request for a text, printed over `lines` lines, that looks like the answer to it. */
export function brokenText(method: string, text: string, lines: number, id: RequestId): Failure {
  const why = explainBrokenAnswer(text, lines, id).replace(/\s+/g, ' ');
  const { what, advice } = brokenAnswer({ method, text: quoteLine(text), why, seq: 0, unended: false });
  return { code: 'answer-broken', message: what, advice };
}
