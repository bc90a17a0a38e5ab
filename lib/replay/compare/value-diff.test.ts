import { describe, expect, test } from 'vitest';
import { parseExact } from '@/lib/json/exact';
import { DEFAULT_NORMALISER, NO_NORMALISER } from './normalise';
import { type CompareMode, DIFFERENCE_CHARS, MAX_DIFFERENCES, valueDifferences } from './value-diff';

/** Formats each difference as `kind path: before -> after`. */
function differences(mode: CompareMode, before: string, after: string): readonly string[] {
  const how = { mode, normaliser: mode === 'semantic' ? DEFAULT_NORMALISER : NO_NORMALISER };
  return valueDifferences(parseExact(before), parseExact(after), how).map(
    ({ kind, path, before, after }) => `${kind} ${path}: ${before} -> ${after}`,
  );
}

const text = (json: string): string => JSON.stringify({ content: [{ type: 'text', text: json }] });

describe('differences by mode', () => {
  test.each<[what: string, before: string, after: string, counts: readonly CompareMode[]]>([
    ['nothing', '{"a":[1,"x",null,true]}', '{ "a": [1, "x", null, true] }', []],
    ['order of members', '{"a":1,"b":2}', '{"b":2,"a":1}', []],
    ['another value', '{"a":1}', '{"a":2}', ['semantic', 'strict']],
    ['another text', '{"a":"x"}', '{"a":"y"}', ['semantic', 'strict']],
    ['another time', '{"a":"2026-01-31T12:00:00Z"}', '{"a":"2026-02-01T12:00:00Z"}', ['strict']],
    ['another member', '{"a":1}', '{"a":1,"b":2}', ['structure', 'semantic', 'strict']],
    ['another type', '{"a":1}', '{"a":"1"}', ['structure', 'semantic', 'strict']],
    ['null', '{"a":null}', '{}', ['structure', 'semantic', 'strict']],
    ['white space of JSON in a text', text('{"a":1}'), text('{\n "a": 1 }'), ['strict']],
    ['a value of JSON in a text', text('{"a":1}'), text('{"a":2}'), ['semantic', 'strict']],
    ['the shape of JSON in a text', text('{"a":1}'), text('{"b":1}'), ['structure', 'semantic', 'strict']],
    ['an id of JSON in a text', text('{"taskId":"x"}'), text('{"taskId":"y"}'), ['strict']],
    ['JSON and prose', text('{"a":1}'), text('sorry'), ['semantic', 'strict']],
    ['a long number', '{"a":9007199254740993}', '{"a":9007199254740992}', ['semantic', 'strict']],
    ['how a number is written', '{"a":1.0,"b":10}', '{"a":1,"b":1e1}', []],
    ['another item', '[1,2]', '[1,2,3]', ['semantic', 'strict']],
    ['another item of another shape', '[{"a":1}]', '[{"a":1},{"b":1}]', ['structure', 'semantic', 'strict']],
    ['no items', '[]', '[{"a":1}]', ['semantic', 'strict']],
    ['an id that was a number', '{"taskId":7}', '{"taskId":"seven"}', ['structure', 'strict']],
    ['what was taken out', '{"a":"Bearer •••!"}', '{"a":"Bearer abc!"}', []],
    ['what was taken out of a longer text', '{"a":"x ••• y"}', '{"a":"x abc z"}', ['semantic', 'strict']],
    ['a named placeholder', '{"a":"[redacted:token:1f2e3d4c]"}', '{"a":{"b":1}}', []],
    ['what was taken out of both', '{"a":"•••"}', '{"a":"[redacted:token:1f2e3d4c]"}', []],
    ['__proto__', '{"__proto__":{"a":1}}', '{"__proto__":{"a":2}}', ['semantic', 'strict']],
  ])('%s', (_, before, after, counts) => {
    const found = (['structure', 'semantic', 'strict'] as const).filter(
      (mode) => differences(mode, before, after).length > 0,
    );
    expect(found).toEqual(counts);
  });
});

