import { frameStatus } from '@/lib/store/rows/http-row';
import type { RowKind, RowStatus } from '@/lib/store/rows/row';
import { STATUS_LABELS, statusText } from '@/lib/store/rows/row-text';
import { type Direction, FLAG } from '@/lib/wire/frame';
import { FILTER_LEVELS, readLevels } from '../language/level-range';
import { pooledTest } from '../pooled-test';
import type { FilterKey, FilterSubject, RowTest } from './filter-key';

/** A word that a key accepts. */
interface Choice {
  readonly note?: string;
  /** True if the word selects rows that are otherwise hidden. */
  readonly hidden?: true;
  readonly test: (subject: FilterSubject) => RowTest;
}

interface ChoiceKey extends Pick<FilterKey, 'name' | 'meaning' | 'expects'> {
  readonly choices: Readonly<Record<string, Choice>>;
  /** Other words for the choices, which are accepted but not suggested: those of earlier versions. */
  readonly aliases?: Readonly<Record<string, string>>;
}

/** Builds a key that accepts one of a few words. Words with a hyphen can be written with a space, in quotes. */
function choiceKey({ choices, aliases = {}, ...key }: ChoiceKey): FilterKey {
  const words = Object.keys(choices);
  const all = new Map(
    [...words.map((word) => [word, word] as const), ...Object.entries(aliases)].map(([word, choice]) => [
      word.toLowerCase(),
      choices[choice]!,
    ]),
  );
  const choiceOf = (value: string) => all.get(value.toLowerCase().replaceAll(' ', '-'));
  return {
    ...key,
    examples: words,
    suggestions: words.map((value) => ({ value, note: choices[value]?.note })),
    showsHidden: ({ value }) => choiceOf(value)?.hidden === true,
    faultOf: ({ value }) =>
      choiceOf(value) === undefined
        ? `${key.name}: must be ${words.slice(0, -1).join(', ')} or ${words.at(-1)}.`
        : undefined,
    testFor: ({ value }, subject) => choiceOf(value)!.test(subject),
  };
}

/** An HTTP status, or a class such as 4xx. */
const HTTP_STATUS = /^[1-5](?:\d\d|xx)$/i;

/** Rows of HTTP exchanges with this status label. */
const http: (words: string) => Choice['test'] = (words) => {
  return ({ log }) =>
    (index) =>
      log.columns.kind(index) === 'http' && statusText(log.row(index)) === words;
};

const invalidResult: Choice['test'] =
  ({ problems }) =>
  (index) =>
    problems.hasInvalidResult(index + 1);

/** Messages with this status, and rows that `others` accepts. */
const status = (note: string, wanted: RowStatus, others?: Choice['test']): Choice => ({
  note,
  test: (subject) => {
    const { columns } = subject.log;
    const other = others?.(subject);
    return (index) => columns.status(index) === wanted || other?.(index) === true;
  },
});

const OUTCOMES = choiceKey({
  name: 'status',
  meaning: 'Outcome of a request, response or span, or the status of an HTTP exchange',
  expects: 'a status',
  choices: {
    'in-flight': status('no response yet', 'pending', http(STATUS_LABELS.pending)),
    unmatched: {
      note: 'no response yet, but a frame looks like the response',
      test:
        ({ log: { columns } }) =>
        (index) =>
          columns.status(index) === 'pending' && columns.unmatched(index) !== undefined,
    },
    ok: {
      note: 'result',
      test:
        ({ log: { columns }, problems }) =>
        (index) =>
          columns.status(index) === 'ok' && !problems.hasInvalidResult(index + 1),
    },
    error: status('JSON-RPC error, result that breaks its schema, or failed span', 'error', invalidResult),
    isError: status('result with isError: true', 'tool-error'),
    cancelled: status('cancelled by the sender', 'cancelled'),
    'timed-out': status('the client stopped waiting', 'timeout'),
    'no-response': status('no response can come any more', 'lost'),
    refused: status('refused as expected: a probe, or a request in a lost session', 'refused'),
    failed: { note: 'HTTP exchange that ended without a response', test: http('failed') },
  },
  aliases: {
    pending: 'in-flight',
    'tool-error': 'isError',
    timeout: 'timed-out',
    'no-answer': 'no-response',
    lost: 'no-response',
  },
});

/** `status:` accepts the status labels of rows, and HTTP status numbers. */
const STATUS_KEY: FilterKey = {
  ...OUTCOMES,
  examples: ['error', 'in-flight', '404', '4xx'],
  showsHidden: ({ value }) => HTTP_STATUS.test(value),
  faultOf: (value) => {
    const fault = HTTP_STATUS.test(value.value) ? undefined : OUTCOMES.faultOf(value);
    return fault?.replace(/\.$/, ', or an HTTP status such as 404 or 4xx.');
  },
  testFor: (value, subject) => {
    if (!HTTP_STATUS.test(value.value)) return OUTCOMES.testFor(value, subject);
    const { log } = subject;
    const hundred = /x/i.test(value.value);
    const wanted = hundred ? Number(value.value[0]) : Number(value.value);
    return (index) => {
      if (log.columns.kind(index) !== 'http') return false;
      const found = frameStatus(index + 1, log.httpExchange(log.columns.exchange(index)));
      return found !== undefined && (hundred ? Math.floor(found / 100) : found) === wanted;
    };
  },
};

