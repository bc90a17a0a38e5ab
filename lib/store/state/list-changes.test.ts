import { expect, test } from 'vitest';
import { answered, asked, type FrameSeed, logOf } from '../test-frames';
import { listChangesText } from './list-changes';

const reading = (id: number, tools: unknown, cursor?: string): FrameSeed[] => [
  asked(id, 'tools/list'),
  answered(id, { tools, nextCursor: cursor }),
];
const tool = (name: string, rest: object = {}) => ({ name, inputSchema: { type: 'object' }, ...rest });
const changesOf = (...seeds: FrameSeed[]) => {
  const { changes } = logOf(...seeds).state.tools;
  return changes && { seq: changes.seq, text: listChangesText(changes) };
};

test.each([
  ['the first reading', [...reading(1, [tool('a')])], undefined],
  ['the same list', [...reading(1, [tool('a')]), ...reading(2, [tool('a')])], { seq: 4, text: 'no change' }],
  [
    'another order of entries and members',
    [...reading(1, [tool('a'), tool('b')]), ...reading(2, [tool('b'), { inputSchema: { type: 'object' }, name: 'a' }])],
    { seq: 4, text: 'no change' },
  ],
  [
    'added, removed and changed entries',
    [
      ...reading(1, [tool('a'), tool('b'), tool('c')]),
      ...reading(2, [tool('a', { title: 'A' }), tool('d'), tool('e')]),
    ],
    { seq: 4, text: '+2 −2 ~1' },
  ],
  [
    'a reading of two pages, which counts when it is complete',
    [
      ...reading(1, [tool('a')]),
      ...reading(2, [tool('a')], 'x'),
      asked(3, 'tools/list', { cursor: 'x' }),
      answered(3, { tools: [tool('b')] }),
    ],
    { seq: 6, text: '+1' },
  ],
  [
    'two tools of one name',
    [...reading(1, [tool('a')]), ...reading(2, [tool('a'), tool('a')])],
    { seq: 4, text: '+1' },
  ],
  ['junk', [...reading(1, [7]), ...reading(2, ['x', null])], { seq: 4, text: '+1' }],
])('%s', (_what, seeds, expected) => {
  expect(changesOf(...seeds)).toEqual(expected);
});

test('the row of the new list says what changed', () => {
  const log = logOf(...reading(1, [tool('a')]), ...reading(2, [tool('b')]));
  expect(log.preview(1)).toBe('1 tool: a');
  expect(log.preview(3)).toBe('+1 −1 · 1 tool: b');
});
