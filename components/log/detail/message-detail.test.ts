import { expect, test } from 'vitest';
import { asked, logOf } from '@/lib/store/test-frames';
import { isSameRow } from './message-detail';

const row = logOf(asked(1, 'tools/list')).row(0);
const http = { kind: 'answer', what: '200', about: undefined, status: 200 } as never as NonNullable<typeof row.http>;

test('equal rows are the same, including their HTTP part', () => {
  expect(isSameRow(row, { ...row })).toBe(true);
  expect(isSameRow({ ...row, http }, { ...row, http: { ...http } })).toBe(true);
});

test('a changed or removed member makes a different row', () => {
  expect(isSameRow(row, { ...row, status: 'ok' })).toBe(false);
  expect(isSameRow({ ...row, http }, { ...row, http: { ...http, status: 404 } })).toBe(false);
  expect(isSameRow({ ...row, http }, row)).toBe(false);
  const { peer: _, ...without } = { ...row, peer: 2 };
  expect(isSameRow({ ...row, peer: 2 }, without as typeof row)).toBe(false);
});
