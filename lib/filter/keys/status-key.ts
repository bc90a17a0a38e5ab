import { statusOf } from '@/lib/store/http-row';
import type { Status } from '@/lib/store/row';
import { STATUS_WORDS, statusText } from '@/lib/store/row-words';
import { type Choice, choiceKey } from './choice-key';
import type { FilterKey } from './filter-key';

/** A status of HTTP, or all of a hundred. */
const HTTP_STATUS = /^[1-5](?:\d\d|xx)$/i;

/** Rows of HTTP exchanges that say this. */
const http: (words: string) => Choice['test'] = (words) => {
  return ({ log }) =>
    (index) =>
      log.columns.kind(index) === 'http' && statusText(log.row(index)) === words;
};

/** Messages with this status, and whatever else says so. */
const status = (note: string, wanted: Status, others?: Choice['test']): Choice => ({
  note,
  test: (subject) => {
    const { columns } = subject.log;
    const other = others?.(subject);
    return (index) => columns.status(index) === wanted || other?.(index) === true;
  },
});

const OUTCOMES = choiceKey({
  name: 'status',
  meaning: 'How a request went; of an answer, what it says; of an HTTP exchange, its number',
  wants: 'a status',
  choices: {
    pending: status('no answer yet', 'pending', http(STATUS_WORDS.pending)),
    unmatched: {
      note: 'no answer yet, but something that looks like it',
      test:
        ({ log: { columns } }) =>
        (index) =>
          columns.status(index) === 'pending' && columns.unmatched(index) !== undefined,
    },
    ok: status('a result', 'ok'),
    error: status('an error of JSON-RPC', 'error'),
    [STATUS_WORDS['tool-error']]: status('a result with isError', 'tool-error'),
    'tool-error': status('a result with isError', 'tool-error'),
    cancelled: status('given up by who asked', 'cancelled'),
    timeout: status('the client stopped waiting', 'timeout'),
    [STATUS_WORDS.lost]: status('the server was gone before it answered', 'lost'),
    lost: status('the server was gone before it answered', 'lost'),
    refused: status('refused, as expected: a probe, or a request in a session that was lost', 'refused'),
    failed: { note: 'an HTTP exchange that ended without an answer', test: http('failed') },
  },
});

/** How a request went, in the words of its row; for HTTP those are numbers. */
export const STATUS_KEY: FilterKey = {
  ...OUTCOMES,
  examples: ['error', 'pending', '404', '4xx'],
  asksForHidden: ({ value }) => HTTP_STATUS.test(value),
  faultOf: (value) => {
    const fault = HTTP_STATUS.test(value.value) ? undefined : OUTCOMES.faultOf(value);
    return fault?.replace(/\.$/, ', or a status of HTTP such as 404 or 4xx.');
  },
  testFor: (value, subject) => {
    if (!HTTP_STATUS.test(value.value)) return OUTCOMES.testFor(value, subject);
    const { log } = subject;
    const hundred = /x/i.test(value.value);
    const wanted = hundred ? Number(value.value[0]) : Number(value.value);
    return (index) => {
      if (log.columns.kind(index) !== 'http') return false;
      const found = statusOf(index + 1, log.httpExchange(log.columns.exchange(index)));
      return found !== undefined && (hundred ? Math.floor(found / 100) : found) === wanted;
    };
  },
};
