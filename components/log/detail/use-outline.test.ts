import { expect, test } from 'vitest';
import { finish, nodeOf, outlineOf } from '@/lib/json/test-outline';
import type { Problem } from '@/lib/problems/problem';
import { fieldMarks, markRange } from './use-outline';

const problem = (more: Partial<Problem>): Problem => ({
  id: 1,
  rule: 'field-type',
  severity: 'error',
  title: '',
  advice: '',
  message: 'No.',
  path: undefined,
  seqs: [1],
  count: 1,
  related: [],
  section: '',
  url: '',
  ...more,
});

const text = '{"result":{"tools":[{"name":5}]}}';
const outline = outlineOf(text);

test('each remark stands at its field, a missing one at what lacks it', () => {
  const work = fieldMarks(outline, [
    problem({ path: ['result', 'tools', 0, 'name'], message: 'A.' }),
    problem({ path: ['result', 'tools', 0, 'name'], message: 'B.', severity: 'warning' }),
    problem({ rule: 'field-missing', path: ['result', 'tools', 0, 'inputSchema'], message: 'C.', severity: 'warning' }),
    problem({ path: undefined }),
  ]);
  const marks = finish(work);
  expect(marks.get(nodeOf(outline, ['result', 'tools', 0]))).toEqual({ text: 'C.', severe: false });
  expect(marks.get(nodeOf(outline, ['result', 'tools', 0, 'name']))).toEqual({ text: 'A. B.', severe: true });
  expect(marks.size).toBe(2);
});

test('problems without a field mark nothing, and in a batch nobody knows which message has it', () => {
  expect(finish(fieldMarks(outline, [problem({})])).size).toBe(0);
  expect(finish(fieldMarks(outlineOf('[{"id":1}]'), [problem({ path: ['id'] })])).size).toBe(0);
});

test('in the text, a plain value is marked with its name, of what holds others only the name', () => {
  const marked = (path: readonly (string | number)[]) => {
    const { from, to } = markRange(outline, nodeOf(outline, path));
    return text.slice(from, to);
  };
  expect(marked(['result', 'tools', 0, 'name'])).toBe('"name":5');
  expect(marked(['result'])).toBe('"result"');
  expect(marked(['result', 'tools', 0])).toBe('{');
});
