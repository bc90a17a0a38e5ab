import type { FieldValue, Filter } from '@/lib/filter/language/ast';
import { type FilterFault, type KeyTable, type LanguageKey, parseWith } from '@/lib/filter/language/grammar';
import { FILTER_LEVELS, readLevels } from '@/lib/filter/language/level-range';
import { BYTES, isInRange, readRange } from '@/lib/filter/language/number-range';
import { patternTest } from '@/lib/filter/language/pattern';
import { isObject, own } from '@/lib/json/value';
import type { PassingFrame, PassingMessage } from './passing-message';

/** Returns true for a message that matches. */
type MessageTest = (message: PassingMessage, frame: PassingFrame) => boolean;

/** A key of the log's filter language whose value is known as a message passes. It means the same there. */
interface PassingKey extends LanguageKey {
  readonly testFor: (value: FieldValue) => MessageTest;
}

function patternKey(
  name: string,
  examples: readonly string[],
  expects: string,
  textOf: (message: PassingMessage) => string | undefined,
): PassingKey {
  return {
    name,
    expects,
    examples,
    faultOf: () => undefined,
    testFor(value) {
      const fits = patternTest(value);
      return (message) => {
        const text = textOf(message);
        return text !== undefined && fits(text);
      };
    },
  };
}

function choiceKey(
  name: string,
  expects: string,
  choices: Readonly<Record<string, MessageTest>>,
  aliases: Readonly<Record<string, string>> = {},
): PassingKey {
  const words = Object.keys(choices);
  const choiceOf = (value: string): MessageTest | undefined => {
    const word = value.toLowerCase().replaceAll(' ', '-');
    const found = words.find((choice) => choice.toLowerCase() === word) ?? aliases[word];
    return found === undefined ? undefined : choices[found];
  };
  return {
    name,
    expects,
    examples: words,
    faultOf: ({ value }) =>
      choiceOf(value) ? undefined : `${name}: must be ${words.slice(0, -1).join(', ')} or ${words.at(-1)} here.`,
    testFor: ({ value }) => choiceOf(value)!,
  };
}

/** Returns a message's name if it belongs to a method that `fits` accepts. */
const nameUnder = (fits: (method: string) => boolean) => (message: PassingMessage) =>
  message.method !== undefined && fits(message.method) ? message.name : undefined;

const kinds =
  (...wanted: readonly PassingMessage['kind'][]): MessageTest =>
  ({ kind }) =>
    wanted.includes(kind);

const isToolError: MessageTest = ({ kind, body }) => {
  const result = kind === 'response' && body ? own(body, 'result') : undefined;
  return isObject(result) && own(result, 'isError') === true;
};

