import { expect, test } from 'vitest';
import { filterFaultText } from './filter-box';

test('while a filter has a fault, it is told what the rows fit', () => {
  const fault = { code: 'unclosed-group', at: 0, end: 1, message: 'Put a ) there.' } as const;
  expect(filterFaultText(fault, '-stderr')).toBe('Put a ) there. Shown is what fits “-stderr” until then.');
  expect(filterFaultText(fault, '')).toBe('Put a ) there. All messages are shown until then.');
});
