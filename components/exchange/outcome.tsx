import { Sentence } from '@/components/ui/notices';
import { navigate } from '@/lib/hooks/location';
import { useInvalidResult } from '@/lib/hooks/problems';
import type { JsonSource } from '@/lib/json/source';
import type { InvalidResult } from '@/lib/problems/invalid-result';
import type { Exchange } from '@/lib/store/exchanges/exchanges';
import type { Log } from '@/lib/store/log';
import { messageSource } from '@/lib/store/message-source';
import { STATUS_LABELS } from '@/lib/store/rows/row-text';
import { countOf } from '@/lib/wire/format';
import { useTaskOf } from './task-status';

/** The outcome of an exchange as shown. */
export interface ShownOutcome {
  readonly tone: 'muted' | 'warn' | 'error';
  readonly glyph: string;
  readonly word: string;
  /** An explanation, if the word is not enough. */
  readonly about?: string;
}

const BY_STATUS: Record<Exclude<Exchange['status'], undefined>, ShownOutcome> = {
  pending: { tone: 'muted', glyph: '…', word: STATUS_LABELS.pending },
  ok: { tone: 'muted', glyph: '✓', word: STATUS_LABELS.ok },
  'tool-error': {
    tone: 'error',
    glyph: '×',
    word: STATUS_LABELS['tool-error'],
    about: 'The tool ran and reported an error. The protocol exchange itself worked.',
  },
  error: { tone: 'error', glyph: '×', word: STATUS_LABELS.error },
  cancelled: {
    tone: 'warn',
    glyph: '!',
    word: STATUS_LABELS.cancelled,
    about: 'mcp-inspect sent notifications/cancelled. The server may still finish the work.',
  },
  timeout: {
    tone: 'warn',
    glyph: '!',
    word: STATUS_LABELS.timeout,
    about: 'The server did not respond in time. Raise the timeout, or read the server’s stderr.',
  },
  lost: {
    tone: 'error',
    glyph: '×',
    word: STATUS_LABELS.lost,
    about: 'The server exited before it responded.',
  },
  refused: { tone: 'muted', glyph: '·', word: STATUS_LABELS.refused, about: 'mcp-inspect expected this refusal.' },
};

/** Over HTTP, 2026-07-28 has no message for it. */
const RESPONSE_CLOSED: ShownOutcome = {
  ...BY_STATUS.cancelled,
  about: 'mcp-inspect closed the HTTP response, which cancels the request in MCP 2026-07-28. It sent no message.',
};

const SESSION_LOST: ShownOutcome = {
  tone: 'warn',
  glyph: '!',
  word: 'session lost',
  about: 'The server had lost the session and did not run this request. Send it again in the new session.',
};

/** Outcomes of a request while a frame looks like its response but can't be matched. */
const UNMATCHED: { readonly [S in NonNullable<Exchange['status']>]?: ShownOutcome } = {
  pending: { tone: 'warn', glyph: '!', word: 'unmatched' },
  timeout: { ...BY_STATUS.timeout, about: 'No matching response arrived in time.' },
  lost: { ...BY_STATUS.lost, about: 'No matching response arrived before the connection ended.' },
};

const DROPPED: ShownOutcome = {
  tone: 'warn',
  glyph: '!',
  word: 'dropped',
  about:
    'The request was dropped before it reached the server. Its client waits for a response until its time is over.',
};

const NO_ID: ShownOutcome = {
  tone: 'warn',
  glyph: '!',
  word: 'sent without an id',
  about: 'A request without an id gets no response.',
};

/** Facts that decide the outcome of an exchange. */
interface OutcomeFacts {
  readonly answer: ResponseContent | undefined;
  /** Why HTTP brought no response. */
  readonly loss?: HttpLoss;
  /** A person or a rule dropped the request. */
  readonly dropped?: boolean;
  /** The server rejected the request because it had lost the session. */
  readonly sessionLost?: boolean;
  /** The result breaks its schema. */
  readonly invalid?: InvalidResult;
  /** Why mcp-inspect stopped following the task of the call. */
  readonly taskLeft?: string;
  /** Requests are cancelled by closing their HTTP response. */
  readonly closesResponse?: boolean;
}