describe('a reported difference', () => {
  test('has its place and both values', () => {
    const before = '{"content":[{"text":"{\\"items\\":[{\\"a b\\":1}]}"}],"gone":{"x":[1]}}';
    const after = '{"content":[{"text":"{\\"items\\":[{\\"a b\\":\\"1\\"}]}"}],"new":true}';
    expect(differences('semantic', before, after)).toEqual([
      'type content[0].text → items[0]["a b"]: 1 -> "1"',
      'missing gone: {"x":[1]} -> ',
      'added new:  -> true',
    ]);
  });

  test('in a list is the added item, not everything after it', () => {
    expect(differences('strict', '[1,2,3,4]', '[1,9,2,3,4]')).toEqual(['added [1]:  -> 9']);
    expect(differences('strict', '[{"a":1},{"a":2},{"a":3}]', '[{"a":1},{"a":3}]')).toEqual([
      'missing [1]: {"a":2} -> ',
    ]);
  });

  test.each([
    ['"a [redacted:given:1f2e3d4c] b"', '"x Qp3kd8fj2mm1 b"', '[not shown: given]'],
    ['"key •••"', '"Qp3kd8fj2mm1"', '[not shown: masked]'],
    ['["a [redacted:jwt:1f2e3d4c]"]', '{"a":"Qp3kd8fj2mm1"}', '[not shown: jwt]'],
    ['"a [redacted:given:1f2e3d4c] b"', '"x [redacted:given:5f2e3d4c] b"', '"x [redacted:given:5f2e3d4c] b"'],
  ])('of %s and %s is shown as %s', (before, after, shown) => {
    const [found, ...others] = differences('semantic', before, after);
    expect(found).toMatch(/^(changed|type)/);
    expect(found!.split(' -> ')[1]).toBe(shown);
    expect(others).toEqual([]);
  });

  test('in a base64 blob is a difference of its text, except in strict mode', () => {
    const blob = (text: string) => JSON.stringify({ blob: btoa(text) });
    expect(differences('semantic', blob('made at 2:23:51 PM'), blob('made at 4:01:00 PM'))).toEqual([]);
    expect(differences('semantic', blob('made by a'), blob('made by b'))).toEqual([
      expect.stringContaining('"made by a" -> "made by b"'),
    ]);
    expect(differences('strict', blob('made at 2:23:51 PM'), blob('made at 4:01:00 PM'))).toHaveLength(1);
    expect(differences('semantic', '{"blob":"/w=="}', '{"blob":"/g=="}')).toHaveLength(1);
  });

  test('in a long text is shown around the first difference', () => {
    const start = 'same '.repeat(1000);
    const [found] = differences('strict', JSON.stringify(`${start}one`), JSON.stringify(`${start}two`));
    expect(found).toMatch(/^changed : "…same .*one" -> "…same .*two"$/);
    expect(found!.length).toBeLessThan(2 * DIFFERENCE_CHARS);
  });

  test('of hostile values takes bounded time and space', () => {
    const wide = (from: number) => `[${Array.from({ length: 200_000 }, (_, at) => `{"n":${at + from}}`)}]`;
    expect(differences('strict', wide(0), wide(1))).toHaveLength(MAX_DIFFERENCES);
    const deep = (leaf: string, more: string) => `${'['.repeat(200)}${leaf}${`${more}]`.repeat(200)}`;
    expect(differences('strict', deep('1', ''), deep('2', ',3')).length).toBeGreaterThan(0);
    expect(differences('structure', deep('1,2', ',2'), deep('"x"', ''))).not.toEqual([]);
    const long = JSON.stringify('x'.repeat(10_000_000));
    expect(differences('semantic', long, long.replace('x"', 'y"'))).toHaveLength(1);
    const tooDeep = JSON.stringify('['.repeat(1_000_000));
    expect(differences('semantic', tooDeep, JSON.stringify('['.repeat(1_000_001)))).toHaveLength(1);
    expect(differences('strict', JSON.stringify('•••'.repeat(100_000)), JSON.stringify('x'.repeat(100_000)))).toEqual(
      [],
    );
  });
});
