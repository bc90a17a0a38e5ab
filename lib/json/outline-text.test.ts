import { expect, test } from 'vitest';
import { type JsonOutline, readOutline } from './outline';
import { searchOutline, stringBytes, stringText } from './outline-text';
import { finish, outlineOf } from './test-outline';

const read = (text: string) => new TextDecoder().decode(finish(stringBytes(outlineOf(text), 0)));

test('decodes a long string in portions of any size', () => {
  for (let shift = 0; shift < 13; shift++) {
    const text = `"${'x'.repeat(shift)}${'\\ud83d\\ude00é\\n'.repeat(8000)}"`;
    expect(read(text)).toBe(JSON.parse(text));
    expect(finish(stringText(outlineOf(text), 0))).toBe(JSON.parse(text));
  }
});

test('decodes a short string and an empty one', () => {
  expect(read('"[1,\\"a\\"]"')).toBe('[1,"a"]');
  expect(read('""')).toBe('');
});

test('yields often in a string of megabytes', () => {
  const steps = stringText(outlineOf(`"${'\\u00e9'.repeat(400_000)}"`), 0);
  let count = 0;
  while (!steps.next().done) count++;
  expect(count).toBeGreaterThan(30);
});

test('keeps a lone surrogate at the end', () => {
  expect(read('"a\\ud83d"')).toBe('a\ufffd');
  expect(finish(stringText(outlineOf('"a\\ud83d"'), 0))).toBe('a\ud83d');
});

test('splits no escape after invalid UTF-8', () => {
  const noise = Array.from({ length: 30_000 }, () => [0xc3, 0x5c, 0x22]).flat();
  for (const shift of [[], [0x61], [0x61, 0x61]]) {
    const outline = finish(readOutline(Uint8Array.from([0x22, ...shift, ...noise, 0x22]))) as JsonOutline;
    const text = new TextDecoder().decode(finish(stringBytes(outline, 0)));
    expect(text).toBe(`${'a'.repeat(shift.length)}${'\ufffd"'.repeat(30_000)}`);
  }
});

function search(text: string, query: string, most = 100): readonly string[] {
  const outline = outlineOf(text);
  return finish(searchOutline(outline, query, most)).map((node) => `${outline.name(node) ?? ''}=${outline.text(node)}`);
}

test('finds names, strings and digits, ignoring case', () => {
  const text = '{"Alpha":{"beta":"ALPHABET"},"n":1.250,"b":true,"z":["x","alp","ha"]}';
  expect(search(text, 'alpha')).toEqual(['Alpha={"beta":"ALPHABET"}', 'beta="ALPHABET"']);
  expect(search(text, '1.250')).toEqual(['n=1.250']);
  expect(search(text, 'TRUE')).toEqual(['b=true']);
  expect(search(text, 'gamma')).toEqual([]);
});

test('decodes escapes in names and values', () => {
  expect(search('{"a":"caf\\u00e9","b":"café","c":"CAFÉ","d":"cafe"}', 'café')).toHaveLength(3);
  expect(search('["say \\"hi\\"","C:\\\\temp"]', '"hi"')).toHaveLength(1);
  expect(search('["say \\"hi\\"","C:\\\\temp"]', 'c:\\t')).toHaveLength(1);
  expect(search('["\\n"]', 'n')).toEqual([]);
});

test('finds text anywhere in a long string', () => {
  for (let at = 32_700; at < 32_800; at += 3) {
    const text = `["${'x'.repeat(at)}needle${'\\u0078'.repeat(20_000)}"]`;
    expect(search(text, 'needle')).toHaveLength(1);
    expect(search(text, 'needles')).toHaveLength(0);
  }
});

test('stops at the given maximum', () => {
  expect(search(`[${Array.from({ length: 50 }, () => '"a"').join(',')}]`, 'a', 7)).toHaveLength(7);
});

test('handles a query longer than a portion', () => {
  const query = 'ab'.repeat(30_000);
  const text = `["${'ab'.repeat(60_000)}","${'ac'.repeat(60_000)}"]`;
  expect(search(text, query)).toHaveLength(1);
});

test('searches a long name to its end', () => {
  const outline = outlineOf(`{"${'\\u00e9'.repeat(100_000)}needle":1}`);
  let steps = 0;
  const work = searchOutline(outline, 'needle', 9);
  let step = work.next();
  for (; !step.done; step = work.next()) steps++;
  expect(step.value).toEqual([1]);
  expect(steps).toBeGreaterThan(10);
});
