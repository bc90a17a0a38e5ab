import type { Subject } from '../subject';
import type { FilterKey } from './filter-key';
import { patternTest } from './pattern';
import { patternKey } from './pattern-key';

type NumberOf = (subject: Subject, index: number) => number;

const methodOf: NumberOf = ({ log: { columns } }, index) => columns.methodNumber(columns.about(index));
const nameOf: NumberOf = ({ log: { columns } }, index) => columns.nameNumber(columns.about(index));

/** The name of rows about this method. Another name than the log's own pool gives would be a text compared for each row. */
const nameUnder = (fits: (method: string) => boolean): NumberOf => {
  return (subject, index) => {
    const method = subject.log.columns.text(methodOf(subject, index));
    return method !== undefined && fits(method) ? nameOf(subject, index) : 0;
  };
};

export const WORD_KEYS: readonly FilterKey[] = [
  patternKey({
    name: 'method',
    meaning: 'The method; of an answer, that of its request',
    wants: 'a method',
    examples: ['tools/call', 'tools/*', '*/list'],
    suggestions: [],
    numberOf: methodOf,
  }),
  patternKey({
    name: 'tool',
    meaning: 'A call of this tool, or its answer',
    wants: 'the name of a tool',
    examples: ['echo', 'get-*'],
    suggestions: [],
    numberOf: nameUnder((method) => method === 'tools/call'),
  }),
  patternKey({
    name: 'prompt',
    meaning: 'Gets this prompt, or is the answer',
    wants: 'the name of a prompt',
    examples: ['greeting', 'review-*'],
    suggestions: [],
    numberOf: nameUnder((method) => method === 'prompts/get'),
  }),
  patternKey({
    name: 'uri',
    meaning: 'About the resource with this address',
    wants: 'the address of a resource',
    examples: ['file:///notes.txt', 'file://*'],
    suggestions: [],
    numberOf: nameUnder((method) => /^(notifications\/)?resources\//.test(method)),
  }),
  patternKey({
    name: 'name',
    meaning: 'What the message is about: a tool, a prompt, an address, a level',
    wants: 'a name',
    examples: ['echo', '*warning*'],
    suggestions: [],
    numberOf: nameOf,
  }),
  {
    name: 'id',
    meaning: 'The id. In quotes only an id that is a string',
    wants: 'an id',
    examples: ['7', '"7"', 'call-*'],
    suggestions: [],
    asksForHidden: () => false,
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
    meaning: 'The rules found this in it',
    wants: 'the id of a rule, or how grave it is',
    examples: ['error', 'id-*', 'warning'],
    suggestions: ['error', 'warning', 'info'].map((value) => ({ value })),
    words: ({ problems }) => [...new Set(problems.all.map(({ rule }) => rule))],
    asksForHidden: () => false,
    faultOf: () => undefined,
    testFor: (value, { problems }) => {
      const fits = patternTest(value);
      return (index) => problems.of(index + 1).some(({ rule, severity }) => fits(rule) || fits(severity));
    },
  },
];