const ROWS: readonly PassingKey[] = [
  patternKey('method', ['tools/call', 'tools/*', '*/list'], 'a method', ({ method }) => method),
  patternKey(
    'tool',
    ['echo', 'get-*'],
    'a tool name',
    nameUnder((method) => method === 'tools/call'),
  ),
  patternKey(
    'prompt',
    ['greeting', 'review-*'],
    'a prompt name',
    nameUnder((method) => method === 'prompts/get'),
  ),
  patternKey(
    'uri',
    ['file:///notes.txt', 'file://*'],
    'a resource URI',
    nameUnder((method) => /^(notifications\/)?resources\//.test(method)),
  ),
  patternKey('name', ['echo', '*warning*'], 'a name', ({ name }) => name),
  choiceKey('kind', 'a kind of message', {
    request: kinds('request'),
    response: kinds('response', 'error'),
    result: kinds('response'),
    error: kinds('error'),
    notification: kinds('notification'),
    batch: (_message, { isBatch }) => isBatch,
    junk: kinds('junk'),
  }),
  choiceKey('dir', 'a direction', {
    'to-server': ({ direction }) => direction === 'to-server',
    'to-client': ({ direction }) => direction === 'to-client',
  }),
  choiceKey(
    'status',
    'the outcome of a response',
    {
      ok: (message, frame) => message.kind === 'response' && !isToolError(message, frame),
      error: kinds('error'),
      isError: isToolError,
    },
    { 'tool-error': 'isError' },
  ),
  {
    name: 'id',
    expects: 'an id',
    examples: ['7', '"7"', 'call-*'],
    faultOf: () => undefined,
    testFor(value) {
      const fits = patternTest(value);
      return ({ id }) => (typeof id === 'string' ? fits(id) : id !== undefined && !value.quoted && fits(String(id)));
    },
  },
  {
    name: 'level',
    expects: 'a level',
    examples: ['error', '>=warning', '<info'],
    faultOf: ({ value }) =>
      readLevels(value) ? undefined : `level: must be ${FILTER_LEVELS.join(', ')}, or a comparison such as >=warning.`,
    testFor({ value }) {
      const fits = readLevels(value)!;
      return ({ method, name }) => method === 'notifications/message' && name !== undefined && fits(name);
    },
  },
  {
    name: 'size',
    expects: 'a number of bytes',
    examples: ['>100kb', '<1kb', '1mb..10mb'],
    faultOf: ({ value }) =>
      readRange(value, BYTES) ? undefined : 'size: needs a number of bytes, for example >100kb or 1mb..10mb.',
    testFor({ value }) {
      const range = readRange(value, BYTES)!;
      return (_message, { bytes }) => isInRange(range, bytes);
    },
  },
];

const KEYS: ReadonlyMap<string, PassingKey> = new Map(ROWS.map((key) => [key.name, key]));

/** The keys that rules may use, in the order of the documentation. */
export const PASSING_KEYS: readonly string[] = [...KEYS.keys()];

const TABLE: KeyTable = {
  get: (name) => KEYS.get(name),
  explain: (name) =>
    `${name}: is not known as a message passes. These keys are: ${PASSING_KEYS.map((key) => `${key}:`).join(' ')}. ` +
    'To search for the text, put it in quotes.',
};

/** Returns the test of a frame's messages. What concerns the whole frame is found out once. */
export type FrameFilter = (frame: PassingFrame) => (message: PassingMessage) => boolean;

/** Returns the first error of a rule's filter, and its place; undefined for a valid one. */
export function passingFault(text: string): FilterFault | undefined {
  const parsed = parseWith(TABLE, text);
  if (!parsed.ok) return parsed.fault;
  // A slow expression would stop all messages, and its text comes from the other side.
  const message = 'A rule can’t have regular expressions. Use text, or a key whose value has *.';
  return parsed.filter && hasRegex(parsed.filter) ? { code: 'bad-regex', at: 0, end: text.length, message } : undefined;
}

/** Compiles a rule's filter. Returns a sentence for an error. '' matches every message. */
export function compilePassing(text: string): FrameFilter | string {
  const fault = passingFault(text);
  if (fault) return fault.message;
  const parsed = parseWith(TABLE, text);
  if (!parsed.ok || parsed.filter === undefined) return () => () => true;
  return filterOf(parsed.filter);
}

function hasRegex(filter: Filter): boolean {
  switch (filter.type) {
    case 'regex':
      return true;
    case 'not':
      return hasRegex(filter.part);
    case 'all':
    case 'any':
      return filter.parts.some(hasRegex);
    default:
      return false;
  }
}

function filterOf(filter: Filter): FrameFilter {
  switch (filter.type) {
    case 'text': {
      const wanted = filter.text.toLowerCase();
      return (frame) => {
        let found: boolean | undefined;
        return () => (found ??= frame.lowerText().includes(wanted));
      };
    }
    case 'field': {
      const test = KEYS.get(filter.key)!.testFor(filter);
      return (frame) => (message) => test(message, frame);
    }
    case 'not': {
      const part = filterOf(filter.part);
      return (frame) => {
        const test = part(frame);
        return (message) => !test(message);
      };
    }
    case 'all': {
      const parts = filter.parts.map(filterOf);
      return (frame) => {
        const tests = parts.map((part) => part(frame));
        return (message) => tests.every((test) => test(message));
      };
    }
    case 'any': {
      const parts = filter.parts.map(filterOf);
      return (frame) => {
        const tests = parts.map((part) => part(frame));
        return (message) => tests.some((test) => test(message));
      };
    }
    default:
      return () => () => false;
  }
}
