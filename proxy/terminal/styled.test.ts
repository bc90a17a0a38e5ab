import { expect, test } from 'vitest';
import { hasColours, styledText } from './styled';

test('the only escapes are ours, and a piece stays on its line', () => {
  const lines = [['a ', { text: '\u001b[31mx\ny\u0007', tone: 'bad' }], ['b']] as const;
  expect(styledText(lines, false)).toBe('a \uFFFD[31mx y\uFFFD\nb');
  expect(styledText(lines, true)).toBe('a \u001b[31m\uFFFD[31mx y\uFFFD\u001b[39m\nb');
});

test('colours are for terminals whose owner wants them', () => {
  expect(hasColours({ isTTY: true }, {})).toBe(true);
  for (const environment of [{ NO_COLOR: '1' }, { TERM: 'dumb' }])
    expect(hasColours({ isTTY: true }, environment)).toBe(false);
  expect(hasColours({}, {})).toBe(false);
});