/**
 * Returns the outcome of an exchange. An unfinished result (`input_required` or an unknown type) differs from a
 * finished one.
 */
export function shownOutcome(exchange: Exchange, facts: OutcomeFacts): ShownOutcome {
  const { answer, loss, sessionLost, invalid, closesResponse } = facts;
  if (exchange.status === undefined) return NO_ID;
  if (sessionLost && exchange.status !== 'pending') return SESSION_LOST;
  if (facts.dropped && exchange.status === 'pending') return DROPPED;
  const unmatched = exchange.unmatchedSeq === undefined ? undefined : UNMATCHED[exchange.status];
  if (unmatched) return unmatched;
  if (exchange.task) {
    const ended = taskOutcome(exchange.status, facts.taskLeft);
    if (ended) return ended;
  }
  if (exchange.status === 'lost' && loss !== undefined) {
    const { status, reason } = loss;
    const gone = status === undefined ? 'No response arrived over HTTP.' : '';
    const about = [gone, reason, 'See the request’s frames in the log.'].filter(Boolean).join(' ');
    return { ...BY_STATUS.lost, ...(status !== undefined && { word: `HTTP ${status}` }), about };
  }
  if (exchange.status === 'error') return errorOutcome(answer?.error);
  if (exchange.status === 'ok' && invalid) return BY_STATUS.error;
  if (exchange.status === 'cancelled' && closesResponse) return RESPONSE_CLOSED;
  if (exchange.status !== 'ok') return BY_STATUS[exchange.status];
  const type = answer?.result?.member('resultType')?.value;
  if (type === undefined || type === 'complete') return BY_STATUS.ok;
  if (type === 'input_required') {
    return {
      tone: 'warn',
      glyph: '?',
      word: 'input required',
      about: 'The server needs the input below before it continues.',
    };
  }
  return {
    tone: 'warn',
    glyph: '!',
    word: `resultType ${JSON.stringify(type).slice(0, 60)}`,
    about: 'Unknown result type, shown as sent.',
  };
}

/** Returns the outcome of a task that ended without a result. */
function taskOutcome(status: NonNullable<Exchange['status']>, left: string | undefined): ShownOutcome | undefined {
  if (status === 'lost') {
    const about = left === undefined ? 'The connection ended before the task did.' : `mcp-inspect gave up: ${left}`;
    return { ...BY_STATUS.lost, word: 'no result', about };
  }
  if (status !== 'cancelled') return undefined;
  const about = left === undefined ? 'The task was cancelled.' : `mcp-inspect stopped following the task: ${left}`;
  return { ...BY_STATUS.cancelled, about };
}

/** Returns the outcome of an error response, with its code. */
function errorOutcome(error: JsonSource | undefined): ShownOutcome {
  const code = error?.kind === 'object' ? error.member('code') : undefined;
  return { ...BY_STATUS.error, ...(code?.kind === 'number' && { word: `error ${formatCode(code.text)}` }) };
}

/** Longest code that is shown, in characters. */
const CODE_CHARACTERS = 24;

/** Formats an error code with U+2212 instead of the hyphen, as the specification prints it. */
function formatCode(text: string): string {
  return text.replace(/^-/, '−').slice(0, CODE_CHARACTERS);
}

/** A response's result or error; a faulty server may send both or neither. */
export interface ResponseContent {
  readonly message: JsonSource;
  readonly result: JsonSource | undefined;
  readonly error: JsonSource | undefined;
  /** Size of the frame. */
  readonly bytes: number;
}

/** Returns the response of an exchange, taken out of a batch if necessary. undefined while there is none. */
export function responseOf(log: Log, exchange: Exchange | undefined): ResponseContent | undefined {
  if (exchange?.responseSeq === undefined) return undefined;
  const message = messageSource(log, exchange.responseSeq, exchange.id);
  // A modern task holds its result. A response or a notification brings the task.
  const holder = exchange.task?.inline ? (message?.member('result') ?? message?.member('params')) : message;
  return (
    message && {
      message,
      result: holder?.member('result'),
      error: holder?.member('error'),
      bytes: log.bytes(exchange.responseSeq - 1).length,
    }
  );
}

