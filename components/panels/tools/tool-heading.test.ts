import { expect, test } from 'vitest';
import { annotationLabels } from './tool-heading';

test.each([
  [{ readOnlyHint: true, openWorldHint: false }, ['read-only', 'closed world']],
  [{ destructiveHint: true, idempotentHint: true }, ['destructive', 'idempotent']],
  [{ readOnlyHint: 'yes', title: 'T' }, []],
  [Object.create({ readOnlyHint: true }), []],
  [undefined, []],
])('%j gives %j', (annotations, words) => {
  expect(annotationLabels(annotations).map(({ word }) => word)).toEqual(words);
});
