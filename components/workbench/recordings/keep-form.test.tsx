import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { KeepForm } from './keep-form';

const MB = 1_000_000;

test.each([
  [{ days: 30, bytes: 1000 * MB }, undefined],
  [{ days: 0, bytes: 1000 * MB }, 'Days have to be a whole number from 1 to '],
  [{ days: 30, bytes: 0 }, 'MB have to be a whole number from 1 to '],
])('what can not be kept says so: %j', (keep, words) => {
  const markup = renderToStaticMarkup(<KeepForm keep={keep} recordings={[]} onKeep={async () => undefined} />);
  expect(markup.match(/aria-invalid="true"/g)?.length ?? 0).toBe(words ? 1 : 0);
  expect(markup.includes('role="alert"')).toBe(words !== undefined);
  if (words) expect(markup).toContain(words);
});
