import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { AnnotationBadge } from './tool-heading';

test.each([
  [{ readOnlyHint: true, openWorldHint: false }, 'read-only'],
  [{ destructiveHint: true, idempotentHint: true }, 'destructive'],
  [{ destructiveHint: true, readOnlyHint: true }, 'destructive'],
  [{ destructiveHint: false, idempotentHint: true }, ''],
  [{ readOnlyHint: 'yes', title: 'T' }, ''],
  [Object.create({ readOnlyHint: true }), ''],
  [undefined, ''],
])('%j has the badge %j', (annotations, word) => {
  const markup = renderToStaticMarkup(<AnnotationBadge tool={{ annotations }} />);
  expect(markup.replace(/<span aria-hidden.*?<\/span>|<[^>]*>/g, '')).toBe(word);
});

test('lists all hints on hover', () => {
  const tool = { annotations: { destructiveHint: true, idempotentHint: false } };
  expect(renderToStaticMarkup(<AnnotationBadge tool={tool} />)).toContain(
    'The server declares destructiveHint: true, idempotentHint: false',
  );
});
