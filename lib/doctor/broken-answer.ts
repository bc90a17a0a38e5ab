import { explainBrokenAnswer } from '@/lib/store/exchanges/answer-faults';
import type { Failure } from '@/lib/wire/lifecycle';
import type { RequestId } from '@/lib/wire/message';
import type { DoctorFinding } from './finding';
import { quoteLine } from './quote-line';
import type { Unmatched } from './unmatched';

/** Returns the finding about a text that looks like an answer. */
export function brokenAnswerFinding({ method, text, why, seq, unended }: Unmatched): DoctorFinding {
  if (unended) {
    return {
      what: `The server sent a line that looks like the response to ${method}, and no newline after it: \`${text}\`.`,
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

/** A text on stdout that looks like an answer, but can’t be read. */
export interface BrokenText {
  readonly text: string;
  /** Number of lines that it was printed over. */
  readonly lines: number;
  /** There is no newline after it. */
  readonly unended?: boolean;
}

/** Returns the failure of a request for a text that looks like the answer to it. */
export function brokenText(method: string, { text, lines, unended = false }: BrokenText, id: RequestId): Failure {
  const why = explainBrokenAnswer(text, lines, id).replace(/\s+/g, ' ');
  const { what, advice } = brokenAnswerFinding({ method, text: quoteLine(text), why, seq: 0, unended });
  return { code: 'answer-broken', message: what, advice };
}
