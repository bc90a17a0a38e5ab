import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { logOf } from '@/lib/store/test-frames';
import { AnnotationFacts } from './annotation-facts';

const ODD = { toString: 1, valueOf: 1 };

test.each([
  [{ audience: ['user', ODD] }, 'user, {'],
  [{ audience: ODD }, 'toString'],
  [{ priority: ODD }, 'toString'],
  [{ lastModified: ODD }, '! invalid date'],
])('annotations of any shape are shown: %j', (annotations, words) => {
  expect(renderToStaticMarkup(<AnnotationFacts log={logOf()} entry={{ annotations }} />)).toContain(words);
});
