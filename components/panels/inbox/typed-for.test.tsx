import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { TypedFor } from './typed-for';

test('what was typed is there to be read; with secrets in it, only for who opens it', () => {
  expect(renderToStaticMarkup(<TypedFor text='{"email":"a@b.test"}' />)).toMatch(/<details open="".*a@b\.test/);
  for (const text of ['{"password":"x"}', '{"password":"x']) {
    expect(renderToStaticMarkup(<TypedFor text={text} />)).toContain('<details class');
  }
});
