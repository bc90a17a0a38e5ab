import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FILTER_KEYS } from './keys/registry';
import { allOf, anyOf, type Filter } from './language/ast';
import { FILTER_EXPRESSIONS } from './language/grammar';
import { parseFilter, parseFinished } from './parse';
import { printFilter } from './print';

function read(text: string): Filter | undefined {
  const parsed = parseFilter(text);
  if (!parsed.ok) throw new Error(`${JSON.stringify(text)}: ${parsed.fault.message}`);
  return parsed.filter;
}

function faultOf(text: string) {
  const parsed = parseFilter(text);
  return parsed.ok ? undefined : parsed.fault;
}

describe('parses a text and prints it in its simplest form', () => {
  test.each([
    ['', ''],
    ['   ', ''],
    ['echo', 'echo'],
    ['  a   b ', 'a b'],
    ['a and b', 'a b'],
    ['a AND b OR c', 'a b or c'],
    ['a (b c)', 'a b c'],
    ['a (b or c)', 'a (b or c)'],
    ['(a or b) or c', 'a or b or c'],
    ['-(a or b)', '-(a or b)'],
    ['-(-a)', '-(-a)'],
    ['-(a)', '-a'],
    ['--verbose', '--verbose'],
    ['-"--verbose"', '-"--verbose"'],
    ['"-x"', '"-x"'],
    ['"plain"', 'plain'],
    ['"two words"', '"two words"'],
    ['"a\\" b\\\\c\\d"', '"a\\" b\\\\c\\\\d"'],
    ['"or"', '"or"'],
    ['not a b', '-a b'],
    ['NOT (a or b)', '-(a or b)'],
    ['a not kind:stderr', 'a -kind:stderr'],
    ['not not -a', '-(-(-a) )'],
    ['"not" Not', '"not" Not'],
    ['f(x) (f(y))', 'f(x) f(y)'],
    ['(a or f(x)) b', '(a or f(x) ) b'],
    ['METHOD:tools/call', 'method:tools/call'],
    ['method:"tools/call"', 'method:"tools/call"'],
    ['-kind:stderr size:>100kb', '-kind:stderr size:>100kb'],
    ['time:1.2s..3.4s', 'time:1.2s..3.4s'],
    ['uri:file:///a', 'uri:file:///a'],
    ['http://127.0.0.1/mcp', 'http://127.0.0.1/mcp'],
    ['12:30', '12:30'],
    ['{"a":1}', '{"a":1}'],
    ['tool:f(x)', 'tool:f(x)'],
    ['""', '""'],
    ['/a b/ c', '/a b/ c'],
    ['-/[/)]\\//i', '-/[/)]\\//i'],
    ['(/a/ or /b/s)', '/a/ or /b/s'],
    ['"/mcp"', '"/mcp"'],
  ])('%j prints as %j', (text, written) => {
    expect(printFilter(read(text))).toBe(written);
    expect(read(written)).toEqual(read(text));
  });
});

describe('reports the place of an error and how to fix it', () => {
  test.each([
    ['a "b c', 'unclosed-quote', 2, 6, 'Add a "'],
    ['tool:"b', 'unclosed-quote', 5, 7, 'Add a "'],
    ['POST /mcp', 'unclosed-regex', 5, 9, '"/mcp"'],
    ['/a/b/c', 'bad-regex', 3, 4, 'quote it: "/a/b/c"'],
    ['/a/ii', 'bad-regex', 3, 5, 'i, m, s or u'],
    ['a /(/', 'bad-regex', 2, 5, 'Unterminated group'],
    ['/a/ '.repeat(7), 'too-many', 24, 27, 'Join some'],
    ['metod:x', 'unknown-key', 0, 6, 'Did you mean method:?'],
    ['direction:to-client', 'unknown-key', 0, 10, 'Did you mean dir:?'],
    ['a qqqqq:x', 'unknown-key', 2, 8, 'put it in quotes'],
    ['method:', 'value-missing', 7, 7, 'for example tools/call'],
    ['kind:reqest', 'value-wrong', 5, 11, 'must be request, '],
    ['level:grave', 'value-wrong', 6, 11, 'emergency, or a comparison'],
    ['status:700', 'value-wrong', 7, 10, 'or an HTTP status'],
    ['size:>big', 'value-wrong', 5, 9, 'for example >100kb'],
    ['duration:500', 'value-wrong', 9, 12, 'a unit'],
    ['seq:2kb', 'value-wrong', 4, 7, 'for example'],
    ['seq:..', 'value-wrong', 4, 6, 'for example'],
    ['a or', 'term-missing', 4, 4, 'A search term is missing'],
    ['or a', 'term-missing', 0, 2, 'To search for or itself'],
    ['a and', 'term-missing', 5, 5, 'missing'],
    ['()', 'term-missing', 1, 2, 'missing'],
    ['a not', 'term-missing', 5, 5, 'missing'],
    ['not or', 'term-missing', 4, 6, 'To search for or itself'],
    ['a -', 'term-missing', 2, 3, 'directly before'],
    ['- a', 'term-missing', 0, 1, 'directly before'],
    ['(a', 'unclosed-group', 0, 1, 'Add a )'],
    ['a (b (c)', 'unclosed-group', 2, 3, 'Add a )'],
    ['a ) b', 'nothing-to-close', 2, 3, 'no matching ('],
    ['('.repeat(60), 'too-deep', 50, 51, 'Too many'],
    [`${'not '.repeat(60)}a`, 'too-deep', 200, 203, 'Too many'],
    ['a '.repeat(400), 'too-many', 600, 601, 'Shorten'],
  ])('%j: %s at %d to %d', (text, code, at, end, words) => {
    expect(faultOf(text)).toMatchObject({ code, at, end, message: expect.stringContaining(words) });
  });
});

