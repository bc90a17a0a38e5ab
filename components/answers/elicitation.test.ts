import { expect, test } from 'vitest';
import { initialContent } from './elicitation';

test('a checkbox starts as false, and a required boolean undecided', () => {
  const boolean = { type: 'boolean' };
  const properties = { news: boolean, consent: boolean, on: { ...boolean, default: true } };
  expect(initialContent({ type: 'object', properties, required: ['consent', 'on'] })).toBe('{"news":false,"on":true}');
});
