import { expect, test } from 'vitest';
import { tryParseJson } from '@/lib/json/exact';
import { metaFieldProblem } from './call-meta';

const problem = (text: string) => metaFieldProblem({ sent: text.trim() !== '', parsed: tryParseJson(text) });

test('only a JSON object, or nothing, can be sent as _meta', () => {
  expect([problem(''), problem(' '), problem('{}'), problem('{"progressToken": 1}')]).toEqual(Array(4).fill(undefined));
  for (const text of ['[]', '7', 'null', '"a"']) expect(problem(text)).toContain('Not a JSON object');
  expect(problem('{"torn')).toContain('Not JSON');
});
