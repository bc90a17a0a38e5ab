import { expect, test } from 'vitest';
import { parseFilter } from './parse';
import { levelIn, logsOfCall, SERVER_LOGS, SPANS, withLevel } from './saved-filters';

test('saved filters have no faults', () => {
  for (const filter of [SERVER_LOGS, SPANS, logsOfCall(9), withLevel(SERVER_LOGS, 'error')])
    expect(parseFilter(filter).ok, filter).toBe(true);
});

test('the lowest level of a filter is read, replaced and removed', () => {
  const errors = withLevel(`${SERVER_LOGS} disk`, 'error');
  expect(errors).toBe(`${SERVER_LOGS} disk level:>=error`);
  expect(levelIn(errors)).toBe('error');
  expect(withLevel(errors, 'info')).toBe(`${SERVER_LOGS} disk level:>=info`);
  expect(withLevel(errors, undefined)).toBe(`${SERVER_LOGS} disk`);
  expect(levelIn('level:error')).toBeUndefined();
  expect(withLevel('', 'error')).toBe('level:>=error');
});
