import { expect, test } from 'vitest';
import { checkSpreads } from './check-spreads.mjs';

test.each(['const a = { ...{ b, c }, d };', 'const a = [\n  ...[b, c],\n];', 'f(...[a, b]);', 'new F(...[a])'])(
  '%s is refused',
  (line) => {
    expect(checkSpreads('lib/a.ts', `\n${line}`)).toEqual([expect.stringMatching(/^lib\/a\.ts:[23]: a literal/)]);
  },
);

test.each([
  'const a = { ...b, ...(c && { d }) };',
  "const a = [...['b', 'c'].map(f), ...(d ? [e] : [])];",
  'const text = "...{a}";',
])('%s is fine', (line) => {
  expect(checkSpreads('lib/a.tsx', line)).toEqual([]);
});
