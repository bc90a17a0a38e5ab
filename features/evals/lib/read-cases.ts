import { type Document, isNode, LineCounter, parseDocument } from 'yaml';
import type { ChatLimits } from '@/features/chat/lib/chat-frame';
import { typeWords } from '@/lib/json/type-words';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import type { ArgumentTest, CasesFile, EvalCase, Expectation, ExpectedCall, ValueTest } from './eval-case';

/** Most cases of a file. */
const MOST_CASES = 10_000;
/** Most repetitions of a case. */
export const MOST_REPEATS = 1000;
/** Most times that aliases repeat a part of the file. */
const MOST_ALIASES = 100;

/** Thrown for a text that is not a file of cases. The message is a sentence that names the place. */
export class CasesError extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'CasesError';
  }
}

/** Reads cases from YAML or JSON. Throws a {@link CasesError}. */
export function readCases(text: string): CasesFile {
  const lines = new LineCounter();
  // Pretty errors quote the file.
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'silent' });
  const [error] = document.errors;
  if (error) {
    const { line, col } = lines.linePos(error.pos[0]);
    throw new CasesError(`Line ${line}, column ${col}: it is not valid YAML (${words(error.code)}).`);
  }
  return readFile(new Place(plainValue(document), [], document, lines));
}

function plainValue(document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: MOST_ALIASES });
  } catch {
    throw new CasesError('It repeats itself too often, or an alias has no anchor.');
  }
}

/** `BAD_INDENT` as words. */
function words(code: string): string {
  return code.replaceAll('_', ' ').toLowerCase();
}

/** A value of the file, and where it is. */
class Place {
  readonly value: unknown;
  readonly #path: readonly (string | number)[];
  readonly #document: Document;
  readonly #lines: LineCounter;

  constructor(value: unknown, path: readonly (string | number)[], document: Document, lines: LineCounter) {
    this.value = value;
    this.#path = path;
    this.#document = document;
    this.#lines = lines;
  }

  get line(): number {
    // A member that is missing is reported where its object begins.
    for (let length = this.#path.length; length >= 0; length--) {
      const node = this.#document.getIn(this.#path.slice(0, length), true);
      if (isNode(node) && node.range) return this.#lines.linePos(node.range[0]).line;
    }
    return 1;
  }

