import type { Kind, Status } from '@/lib/store/row';
import { type Direction, FLAG } from '@/lib/wire/frame';
import { type Choice, choiceKey } from './choice-key';
import type { FilterKey } from './filter-key';
import { STATUS_KEY } from './status-key';

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
            (notes.of(index + 1)?.text ?? '') !== '',
      },
      bookmark: {
        note: 'a person has bookmarked it',
        test:
          ({ log: { notes } }) =>
          (index) =>
            notes.of(index + 1)?.bookmark === true,
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
