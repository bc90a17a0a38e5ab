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

test('marks each field, and the parent of a missing one', () => {
  const work = fieldMarks(outline, [
    problem({ path: ['result', 'tools', 0, 'name'], message: 'A.' }),
    problem({ path: ['result', 'tools', 0, 'name'], message: 'B.', severity: 'warning' }),
    problem({ rule: 'field-missing', path: ['result', 'tools', 0, 'inputSchema'], message: 'C.', severity: 'warning' }),
    problem({ path: undefined }),
    problem({ path: ['result'], severity: 'info' }),
  ]);
  const marks = finish(work);
  expect(marks.get(nodeOf(outline, ['result', 'tools', 0]))).toEqual({ text: 'C.', severe: false });
  expect(marks.get(nodeOf(outline, ['result', 'tools', 0, 'name']))).toEqual({ text: 'A. B.', severe: true });
  expect(marks.size).toBe(2);
});

test('marks nothing for problems without a field, and in batches', () => {
  expect(finish(fieldMarks(outline, [problem({})])).size).toBe(0);
  expect(finish(fieldMarks(outlineOf('[{"id":1}]'), [problem({ path: ['id'] })])).size).toBe(0);
});

test('marks name and value of a scalar, but only the name of an object or array', () => {
  const marked = (path: readonly (string | number)[]) => {
    const { from, to } = markRange(outline, nodeOf(outline, path));
    return text.slice(from, to);
  };
  expect(marked(['result', 'tools', 0, 'name'])).toBe('"name":5');
  expect(marked(['result'])).toBe('"result"');
  expect(marked(['result', 'tools', 0])).toBe('{');
});