/** Texts of a response that are searched for errors. */
const MOST_TEXTS = 10;

/** Returns the texts of an error: its message, or those of a result with `isError`. */
export function errorTexts(answer: ResponseContent | undefined): readonly string[] {
  if (answer?.error) return [textOf(answer.error.member('message'))];
  const content = answer?.result?.member('content');
  if (content?.kind !== 'array' || answer?.result?.member('isError')?.value !== true) return [];
  return content.children(MOST_TEXTS).children.map(({ source }) => textOf(source.member('text')));
}

function textOf(source: JsonSource | undefined): string {
  return typeof source?.value === 'string' ? source.value : '';
}

/** The answer to a request, if any, and how it went. */
interface Answer {
  /** undefined without a request. */
  readonly outcome: ShownOutcome | undefined;
  readonly answer: ResponseContent | undefined;
  readonly invalid: InvalidResult | undefined;
}

/** Returns the outcome of an exchange, its response, and how the result breaks its schema. */
export function useOutcome(log: Log, exchange: Exchange | undefined): Answer {
  const invalid = useInvalidResult(log, exchange?.responseSeq);
  const answer = responseOf(log, exchange);
  const taskLeft = useTaskOf(log, exchange?.task && exchange.requestSeq)?.left;
  if (!exchange) return { outcome: undefined, answer, invalid };
  const { era, start } = log.state.connection;
  const closesResponse = era === 'modern' && start?.transport !== 'stdio';
  const dropped = log.interceptions.of(exchange.requestSeq)?.event.did === 'drop';
  const sessionLost = isSessionLost(log, exchange);
  const facts = { answer, loss: httpLoss(log, exchange), dropped, sessionLost, invalid, taskLeft, closesResponse };
  return { outcome: shownOutcome(exchange, facts), answer, invalid };
}

/** Returns true if the server rejected a request because it had lost the session. */
function isSessionLost(log: Log, exchange: Exchange): boolean {
  return log.httpExchange(log.row(exchange.requestSeq - 1).exchange)?.sessionForgotten ?? false;
}

/** Why HTTP brought no response to a request. */
export interface HttpLoss {
  /** Status of the HTTP response, 300 or more; undefined if none arrived. */
  readonly status: number | undefined;
  /** A sentence, which may quote the server; '' if unknown. */
  readonly reason: string;
}

/** Returns why HTTP brought no response; undefined if the request was not sent over HTTP. */
function httpLoss(log: Log, exchange: Exchange): HttpLoss | undefined {
  const request = log.row(exchange.requestSeq - 1);
  const http = log.httpExchange(request.exchange);
  if (!http) return undefined;
  const end = http.ends.at(-1);
  const reason = end === undefined ? undefined : log.row(end - 1).http?.about;
  return { status: request.refusedWith, reason: reason ?? '' };
}

const TONES: Record<ShownOutcome['tone'], string> = {
  muted: 'text-muted',
  warn: 'text-warn',
  error: 'text-error',
};

/** The glyph and word of an outcome. */
export function OutcomeWord({ outcome: { tone, glyph, word } }: { readonly outcome: ShownOutcome }) {
  return (
    <span className={TONES[tone]}>
      <span aria-hidden="true">{glyph}</span> {word}
    </span>
  );
}

/** How a result breaks its schema, with a link to the problem. */
export function InvalidResultNote({ invalid: { id, sentence, more } }: { readonly invalid: InvalidResult }) {
  return (
    <p className="min-w-0 break-words border-l-2 border-error bg-error/6 px-3 py-1">
      <Sentence text={sentence} />
      {more > 0 && `, and ${countOf(more, 'more problem')}`}.{' '}
      <button type="button" className="text-link" onClick={() => navigate({ panel: 'problems', item: String(id) })}>
        Show the {more > 0 ? 'problems' : 'problem'}
      </button>
    </p>
  );
}
