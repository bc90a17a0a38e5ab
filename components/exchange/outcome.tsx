import type { JsonSource } from '@/lib/json/source';
import type { Exchange } from '@/lib/store/exchanges/exchanges';
import type { Log } from '@/lib/store/log';
import { messageSource } from '@/lib/store/message-source';

/** How an exchange went, for people. */
export interface Outcome {
  readonly tone: 'muted' | 'ok' | 'warn' | 'error';
  readonly glyph: string;
  readonly word: string;
  /** A sentence, where the word is not enough. */
  readonly about?: string;
}

const BY_STATUS: Record<Exclude<Exchange['status'], undefined>, Outcome> = {
  pending: { tone: 'muted', glyph: '…', word: 'in flight' },
  ok: { tone: 'ok', glyph: '✓', word: 'ok' },
  'tool-error': {
    tone: 'error',
    glyph: '×',
    word: 'isError',
    about: 'The tool ran and reports a failure of its own; the protocol worked.',
  },
  error: { tone: 'error', glyph: '×', word: 'protocol error', about: 'The server refused the request itself.' },
  cancelled: {
    tone: 'warn',
    glyph: '!',
    word: 'cancelled',
    about: 'We told the server that we no longer want the answer.',
  },
  timeout: {
    tone: 'warn',
    glyph: '!',
    word: 'timed out',
    about: 'The server did not answer in time. Give it longer under Timeout, or look at its stderr.',
  },
  lost: {
    tone: 'error',
    glyph: '×',
    word: 'lost',
    about: 'The server was gone before it answered. Its exit and stderr are in the Server panel.',
  },
  refused: { tone: 'muted', glyph: '·', word: 'refused, as expected' },
};

const SESSION_LOST: Outcome = {
  tone: 'warn',
  glyph: '!',
  word: 'session lost',
  about: 'The server had forgotten the session and did not run this. Send it again in the new session.',
};

/** Outcomes of a request while a frame that can't be paired with it looks like its answer. */
const UNMATCHED: { readonly [S in NonNullable<Exchange['status']>]?: Outcome } = {
  pending: { tone: 'warn', glyph: '!', word: 'unmatched' },
  timeout: { ...BY_STATUS.timeout, about: 'No answer that could be matched came in time.' },
  lost: { ...BY_STATUS.lost, about: 'No answer that could be matched came before the connection ended.' },
};

const NO_ID: Outcome = { tone: 'warn', glyph: '!', word: 'sent without an id', about: 'It cannot be answered.' };

/**
 * How an exchange went. An unfinished result (`input_required`, a type we don't know) is kept apart from a
 * finished one. `forgotten`: the server refused it because it had forgotten the session. `loss`: why HTTP brought no
 * answer, which may quote the server; a process has an exit and stderr instead.
 */
export function outcomeOf(
  exchange: Exchange,
  answer: ResponseContent | undefined,
  loss?: string,
  forgotten = false,
): Outcome {
  if (exchange.status === undefined) return NO_ID;
  if (forgotten && exchange.status !== 'pending') return SESSION_LOST;
  const unmatched = exchange.unmatchedSeq === undefined ? undefined : UNMATCHED[exchange.status];
  if (unmatched) return unmatched;
  if (exchange.status === 'lost' && loss !== undefined) {
    return { ...BY_STATUS.lost, about: `HTTP brought no answer. ${loss} Its frames are in the log.` };
  }
  if (exchange.status !== 'ok') return BY_STATUS[exchange.status];
  const type = answer?.result?.member('resultType')?.value;
  if (type === undefined || type === 'complete') return BY_STATUS.ok;
  if (type === 'input_required') {
    return {
      tone: 'warn',
      glyph: '?',
      word: 'input required',
      about: 'The server wants input before it goes on; what it asks for is below.',
    };
  }
  return {
    tone: 'warn',
    glyph: '!',
    word: `resultType ${JSON.stringify(type).slice(0, 60)}`,
    about: 'A kind of result that we do not know, shown as it came.',
  };
}

/** What a response said: one of the two, unless the server got it wrong. */
export interface ResponseContent {
  readonly message: JsonSource;
  readonly result: JsonSource | undefined;
  readonly error: JsonSource | undefined;
  /** Of the frame, in bytes. */
  readonly bytes: number;
}

/** The answer of an exchange, out of a batch if it came in one; undefined while there is none. */
export function responseOf(log: Log, exchange: Exchange | undefined): ResponseContent | undefined {
  if (exchange?.responseSeq === undefined) return undefined;
  const message = messageSource(log, exchange.responseSeq, exchange.id);
  return (
    message && {
      message,
      result: message.member('result'),
      error: message.member('error'),
      bytes: log.bytes(exchange.responseSeq - 1).length,
    }
  );
}

/** True if the server refused this request because it had forgotten the session. */
export function isSessionLost(log: Log, exchange: Exchange): boolean {
  return log.httpExchange(log.row(exchange.requestSeq - 1).exchange)?.sessionForgotten ?? false;
}

/** Why HTTP brought no answer to a request, in words that may quote the server; undefined if it did not travel over HTTP. */
export function httpFailureReason(log: Log, exchange: Exchange): string | undefined {
  const http = log.httpExchange(log.row(exchange.requestSeq - 1).exchange);
  if (!http) return undefined;
  const end = http.ends.at(-1);
  return (end === undefined ? undefined : log.row(end - 1).http?.about) ?? '';
}

const TONES: Record<Outcome['tone'], string> = {
  muted: 'text-muted',
  ok: 'text-ok',
  warn: 'text-warn',
  error: 'text-error',
};

/** How an exchange went, in a glyph and a word. */
export function OutcomeWord({ outcome: { tone, glyph, word } }: { readonly outcome: Outcome }) {
  return (
    <span className={TONES[tone]}>
      <span aria-hidden="true">{glyph}</span> {word}
    </span>
  );
}
