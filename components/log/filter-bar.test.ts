import { expect, test } from 'vitest';
import { filterFaultText } from './filter-bar';

test('names the filter in effect while the typed one has a fault', () => {
  const fault = { code: 'unclosed-group', at: 0, end: 1, message: 'Put a ) there.' } as const;
  expect(filterFaultText(fault, '-stderr')).toBe('Put a ) there. Still filtering by “-stderr”.');
  expect(filterFaultText(fault, '')).toBe('Put a ) there. Showing all messages.');
});
