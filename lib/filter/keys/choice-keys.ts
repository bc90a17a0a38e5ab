import { statusOf } from '@/lib/store/rows/http-row';
import type { Kind, Status } from '@/lib/store/rows/row';
import { STATUS_LABELS, statusText } from '@/lib/store/rows/row-text';
import { type Direction, FLAG } from '@/lib/wire/frame';
import type { FilterKey, FilterSubject, RowTest } from './filter-key';
import { pooledTest } from './word-keys';

/** One of the words that a key takes. */
export interface Choice {
  readonly note?: string;
  /** It is about rows that are hidden else. */
  readonly hidden?: true;
  readonly test: (subject: FilterSubject) => RowTest;
}

interface ChoiceKey extends Pick<FilterKey, 'name' | 'meaning' | 'wants'> {
  readonly choices: Readonly<Record<string, Choice>>;
}

/** A key that takes one of a few words. */
function choiceKey({ choices, ...key }: ChoiceKey): FilterKey {
  const words = Object.keys(choices);
  const choiceOf = (value: string) => choices[words.find((word) => word.toLowerCase() === value.toLowerCase()) ?? ''];
  return {
    ...key,
    examples: words,
    suggestions: words.map((value) => ({ value, note: choices[value]?.note })),
    asksForHidden: ({ value }) => choiceOf(value)?.hidden === true,
    faultOf: ({ value }) =>
      choiceOf(value) === undefined
        ? `${key.name}: takes ${words.slice(0, -1).join(', ')} or ${words.at(-1)}.`
        : undefined,
    testFor: ({ value }, subject) => choiceOf(value)!.test(subject),
  };
}

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
    pending: status('no answer yet', 'pending', http(STATUS_LABELS.pending)),
    unmatched: {
      note: 'no answer yet, but something that looks like it',
      test:
        ({ log: { columns } }) =>
        (index) =>
          columns.status(index) === 'pending' && columns.unmatched(index) !== undefined,
    },
    ok: status('a result', 'ok'),
    error: status('an error of JSON-RPC', 'error'),
    [STATUS_LABELS['tool-error']]: status('a result with isError', 'tool-error'),
    'tool-error': status('a result with isError', 'tool-error'),
    cancelled: status('given up by who asked', 'cancelled'),
    timeout: status('the client stopped waiting', 'timeout'),
    [STATUS_LABELS.lost]: status('the server was gone before it answered', 'lost'),
    lost: status('the server was gone before it answered', 'lost'),
    refused: status('refused, as expected: a probe, or a request in a session that was lost', 'refused'),
    failed: { note: 'an HTTP exchange that ended without an answer', test: http('failed') },
  },
});

