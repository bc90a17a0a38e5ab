import type { FieldValue } from '../ast';
import type { FilterKey, FilterSubject, RowTest } from './filter-key';

interface PatternKey extends Pick<FilterKey, 'name' | 'meaning' | 'wants' | 'examples' | 'suggestions'> {
  /** The interned text of a row, by its number in the log's pool; 0 is none. */
  readonly numberOf: (subject: FilterSubject, index: number) => number;
}

/** A key whose values are texts that the log's pool holds: each of them is compared once, however many rows have it. */
function patternKey({ numberOf, ...key }: PatternKey): FilterKey {
  return {
    ...key,
    numberOf,
    asksForHidden: () => false,
    faultOf: () => undefined,
    testFor: (value, subject) => pooledTest(subject, patternTest(value), (index) => numberOf(subject, index)),
  };
}

/** Asks `fits` once for each text of the pool. Rows without a text never fit. */
export function pooledTest(
  { log }: FilterSubject,
  fits: (text: string) => boolean,
  numberOf: (index: number) => number,
): RowTest {
  // By number: 0 not asked yet, 1 no, 2 yes.
  let verdicts = new Uint8Array(1024);
  return (index) => {
    const number = numberOf(index);
    if (number === 0) return false;
    if (number >= verdicts.length) {
      const grown = new Uint8Array(2 * number);
      grown.set(verdicts);
      verdicts = grown;
    }
    if (verdicts[number] === 0) verdicts[number] = fits(log.columns.pooledText(number)!) ? 2 : 1;
    return verdicts[number] === 2;
  };
}

type NumberOf = (subject: FilterSubject, index: number) => number;

const methodOf: NumberOf = ({ log: { columns } }, index) => columns.methodNumber(columns.methodRow(index));
const nameOf: NumberOf = ({ log: { columns } }, index) => columns.nameNumber(columns.methodRow(index));

/** The name of rows about this method. Another name than the log's own pool gives would be a text compared for each row. */
const nameUnder = (fits: (method: string) => boolean): NumberOf => {
  return (subject, index) => {
    const method = subject.log.columns.pooledText(methodOf(subject, index));
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
    logValues: ({ problems }) => [...new Set(problems.all.map(({ rule }) => rule))],
    asksForHidden: () => false,
    faultOf: () => undefined,
    testFor: (value, { problems }) => {
      const fits = patternTest(value);
      return (index) => problems.of(index + 1).some(({ rule, severity }) => fits(rule) || fits(severity));
    },
  },
];

/**
 * The test for a word in which `*` is any number of characters; in quotes it is itself. The whole text must fit, upper or
 * lower case. Takes time in proportion to the text, however many stars there are.
 */
export function patternTest({ value, quoted }: FieldValue): (text: string) => boolean {
  const wanted = value.toLowerCase();
  if (quoted || !wanted.includes('*')) return (text) => text.toLowerCase() === wanted;
  const [first = '', ...rest] = wanted.split('*');
  const last = rest.pop()!;
  return (text) => {
    const lower = text.toLowerCase();
    if (!lower.startsWith(first) || lower.length < first.length + last.length || !lower.endsWith(last)) return false;
    let at = first.length;
    for (const piece of rest) {
      const found = lower.indexOf(piece, at);
      if (found < 0) return false;
      at = found + piece.length;
    }
    return at <= lower.length - last.length;
  };
}
