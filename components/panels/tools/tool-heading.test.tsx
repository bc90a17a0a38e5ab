import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { AnnotationBadge, ToolHeading } from './tool-heading';

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

test('a long description is cut off until the user asks for more', () => {
  const draw = (description: string) =>
    renderToStaticMarkup(
      <ToolHeading tool={{ key: 't', name: 't', seq: 1, raw: { name: 't', description } } as never} aside="" />,
    );
  expect(draw('Short.')).not.toContain('aria-expanded="false"');
  expect(draw('word '.repeat(100))).toContain('aria-expanded="false"');
  expect(draw('- item\n'.repeat(10))).toContain('aria-expanded="false"');
});
