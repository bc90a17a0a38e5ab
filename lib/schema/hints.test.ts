import { expect, test } from 'vitest';
import { hintsOf } from './hints';

test.each([
  [{ minimum: 0, maximum: 100 }, ['0–100']],
  [{ minimum: 1 }, ['≥ 1']],
  [{ maximum: 9 }, ['≤ 9']],
  [{ exclusiveMinimum: 0, multipleOf: 5 }, ['> 0', 'multiple of 5']],
  [{ minLength: 24, maxLength: 24, pattern: '^[a-z]+$' }, ['24 characters', '/^[a-z]+$/']],
  [{ format: 'date-time', pattern: '^[0-9]{4}' }, ['date-time']],
  [{ pattern: 'x'.repeat(50) }, [`/${'x'.repeat(14)}…/`]],
  [{ minItems: 1, uniqueItems: true }, ['≥ 1 items', 'all different']],
  [{ minimum: -9007199254740991, maximum: 9007199254740991 }, []],
  [{ minimum: -2147483648, maximum: 2147483647 }, []],
  [{ minimum: '1', pattern: 7, format: {} }, []],
])('%j: %j', (schema, hints) => {
  expect(hintsOf(schema)).toEqual(hints);
});