  /** Throws a {@link CasesError}. `what` continues a sentence about the value. */
  fail(what: string): never {
    const name = this.#path.reduce<string>(
      (text, part) => (typeof part === 'number' ? `${text}[${part}]` : text === '' ? part : `${text}.${part}`),
      '',
    );
    throw new CasesError(`Line ${this.line}: ${name === '' ? 'the file' : `\`${name.slice(0, 200)}\``} ${what}`);
  }

  /** Returns a member; undefined if it is missing. */
  member(name: string): Place | undefined {
    const value = isObject(this.value) ? own(this.value, name) : undefined;
    return value === undefined ? undefined : this.#at(name, value);
  }

  required(name: string): Place {
    return this.member(name) ?? this.#at(name, undefined).fail('is missing.');
  }

  /** Requires an object that has no other members. */
  object(known?: readonly string[]): JsonObject {
    if (!isObject(this.value)) return this.#wrongType('an object');
    const unknown = known && Object.keys(this.value).find((name) => !known.includes(name));
    if (unknown !== undefined && known)
      this.#at(unknown, own(this.value, unknown)).fail(`is not known here. There are ${known.join(', ')}.`);
    return this.value;
  }

  entries(): readonly (readonly [string, Place])[] {
    return Object.entries(this.object()).map(([name, value]) => [name, this.#at(name, value)] as const);
  }

  items(): readonly Place[] {
    if (!Array.isArray(this.value)) return this.#wrongType('a list');
    return this.value.map((value: unknown, index) => this.#at(index, value));
  }

  /** Returns the items of a list, or the value alone. */
  itemsOrOne(): readonly Place[] {
    return Array.isArray(this.value) ? this.items() : [this];
  }

  text(): string {
    if (typeof this.value !== 'string' || this.value === '') return this.#wrongType('a text');
    return this.value;
  }

  number(): number {
    if (typeof this.value !== 'number' || !Number.isFinite(this.value)) return this.#wrongType('a number');
    return this.value;
  }

  count(least: number, most: number): number {
    const number = this.number();
    if (!Number.isInteger(number) || number < least || number > most)
      this.fail(`is ${number}, expected a whole number from ${least} to ${most}.`);
    return number;
  }

  flag(): boolean {
    if (typeof this.value !== 'boolean') return this.#wrongType('true or false');
    return this.value;
  }

  #at(part: string | number, value: unknown): Place {
    return new Place(value, [...this.#path, part], this.#document, this.#lines);
  }

  #wrongType(expected: string): never {
    return this.fail(`is ${this.value === '' ? 'empty' : typeWords(this.value)}, expected ${expected}.`);
  }
}

const FILE_MEMBERS = [
  'config',
  'model',
  'models',
  'repeat',
  'system',
  'temperature',
  'toolMode',
  'limits',
  'servers',
  'fresh',
  'answers',
  'cases',
];
const LIMITS: readonly (keyof ChatLimits)[] = ['calls', 'outputTokens', 'seconds', 'resultChars', 'tokensPerAnswer'];
/** Largest limit. */
const MOST_LIMIT = 100_000_000;

function readFile(file: Place): CasesFile {
  file.object(FILE_MEMBERS);
  const cases = file.required('cases').items();
  if (cases.length === 0) file.required('cases').fail('is empty: give at least one case.');
  if (cases.length > MOST_CASES) file.required('cases').fail(`has more than ${MOST_CASES} cases.`);
  const shared = readShared(file);
  const names = new Map<string, number>();
  const read = cases.map((place, index) => {
    const one = readCase(place, index, shared);
    const before = names.get(one.name);
    if (before !== undefined) place.fail(`has the name “${one.name}”, like the case in line ${before}: rename one.`);
    names.set(one.name, one.line);
    return one;
  });
  const mode = file.member('toolMode');
  if (mode && mode.value !== 'native' && mode.value !== 'described') mode.fail('must be native or described.');
  return {
    models: ['model', 'models'].flatMap(
      (name) =>
        file
          .member(name)
          ?.itemsOrOne()
          .map((one) => one.text()) ?? [],
    ),
    limits: readLimits(file.member('limits')),
    cases: read,
    ...given('config', file.member('config')?.text()),
    ...given('repeat', file.member('repeat')?.count(1, MOST_REPEATS)),
    ...given('system', file.member('system')?.text()),
    ...given('temperature', file.member('temperature')?.number()),
    ...(mode && { toolMode: mode.value as 'native' | 'described' }),
  };
}

function readLimits(place: Place | undefined): CasesFile['limits'] {
  place?.object(LIMITS);
  return Object.fromEntries(
    LIMITS.flatMap((name) => {
      const limit = place?.member(name);
      return limit ? [[name, limit.count(1, MOST_LIMIT)]] : [];
    }),
  );
}

function given<K extends string, V>(name: K, value: V | undefined): { readonly [key in K]?: V } {
  return value === undefined ? {} : ({ [name]: value } as { readonly [key in K]?: V });
}

type Shared = Pick<EvalCase, 'servers' | 'fresh' | 'answers'>;

/** Reads what a file and each of its cases may say. */
function readShared(place: Place): Shared {
  const answers = place.member('answers')?.entries() ?? [];
  return {
    fresh: place.member('fresh')?.flag() ?? false,
    answers: new Map(answers.map(([tool, answer]) => [tool, answer.text()])),
    ...given(
      'servers',
      place
        .member('servers')
        ?.items()
        .map((one) => one.text()),
    ),
  };
}

function readCase(place: Place, index: number, file: Shared): EvalCase {
  place.object(['name', 'prompt', 'system', 'servers', 'fresh', 'answers', 'expect']);
  const own = readShared(place);
  const expect = readExpectation(place.required('expect'));
  return {
    name: place.member('name')?.text() ?? `case ${index + 1}`,
    line: place.line,
    prompt: place.required('prompt').text(),
    ...file,
    ...own,
    fresh: place.member('fresh') ? own.fresh : file.fresh,
    answers: new Map([...file.answers, ...own.answers]),
    expect,
    ...given('system', place.member('system')?.text()),
  };
}

const CALL_MEMBERS = ['tool', 'arguments', 'schema', 'where'];

function readExpectation(place: Place): Expectation {
  place.object([...CALL_MEMBERS, 'calls', 'forbidden', 'text', 'mostCalls']);
  const lone = CALL_MEMBERS.find((name) => place.member(name));
  const list = place.member('calls');
  if (lone !== undefined && list) list.fail(`and \`${lone}\` are both given: put \`${lone}\` into the list.`);
  const expectation: Expectation = {
    calls: list ? list.items().map(readCall) : lone === undefined ? [] : [readCall(place)],
    forbidden:
      place
        .member('forbidden')
        ?.itemsOrOne()
        .map((one) => one.text()) ?? [],
    text: place.member('text')?.itemsOrOne().map(readTextTest) ?? [],
    ...given('mostCalls', place.member('mostCalls')?.count(0, MOST_LIMIT)),
  };
  const { calls, forbidden, text, mostCalls } = expectation;
  if (calls.length + forbidden.length + text.length === 0 && mostCalls === undefined)
    place.fail('expects nothing: give `tool`, `calls`, `forbidden`, `text` or `mostCalls`.');
  return expectation;
}

function readCall(place: Place): ExpectedCall {
  if (!isObject(place.value)) return { tool: place.text(), where: [] };
  const tool = place.required('tool').text();
  const where = place.member('where')?.entries() ?? [];
  return {
    tool,
    where: where.map(([path, test]): ArgumentTest => {
      if (path !== '' && !path.startsWith('/')) test.fail('is not a JSON Pointer: begin it with `/`.');
      return { path, test: readTest(test) };
    }),
    ...given('arguments', place.member('arguments')?.object()),
    ...given('schema', place.member('schema')?.object()),
  };
}

/** Reads a test of text: a text alone has to be contained. */
function readTextTest(place: Place): ValueTest {
  return typeof place.value === 'string' ? { contains: place.text() } : readTest(place);
}

const TESTS: { readonly [K in keyof ValueTest]-?: (place: Place) => ValueTest[K] } = {
  equals: ({ value }) => value,
  oneOf: (place) => place.items().map(({ value }) => value),
  contains: ({ value }) => value,
  matches: (place) => {
    const text = place.text();
    try {
      new RegExp(text);
      return text;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      return place.fail(`is not a valid pattern: ${error.message}.`);
    }
  },
  atLeast: (place) => place.number(),
  atMost: (place) => place.number(),
  present: (place) => place.flag(),
  not: (place) => readTest(place),
};
const TEST_NAMES = Object.keys(TESTS) as readonly (keyof ValueTest)[];

/** Reads a test. A value that is not an object has to be equal. */
function readTest(place: Place): ValueTest {
  if (!isObject(place.value)) return { equals: place.value };
  place.object(TEST_NAMES);
  const tests = TEST_NAMES.flatMap((name) => {
    const member = place.member(name);
    return member ? [[name, TESTS[name](member)] as const] : [];
  });
  if (tests.length === 0) place.fail(`tests nothing: give ${TEST_NAMES.join(', ')}.`);
  return Object.fromEntries(tests);
}