const FAILED: ReadonlySet<RowStatus | undefined> = new Set<RowStatus>(['error', 'tool-error', 'timeout', 'lost']);

const kinds = (note: string, ...wanted: RowKind[]): Choice => ({
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
    meaning: 'Kind of frame',
    expects: 'a kind of frame',
    choices: {
      request: kinds('expects a response', 'request'),
      response: kinds('result or error', 'response', 'error'),
      result: kinds('response without an error', 'response'),
      error: kinds('response with an error', 'error'),
      notification: kinds('expects no response', 'notification'),
      batch: kinds('several messages in one array', 'batch'),
      junk: kinds('not an MCP message', 'junk'),
      stderr: kinds('server output on stderr', 'stderr'),
      lifecycle: kinds('connection events', 'lifecycle'),
      http: { ...kinds('HTTP details, shown even while HTTP is off', 'http'), hidden: true },
      note: { ...kinds('notes added by people, otherwise hidden', 'note'), hidden: true },
      other: kinds('frames of other channels, such as telemetry', 'other'),
    },
  }),
  choiceKey({
    name: 'dir',
    meaning: 'Direction',
    expects: 'a direction',
    choices: {
      'to-server': direction('sent by the client', 'to-server'),
      'to-client': direction('sent by the server', 'to-client'),
    },
  }),
  STATUS_KEY,
  choiceKey({
    name: 'has',
    meaning: 'Rows with a problem, response, note, bookmark or HTTP exchange',
    expects: 'a property',
    choices: {
      problem: {
        note: 'frames with an error or a warning of the rules',
        test:
          ({ problems }) =>
          (index) =>
            problems.of(index + 1).some(({ severity }) => severity !== 'info'),
      },
      response: {
        note: 'answered requests and their responses',
        test: ({ log }) => {
          return (index) => log.columns.peer(index) !== undefined && log.columns.kind(index) !== 'notification';
        },
      },
      note: {
        note: 'frames with a note',
        test:
          ({ log: { notes } }) =>
          (index) =>
            (notes.noteOn(index + 1)?.text ?? '') !== '',
      },
      bookmark: {
        note: 'bookmarked frames',
        test:
          ({ log: { notes } }) =>
          (index) =>
            notes.noteOn(index + 1)?.bookmark === true,
      },
      exchange: {
        note: 'messages sent over HTTP',
        test: ({ log: { columns } }) => {
          return (index) => columns.exchange(index) !== undefined && columns.channel(index) === 'protocol';
        },
      },
    },
    aliases: { answer: 'response' },
  }),
  choiceKey({
    name: 'is',
    meaning: 'Failures, warnings, irregular frames and intercepted messages',
    expects: 'a state',
    choices: {
      failed: {
        note: 'errors, failed requests, invalid results, non-MCP output and serious events',
        test: ({ log: { columns }, problems }) => {
          return (index) => {
            const kind = columns.kind(index);
            const refused = columns.status(index) === 'refused';
            if (refused) return false;
            return (
              kind === 'error' ||
              kind === 'junk' ||
              columns.severity(index) === 'error' ||
              FAILED.has(columns.status(index)) ||
              problems.hasInvalidResult(index + 1)
            );
          };
        },
      },
      warning: {
        note: 'events with a warning',
        test:
          ({ log: { columns } }) =>
          (index) =>
            columns.severity(index) === 'warn',
      },
      intercepted: {
        note: 'messages that a rule took, and its events',
        test:
          ({ log: { interceptions } }) =>
          (index) =>
            interceptions.of(index + 1) !== undefined,
      },
      'invalid-utf8': {
        note: 'bytes are not valid UTF-8',
        test:
          ({ log: { columns } }) =>
          (index) =>
            columns.invalidUtf8(index),
      },
      unterminated: flag('no line feed at the end', FLAG.unterminated),
      continued: flag('the next frame continues the line', FLAG.continued),
    },
  }),
];

/** `level:` accepts a log level, or a comparison such as `>=warning`. */
export const LEVEL_KEY: FilterKey = {
  name: 'level',
  meaning: 'Level of a log message (notifications/message) or log record, from debug to emergency',
  expects: 'a level',
  examples: ['error', '>=warning', '<info'],
  suggestions: [...FILTER_LEVELS, '>=warning'].map((value) => ({ value })),
  showsHidden: () => false,
  faultOf: ({ value }) =>
    readLevels(value)
      ? undefined
      : `level: must be ${FILTER_LEVELS.slice(0, -1).join(', ')} or ${FILTER_LEVELS.at(-1)}, or a comparison such as >=warning.`,
  testFor: ({ value }, subject) => {
    const { columns } = subject.log;
    return pooledTest(subject, readLevels(value)!, (index) => {
      const wanted = columns.kind(index) === 'other' ? 'log' : 'notifications/message';
      return columns.method(index) === wanted ? columns.nameNumber(index) : 0;
    });
  },
};
