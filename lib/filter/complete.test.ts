import { expect, test, vi } from 'vitest';
import { answered, asked, logOf } from '@/lib/store/test-frames';
import { completeFilter, FILTER_OPTIONS, FILTER_VOCABULARY, LogValues } from './complete';
import { FILTER_KEYS } from './keys/registry';

const log = logOf(
  asked(1, 'tools/call', { name: 'get-sum' }),
  answered(1, {}),
  asked(2, 'tools/call', { name: 'two words' }),
  asked(3, 'tools/list'),
  asked(4, 'prompts/get', { name: 'get-started' }),
);
const problems = { all: [{ rule: 'id-reused', severity: 'error' }], of: () => [], hasInvalidResult: () => false };
const vocabulary = new LogValues({ log, problems });

/** Returns the text after each offered completion. `|` marks the caret. */
function offered(marked: string): string[] {
  const caret = marked.indexOf('|');
  const text = marked.replace('|', '');
  const { from, to, options } = completeFilter(text, caret, vocabulary);
  return options.map((option) => text.slice(0, from) + option.text + text.slice(to));
}

test.each<[string, string[]]>([
  ['du|', ['duration:']],
  ['a -du|', ['a -duration:']],
  ['(du|', ['(duration:']],
  ['a du|x b', ['a duration: b']],
  ['method:|', ['method:prompts/get', 'method:tools/call', 'method:tools/list']],
  ['method:LIST|', ['method:tools/list']],
  ['method:tools/l| x', ['method:tools/list x']],
  ['method:tools/list|', []],
  ['tool:|', ['tool:get-sum', 'tool:"two words"']],
  ['tool:"two|', ['tool:"two words"']],
  ['-tool:s|', ['-tool:get-sum', '-tool:"two words"']],
  ['dir:|', ['dir:to-server', 'dir:to-client']],
  ['status:no|', ['status:no-response']],
  ['status:is|', ['status:isError']],
  ['isE|', ['status:isError']],
  ['problem:id|', ['problem:id-reused']],
  ['get-s|', ['tool:get-sum', 'prompt:get-started']],
  ['unknown:|', []],
  ['"quoted|', []],
  ['"quoted"|', []],
  ['/regex|', []],
])('%s', (marked, texts) => {
  expect(offered(marked)).toEqual(texts);
});

test('offers every key with its meaning for an empty text', () => {
  const { options } = completeFilter('a ', 2, vocabulary);
  expect(options.length).toBeGreaterThan(15);
  expect(options[0]).toMatchObject({ text: 'method:', note: expect.stringContaining('method') });
});

test('offers values of later frames', () => {
  log.append([{ ...asked(5, 'resources/list'), seq: 6, time: 6 }]);
  expect(offered('method:resou|')).toEqual(['method:resources/list']);
});

test('sorts thousands of names once, and formats only the shown completions', () => {
  const names = Array.from({ length: FILTER_VOCABULARY }, (_, at) => `tool ${at}`);
  const many = new LogValues({ log: logOf(...names.map((name, at) => asked(at, 'tools/call', { name }))), problems });
  const key = FILTER_KEYS.get('tool')!;
  const read = vi.spyOn(key, 'faultOf');
  expect(completeFilter('tool:', 5, many).options).toHaveLength(FILTER_OPTIONS);
  expect(read.mock.calls.length).toBeLessThan(3 * FILTER_OPTIONS);
  read.mockRestore();
  expect(many.valuesOf(key)).toBe(many.valuesOf(key));
});

test('offers only the given keys, and values of no other', () => {
  const only = new Set(['method', 'tool']);
  const texts = (text: string) =>
    completeFilter(text, text.length, vocabulary, only).options.map((option) => option.text);
  expect(texts('')).toEqual(['method:', 'tool:']);
  expect(texts('get-s')).toEqual(['tool:get-sum']);
  expect(texts('prompt:get')).toEqual([]);
});
