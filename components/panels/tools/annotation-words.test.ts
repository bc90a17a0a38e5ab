import { expect, test } from 'vitest';
import { annotationWords } from './annotation-words';

test.each([
  [{ readOnlyHint: true, openWorldHint: false }, ['read-only', 'closed world']],
  [{ destructiveHint: true, idempotentHint: true }, ['destructive', 'idempotent']],
  [{ readOnlyHint: 'yes', title: 'T' }, []],
  [Object.create({ readOnlyHint: true }), []],
  [undefined, []],
])('%j says %j', (annotations, words) => {
  expect(annotationWords(annotations).map(({ word }) => word)).toEqual(words);
});
