import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { hasHit, MarkedText } from './marked-text';

const part = (text: string, isHit = false) => ({ text, isHit });

test('a text without a hit is one piece, which its row may cut', () => {
  const parts = [part('a long text')];
  expect(hasHit(parts)).toBe(false);
  expect(renderToStaticMarkup(<MarkedText parts={parts} className="x" />)).toBe('<bdi class="x">a long text</bdi>');
});

test('the first hit has its whole width, between two sides that are cut at their far ends', () => {
  const parts = [part('before \n'), part('hit', true), part(' between '), part('hit', true), part(' after')];
  expect(hasHit(parts)).toBe(true);
  const markup = renderToStaticMarkup(<MarkedText parts={parts} />);
  expect(markup).toMatch(
    /^<bdi class="[^"]*grid-cols-\[minmax\(0,max-content\)_auto_minmax\(0,max-content\)\][^"]*"><span dir="rtl" class="overflow-hidden text-ellipsis"><bdi dir="ltr">before <\/bdi><\/span><mark [^>]*>hit<\/mark><span class="overflow-hidden text-ellipsis"> between <mark [^>]*>hit<\/mark> after<\/span><\/bdi>$/,
  );
});
