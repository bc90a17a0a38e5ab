import { expect, test } from 'vitest';
import { ALL_CAPABILITIES, capabilitiesProblem, SUPPORTED_CAPABILITIES } from './client-capabilities';

test.each<[unknown]>([
  [ALL_CAPABILITIES],
  [SUPPORTED_CAPABILITIES],
  [{}],
  [{ roots: { listChanged: 'maybe' }, sampling: { other: 1 }, experimental: { __proto__x: {} } }],
])('accepts %j', (value) => expect(capabilitiesProblem(value)).toBeUndefined());

test.each<[unknown, string]>([
  [null, 'must be a JSON object'],
  [[], 'must be a JSON object'],
  [{ Sampling: {} }, 'no client capability "Sampling"'],
  [JSON.parse('{"__proto__":{}}'), 'no client capability "__proto__"'],
  [{ ['x'.repeat(1e5)]: {} }, `"${'x'.repeat(100)}"`],
  [{ roots: null }, '"roots" must be an object'],
  [{ sampling: { tools: true } }, '"sampling.tools" must be an object'],
  [{ tasks: { requests: { sampling: { createMessage: 1 } } } }, '"tasks.requests.sampling.createMessage"'],
  [{ extensions: { a: {}, b: 'x' } }, '"extensions.b" must be an object'],
  [{ experimental: JSON.parse('{"__proto__":1}') }, '"experimental.__proto__" must be an object'],
])('refuses %j', (value, sentence) => expect(capabilitiesProblem(value)).toContain(sentence));
