import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { TypedAnswer } from './elicitation';

test('what was typed is there to be read; with secrets in it, only for who opens it', () => {
  expect(renderToStaticMarkup(<TypedAnswer text='{"email":"a@b.test"}' />)).toMatch(/<details open="".*a@b\.test/);
  for (const text of ['{"password":"x"}', '{"password":"x']) {
    expect(renderToStaticMarkup(<TypedAnswer text={text} />)).toContain('<details class');
  }
});
