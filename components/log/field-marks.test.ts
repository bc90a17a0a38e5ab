import { expect, test } from 'vitest';
import type { Problem } from '@/lib/problems/problem';
import { fieldMarks } from './field-marks';

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

test('each remark stands at its field, a missing one at what lacks it', () => {
  const marks = fieldMarks([
    problem({ path: ['result', 'tools', 0, 'name'], message: 'A.' }),
    problem({ path: ['result', 'tools', 0, 'name'], message: 'B.', severity: 'warning' }),
    problem({ rule: 'field-missing', path: ['result', 'tools', 0, 'inputSchema'], message: 'C.', severity: 'warning' }),
    problem({ path: undefined }),
  ]);
  const tool = marks?.members?.get('result')?.members?.get('tools')?.members?.get('0');
  expect(tool).toMatchObject({ text: 'C.', severe: false });
  expect(tool?.members?.get('name')).toMatchObject({ text: 'A. B.', severe: true });
});

test('problems without a field mark nothing', () => {
  expect(fieldMarks([problem({})])).toBeUndefined();
});