/** How a request went, in the words of its row; for HTTP those are numbers. */
const STATUS_KEY: FilterKey = {
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

const FAILED: ReadonlySet<Status | undefined> = new Set<Status>(['error', 'tool-error', 'timeout', 'lost']);

const kinds = (note: string, ...wanted: Kind[]): Choice => ({
  note,
  test: ({ log: { columns } }) => {
    const [first, second] = wanted;
    return (index) => {
      const kind = columns.kind(index);
      return kind === first || kind === second;
    };
  },
});

const direction = (note: string, wanted: Direction): Choice => ({
  note,
  test:
    ({ log: { columns } }) =>
    (index) =>
      columns.direction(index) === wanted,
});

const flag = (note: string, bit: number): Choice => ({
  note,
  test:
    ({ log: { columns } }) =>
    (index) =>
      (columns.flags(index) & bit) !== 0,
});

export const CHOICE_KEYS: readonly FilterKey[] = [
  choiceKey({
    name: 'kind',
    meaning: 'What the frame is',
    wants: 'a kind of frame',
    choices: {
      request: kinds('wants an answer', 'request'),
      response: kinds('an answer: a result or an error', 'response', 'error'),
      result: kinds('an answer without an error', 'response'),
      error: kinds('an answer with an error', 'error'),
      notification: kinds('wants no answer', 'notification'),
      batch: kinds('several messages in one', 'batch'),
      junk: kinds('no message, where only messages may be', 'junk'),
      stderr: kinds('what the server printed on the side', 'stderr'),
      lifecycle: kinds('what happened to the connection', 'lifecycle'),
      http: { ...kinds('how messages travelled; shown even where HTTP is hidden', 'http'), hidden: true },
      note: { ...kinds('what people said afterwards, hidden else', 'note'), hidden: true },
    },
  }),
  choiceKey({
    name: 'dir',
    meaning: 'Where it went',
    wants: 'a direction',
    choices: {
      'to-server': direction('sent by the client', 'to-server'),
      'to-client': direction('sent by the server', 'to-client'),
    },
  }),
  STATUS_KEY,
  choiceKey({
    name: 'has',
    meaning: 'There is such a thing to it',
    wants: 'what it has',
    choices: {
      problem: {
        note: 'the rules found something in it',
        test:
          ({ problems }) =>
          (index) =>
            problems.of(index + 1).length > 0,
      },
      answer: {
        note: 'a request that was answered, or its answer',
        test: ({ log }) => {
          return (index) => log.columns.peer(index) !== undefined && log.columns.kind(index) !== 'notification';
        },
      },
      note: {
        note: 'a person has put a note on it',
        test:
          ({ log: { notes } }) =>
          (index) =>
            (notes.noteOn(index + 1)?.text ?? '') !== '',
      },
      bookmark: {
        note: 'a person has bookmarked it',
        test:
          ({ log: { notes } }) =>
          (index) =>
            notes.noteOn(index + 1)?.bookmark === true,
      },
      exchange: {
        note: 'it travelled on an HTTP exchange',
        test: ({ log: { columns } }) => {
          return (index) => columns.exchange(index) !== undefined && columns.channel(index) === 'protocol';
        },
      },
    },
  }),
  choiceKey({
    name: 'is',
    meaning: 'The row is so',
    wants: 'what it is',
    choices: {
      failed: {
        note: 'an error, a request that failed, junk, or a grave event',
        test: ({ log: { columns } }) => {
          return (index) => {
            const kind = columns.kind(index);
            const refused = columns.status(index) === 'refused';
            if (refused) return false;
            return (
              kind === 'error' ||
              kind === 'junk' ||
              columns.severity(index) === 'error' ||
              FAILED.has(columns.status(index))
            );
          };
        },
      },
      warning: {
        note: 'an event that is worth a warning',
        test:
          ({ log: { columns } }) =>
          (index) =>
            columns.severity(index) === 'warn',
      },
      'invalid-utf8': {
        note: 'its bytes are not UTF-8',
        test:
          ({ log: { columns } }) =>
          (index) =>
            columns.invalidUtf8(index),
      },
      unterminated: flag('no line feed ended it', FLAG.unterminated),
      continued: flag('the next frame goes on with its line', FLAG.continued),
    },
  }),
];

/** Of a log message, the least grave first (RFC 5424). */
const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

const COMPARED = /^(>=|<=|>|<)?([a-z]+)$/;

const COMPARISONS: ReadonlyMap<string | undefined, (rank: number, than: number) => boolean> = new Map([
  [undefined, (rank, than) => rank === than],
  ['>', (rank, than) => rank > than],
  ['>=', (rank, than) => rank >= than],
  ['<', (rank, than) => rank < than],
  ['<=', (rank, than) => rank <= than],
]);

/** How grave what the server logs is: a level, or all from or up to one. */
export const LEVEL_KEY: FilterKey = {
  name: 'level',
  meaning: 'A log message of the server (notifications/message) as grave as this, from debug to emergency',
  wants: 'a level',
  examples: ['error', '>=warning', '<info'],
  suggestions: [...LEVELS, '>=warning'].map((value) => ({ value })),
  asksForHidden: () => false,
  faultOf: ({ value }) =>
    readLevels(value)
      ? undefined
      : `level: takes ${LEVELS.slice(0, -1).join(', ')} or ${LEVELS.at(-1)}, or what is as grave: >=warning.`,
  testFor: ({ value }, subject) => {
    const { columns } = subject.log;
    return pooledTest(subject, readLevels(value)!, (index) =>
      columns.method(index) === 'notifications/message' ? columns.nameNumber(index) : 0,
    );
  },
};

/** Whether the level of a message is meant; undefined if the value names none. A level that is none never is. */
function readLevels(value: string): ((level: string) => boolean) | undefined {
  const [, sign, name = ''] = COMPARED.exec(value.toLowerCase()) ?? [];
  const than = LEVELS.indexOf(name);
  const compare = COMPARISONS.get(sign)!;
  if (than < 0) return undefined;
  return (level) => {
    const rank = LEVELS.indexOf(level.toLowerCase());
    return rank >= 0 && compare(rank, than);
  };
}