const word = fc.oneof(
  fc.string(),
  fc.string({ unit: fc.constantFrom('a', '-', '"', '(', ')', ':', ' ', '\\', '/', '*', 'or', 'not', 'é', '😀') }),
);
const field = fc
  .constantFrom(
    ...[...FILTER_KEYS.values()].flatMap(({ name, examples }) => examples.map((value) => [name, value] as const)),
  )
  .map(([key, value]): Filter => {
    const quoted = value.startsWith('"');
    return { type: 'field', key, value: quoted ? value.slice(1, -1) : value, quoted };
  });
const quotedField = fc
  .tuple(fc.constantFrom('method', 'tool', 'id'), word)
  .map(([key, value]): Filter => ({ type: 'field', key, value, quoted: true }));
const filters = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { depthSize: 'small' },
    word.map((text): Filter => ({ type: 'text', text })),
    field,
    quotedField,
    fc.constantFrom('a', '(x|y)+ z', '[/"]\\/', '\\(').map((source): Filter => ({ type: 'regex', source, flags: 'i' })),
    tie('filter').map((part): Filter => ({ type: 'not', part })),
    fc.array(tie('filter'), { minLength: 2, maxLength: 3 }).map((parts) => allOf(parts)!),
    fc.array(tie('filter'), { minLength: 2, maxLength: 3 }).map((parts) => anyOf(parts)!),
  ),
})).filter;

test('every filter survives printing and parsing', () => {
  fc.assert(
    fc.property(filters, (filter) => {
      fc.pre(printFilter(filter).split('/i').length <= FILTER_EXPRESSIONS);
      expect(read(printFilter(filter))).toEqual(filter);
    }),
  );
});

test('never throws, and reports errors within the text', () => {
  const piece = fc.oneof(
    fc.constantFrom('(', ')', '-', '"', '/', 'or', 'not', ' ', 'method:', 'size:', '>1kb', '\\', ':', '..'),
    fc.string({ maxLength: 4 }),
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(piece).map((pieces) => pieces.join('')),
      ),
      (text) => {
        const fault = faultOf(text);
        if (!fault) return;
        expect(fault.at).toBeLessThanOrEqual(fault.end);
        expect(fault.end).toBeLessThanOrEqual(text.length);
        expect(fault.message).toMatch(/^[\s\S]+\.$/);
      },
    ),
  );
});

describe('an unfinished term at the end leaves the terms before it', () => {
  test.each([
    ['status:', ''],
    ['kind:request status:', 'kind:request'],
    ['kind:request status: ', 'kind:request'],
    ['kind:request -status:', 'kind:request'],
    ['kind:request (status:', 'kind:request'],
    ['kind:request or', 'kind:request'],
    ['kind:request or status:', 'kind:request'],
    ['kind:request duration:>x', 'kind:request'],
    ['kind:request "two wor', 'kind:request'],
    ['kind:request /re', 'kind:request'],
    ['kind:request foo:bar', 'kind:request'],
    ['kind:request -', 'kind:request'],
    ['kind:request )', 'kind:request'],
    ['a or kind:request status:', 'a or kind:request'],
    ['-', ''],
  ])('%j: %j', (text, left) => {
    const finished = parseFinished(text, faultOf(text)!);
    expect(printFilter(finished!.filter)).toBe(left);
  });

  test.each(['status: kind:request', '(a or b', 'kind:request status: (a'])('but not %j', (text) => {
    expect(parseFinished(text, faultOf(text)!)).toBeUndefined();
  });
});
