import { CHANNELS } from '@/lib/wire/frame';
import { patternTest } from '../language/pattern';
import { pooledTest } from '../pooled-test';
import type { FilterKey, FilterSubject } from './filter-key';

interface PatternKey extends Pick<FilterKey, 'name' | 'meaning' | 'expects' | 'examples' | 'suggestions'> {
  /** Returns a row's text as its number in the log's string pool; 0 for none. */
  readonly numberOf: (subject: FilterSubject, index: number) => number;
}

/** Builds a key whose values are pooled strings. */
function patternKey({ numberOf, ...key }: PatternKey): FilterKey {
  return {
    ...key,
    numberOf,
    showsHidden: () => false,
    faultOf: () => undefined,
    testFor: (value, subject) => pooledTest(subject, patternTest(value), (index) => numberOf(subject, index)),
  };
}

type NumberOf = (subject: FilterSubject, index: number) => number;

const methodOf: NumberOf = ({ log: { columns } }, index) => columns.methodNumber(columns.methodRow(index));
const nameOf: NumberOf = ({ log: { columns } }, index) => columns.nameNumber(columns.nameRow(index));

/** Returns the names of rows with a matching method. */
const nameUnder = (fits: (method: string) => boolean): NumberOf => {
  return (subject, index) => {
    const method = subject.log.columns.pooledText(methodOf(subject, index));
    return method !== undefined && fits(method) ? nameOf(subject, index) : 0;
  };
};

/** Returns the names of units of telemetry of this kind. */
const unitName =
  (unit: string): NumberOf =>
  ({ log: { columns } }, index) =>
    columns.kind(index) === 'other' && columns.method(index) === unit ? columns.nameNumber(index) : 0;

export const WORD_KEYS: readonly FilterKey[] = [
  patternKey({
    name: 'method',
    meaning: 'Method. A response has the method of its request',
    expects: 'a method',
    examples: ['tools/call', 'tools/*', '*/list'],
    suggestions: [],
    numberOf: methodOf,
  }),
  patternKey({
    name: 'tool',
    meaning: 'Calls of this tool and their responses',
    expects: 'a tool name',
    examples: ['echo', 'get-*'],
    suggestions: [],
    numberOf: nameUnder((method) => method === 'tools/call'),
  }),
  patternKey({
    name: 'prompt',
    meaning: 'Requests for this prompt and their responses',
    expects: 'a prompt name',
    examples: ['greeting', 'review-*'],
    suggestions: [],
    numberOf: nameUnder((method) => method === 'prompts/get'),
  }),
  patternKey({
    name: 'uri',
    meaning: 'Messages about this resource',
    expects: 'a resource URI',
    examples: ['file:///notes.txt', 'file://*'],
    suggestions: [],
    numberOf: nameUnder((method) => /^(notifications\/)?resources\//.test(method)),
  }),
  patternKey({
    name: 'name',
    meaning: 'Tool, prompt, URI or log level that the message names',
    expects: 'a name',
    examples: ['echo', '*warning*'],
    suggestions: [],
    numberOf: nameOf,
  }),
  patternKey({
    name: 'span',
    meaning: 'OpenTelemetry spans with this name',
    expects: 'the name of a span',
    examples: ['db.query', '"GET *"'],
    suggestions: [],
    numberOf: unitName('span'),
  }),
  patternKey({
    name: 'service',
    meaning: 'Spans, log records and metrics of this service',
    expects: 'the name of a service',
    examples: ['my-server', '*-api'],
    suggestions: [],
    numberOf: ({ log: { columns } }, index) => columns.serviceNumber(index),
  }),
  {
    ...patternKey({
      name: 'channel',
      meaning: 'Channel of the frame, as a recording names it',
      expects: 'a channel',
      examples: ['protocol', 'stderr', 'otel', 'x-*'],
      suggestions: CHANNELS.map((value) => ({ value })),
      numberOf: ({ log: { columns } }, index) => columns.channelNumber(index),
    }),
    showsHidden: ({ value }) => value.toLowerCase() === 'http',
  },
  {
    name: 'id',
    meaning: 'Request id. In quotes, only string ids',
    expects: 'an id',
    examples: ['7', '"7"', 'call-*'],
    suggestions: [],
    showsHidden: () => false,
    faultOf: () => undefined,
    testFor: (value, { log: { columns } }) => {
      const fits = patternTest(value);
      return (index) => {
        const id = columns.id(index);
        return typeof id === 'string' ? fits(id) : id !== undefined && !value.quoted && fits(String(id));
      };
    },
  },
  {
    name: 'problem',
    meaning: 'Rule or severity of a problem in the frame',
    expects: 'a rule id or a severity',
    examples: ['error', 'id-*', 'warning'],
    suggestions: ['error', 'warning', 'info'].map((value) => ({ value })),
    logValues: ({ problems }) => [...new Set(problems.all.map(({ rule }) => rule))],
    showsHidden: () => false,
    faultOf: () => undefined,
    testFor: (value, { problems }) => {
      const fits = patternTest(value);
      return (index) => problems.of(index + 1).some(({ rule, severity }) => fits(rule) || fits(severity));
    },
  },
];
