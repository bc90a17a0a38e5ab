import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { TypedAnswer } from './elicitation';

test('shows the unsent answer, closed if it has secrets', () => {
  expect(renderToStaticMarkup(<TypedAnswer text='{"email":"a@b.test"}' />)).toMatch(/<details open="".*a@b\.test/);
  for (const text of ['{"password":"x"}', '{"password":"x']) {
    expect(renderToStaticMarkup(<TypedAnswer text={text} />)).toContain('<details class');
  }
});
