import type { JsonObject } from '@/lib/json/value';

const described = { type: 'string', description: 'A text.' };
const tool = (inputSchema: object, more: object = {}): JsonObject => ({
  name: 'fetch',
  description: 'Fetches a page.',
  inputSchema: { type: 'object', ...inputSchema },
  ...more,
});

/** Tools with one fault each, by the rule that finds it. */
export const CATALOGUE_FAULTS: Readonly<Record<string, JsonObject | readonly JsonObject[]>> = {
  'tool-name-host': tool({}, { name: 'files.read' }),
  'argument-name-host': tool({ properties: { 'a b': described } }),
  'schema-top-level-host': tool({ anyOf: [{ required: ['a'] }, { required: ['b'] }] }),
  'tool-description': tool({}, { description: ' ' }),
  'argument-description': tool({ properties: { a: { type: 'string' } } }),
  'schema-reference': tool({ properties: { a: { description: 'x', $ref: '#nowhere' } } }),
  'sample-rejected': tool({
    properties: { n: { type: 'integer', description: 'x', minimum: 5, maximum: 4 } },
    required: ['n'],
  }),
  'schema-value': tool({ properties: { n: { type: 'integer', description: 'x', default: 'none' } } }),
  'tool-count-host': Array.from({ length: 90 }, (_, at) => tool({}, { name: `tool_${at}` })),
  'definitions-size': tool({}, { description: 'x'.repeat(100_000) }),
};

/** Tools that look like faults and are none. */
export const CATALOGUE_GOOD: readonly JsonObject[] = [
  tool({
    properties: {
      filter: { anyOf: [{ type: 'object', description: 'A filter.' }, { type: 'string' }] },
      parent: { anyOf: [{ $ref: '#/$defs/parent' }, { type: 'null' }] },
    },
    $defs: { parent: { type: 'string', description: 'An id.' } },
  }),
  tool({}),
  tool({ properties: { a: { ...described, default: null } } }),
  tool({
    properties: { a: { $ref: '#/$defs/A' }, b: { $ref: '#b', description: 'x' } },
    $defs: { A: described, B: { $anchor: 'b', type: 'string' } },
  }),
  tool({ properties: { when: { ...described, format: 'duration' } }, required: ['when'] }),
  tool({ properties: { id: { ...described, pattern: '^(?=.*a)b?a$' } }, required: ['id'] }),
  tool({ properties: { kind: { description: 'x', enum: ['a', 'b'], default: 'b', examples: ['a'] } } }),
];
