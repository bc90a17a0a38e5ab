import { describe, expect, test } from 'vitest';
import type { JsonObject } from '@/lib/json/value';
import { runToEnd } from '@/lib/wire/in-slices';
import { BREAKING_RULES } from './breaking-rules';
import { comparedLists, type ListName, missingLists, type RecordedOffers } from './catalogue';
import { compareCatalogues } from './catalogue-diff';
import { DEFAULT_NORMALISER, NO_NORMALISER, NORMALISERS, Normaliser } from './normalise';
import type { CompareMode } from './value-diff';

/** A server with one item in a list, or without such a list. */
function having(list: ListName, ...items: JsonObject[]): RecordedOffers {
  return server({}, new Map([[list, { items: items.map((item, at) => ({ item, seq: at + 10 })), complete: true }]]));
}

function server(about: Partial<RecordedOffers>, lists: RecordedOffers['lists'] = new Map()): RecordedOffers {
  return {
    version: '2025-11-25',
    seq: 4,
    info: {},
    capabilities: {},
    instructions: undefined,
    lists,
    refused: new Set(),
    ...about,
  };
}

function tool(properties: JsonObject, more: JsonObject = {}): RecordedOffers {
  return having('tools', { name: 'echo', inputSchema: { type: 'object', properties, ...more } });
}

function output(properties: JsonObject, more: JsonObject = {}): RecordedOffers {
  return having('tools', { name: 'echo', outputSchema: { type: 'object', properties, ...more } });
}

/** Formats each change as `rule or -: about name: sentence`. */
function changes(before: RecordedOffers, after: RecordedOffers, mode: CompareMode = 'semantic'): readonly string[] {
  const how = { mode, normaliser: mode === 'semantic' ? DEFAULT_NORMALISER : NO_NORMALISER };
  return runToEnd(compareCatalogues(before, after, how)).map(
    ({ about, name, breaking, sentence }) => `${breaking ?? '-'} | ${about} ${name}: ${sentence}`,
  );
}

const A = { type: 'string' };
const CASES: readonly (readonly [before: RecordedOffers, after: RecordedOffers, ...changes: string[]])[] = [
  [tool({ a: A }), tool({ a: { ...A } })],
  [
    server({ capabilities: { tools: {}, resources: { subscribe: true } } }),
    server({ capabilities: { resources: { subscribe: false }, logging: {} } }),
    'capability-gone | capability tools: The capability is gone.',
    'capability-gone | capability resources.subscribe: The capability is gone.',
    '- | capability logging: The capability is new.',
  ],
  [
    server({ info: { name: 'x', version: '1' }, instructions: 'Do.' }),
    server({ info: { name: 'x', version: '2' }, version: '2026-07-28' }),
    '- | server : The protocol version was 2025-11-25, and is now 2026-07-28.',
    '- | server : `serverInfo.version` was "1", and is now "2".',
    '- | server : `instructions` is gone; it was "Do.".',
  ],
  [
    having('tools', { name: 'a' }, { name: 'b' }),
    having('tools', { name: 'b', title: 'B' }, { name: 'c' }),
    'tool-gone | tool a: The tool is gone.',
    '- | tool b: `title` is new: "B".',
    '- | tool c: The tool is new.',
  ],
  [having('prompts', { name: 'a' }), having('prompts'), 'prompt-gone | prompt a: The prompt is gone.'],
  [having('resources', { uri: 'a:b' }), having('resources'), 'resource-gone | resource a:b: The resource is gone.'],
  [
    having('resourceTemplates', { uriTemplate: 'a:{b}' }),
    having('resourceTemplates'),
    'template-gone | template a:{b}: The template is gone.',
  ],
  [tool({}), tool({ a: A }), '- | tool echo: The parameter `a` is new: string.'],
  [
    tool({}),
    tool({ a: A }, { required: ['a'] }),
    'parameter-added | tool echo: The parameter `a` is new and required: string.',
  ],
  [
    tool({ a: A }),
    tool({ a: A }, { required: ['a'] }),
    'parameter-required | tool echo: The parameter `a` is now required.',
  ],
  [tool({ a: A }, { required: ['a'] }), tool({ a: A }), '- | tool echo: The parameter `a` is now optional.'],
  [tool({ a: A }), tool({}), 'parameter-gone | tool echo: The parameter `a` is gone.'],
  [
    tool({ a: { type: ['string', 'null'] } }),
    tool({ a: A }),
    'parameter-type | tool echo: The parameter `a` was string or null, and is now only string.',
  ],
  [
    tool({ a: { type: 'number' } }),
    tool({ a: { type: 'integer' } }),
    'parameter-type | tool echo: The parameter `a` was number, and is now only integer.',
  ],
  [
    tool({ a: { type: 'integer' } }),
    tool({ a: { type: 'number' } }),
    '- | tool echo: The parameter `a` was integer, and is now number.',
  ],
  [
    tool({ a: A }),
    tool({ a: { type: 'number' } }),
    'parameter-type | tool echo: The parameter `a` was string, and is now number.',
  ],
  [
    tool({ a: { enum: ['x', 'y'] } }),
    tool({ a: { enum: ['y', 'z'] } }),
    'parameter-values | tool echo: The parameter `a` can’t be "x" any more.',
    '- | tool echo: The parameter `a` can be "z" too.',
  ],
  [
    tool({ a: A }),
    tool({ a: { ...A, oneOf: [{ const: 'x' }, { const: 'y' }] } }),
    'parameter-values | tool echo: The parameter `a` is now one of "x", "y".',
  ],
  [
    tool({ a: { ...A, maxLength: 9 } }),
    tool({ a: { ...A, maxLength: 5, pattern: 'x' } }),
    'parameter-bound | tool echo: The parameter `a` has maxLength 5; it had maxLength 9.',
    'parameter-bound | tool echo: The parameter `a` has pattern "x"; it had no pattern.',
  ],
  [
    tool({ a: { ...A, minLength: 9 } }),
    tool({ a: { ...A, minLength: 5 } }),
    '- | tool echo: The parameter `a` has minLength 5; it had minLength 9.',
  ],
  [
    tool({}),
    tool({}, { additionalProperties: false }),
    'parameters-closed | tool echo: `inputSchema` no longer allows unlisted members.',
  ],
  [
    tool({ a: { anyOf: [A, { type: 'number' }, { type: 'boolean' }] } }),
    tool({ a: { anyOf: [A, { type: 'number' }] } }),
    'parameter-type | tool echo: The parameter `a` can’t be {"type":"boolean"} any more.',
  ],
  [
    tool({ a: { anyOf: [A, { type: 'number' }] } }),
    tool({ a: { anyOf: [{ type: 'boolean' }, { ...A, maxLength: 5 }] } }),
    'parameter-bound | tool echo: The parameter `a(1)` has maxLength 5; it had no maxLength.',
    'parameter-type | tool echo: The parameter `a` can’t be {"type":"number"} any more.',
    '- | tool echo: The parameter `a` can be {"type":"boolean"} too.',
  ],
  // In any spelling.
  [
    tool({ a: { anyOf: [A, { type: 'number' }], description: 'x' } }),
    tool({ a: { type: ['string', 'number'], description: 'x' } }),
    '- | tool echo: `inputSchema` changed.',
  ],
  [
    tool({ a: { oneOf: [{ const: 'x' }, { const: 'y' }] } }),
    tool({ a: { ...A, enum: ['x', 'y'] } }),
    '- | tool echo: `inputSchema` changed.',
  ],
  [tool({ a: A }), tool({ a: { ...A, minLength: 0 } }), '- | tool echo: `inputSchema` changed.'],
  [
    tool({ a: A }),
    tool({ a: { anyOf: [A, { type: 'number' }] } }),
    '- | tool echo: The parameter `a` can be {"type":"number"} too.',
  ],
  [
    tool({ a: { type: 'boolean' } }),
    tool({ a: { anyOf: [A, { type: 'number' }] } }),
    'parameter-type | tool echo: The parameter `a` can’t be {"type":"boolean"} any more.',
    '- | tool echo: The parameter `a` can be {"type":"string"} too.',
    '- | tool echo: The parameter `a` can be {"type":"number"} too.',
  ],
  [
    tool({ a: { anyOf: [A, { type: 'number' }] } }),
    tool({ a: A }),
    'parameter-type | tool echo: The parameter `a` can’t be {"type":"number"} any more.',
  ],
  [
    tool({ a: {} }),
    tool({ a: { anyOf: [A, { type: 'number' }] } }),
    'parameter-type | tool echo: The parameter `a` was anything, and is now only string.',
  ],
  [
    tool({ a: { anyOf: [{ enum: ['x'] }, { type: 'null' }] } }),
    tool({ a: { enum: ['x'] } }),
    'parameter-type | tool echo: The parameter `a` was string or null, and is now only string.',
  ],
  [
    tool({ a: { type: 'array' } }),
    tool({ a: { type: 'array', items: A } }),
    'parameter-type | tool echo: The parameter `a[]` was anything, and is now only string.',
  ],
  [
    tool({ a: true }),
    tool({ a: A }),
    'parameter-type | tool echo: The parameter `a` was anything, and is now only string.',
  ],
  [
    tool({}, { description: 'x' }),
    tool({}, { description: 'x', required: ['a'] }),
    'parameter-added | tool echo: The parameter `a` is new and required.',
  ],
  [
    output({ a: { anyOf: [A, { type: 'number' }] } }),
    output({ a: A }),
    '- | tool echo: The output field `a` can’t be {"type":"number"} any more.',
  ],
  [
    output({ a: A }),
    output({ a: { anyOf: [A, { type: 'number' }] } }),
    'output-type | tool echo: The output field `a` can be {"type":"number"} too.',
  ],
  [
    tool({ a: { ...A, description: 'x' } }),
    tool({ a: { ...A, description: 'y' } }),
    '- | tool echo: The parameter `a` has description "y"; it had description "x".',
  ],
  [
    tool({ a: { type: 'array', items: { type: 'object', properties: { 'b c': A } } } }),
    tool({ a: { type: 'array', items: { type: 'object', properties: { 'b c': { type: 'null' } } } } }),
    'parameter-type | tool echo: The parameter `a[]["b c"]` was string, and is now null.',
  ],
  [
    tool(
      { a: { $ref: '#/$defs/n' } },
      { $defs: { n: { type: 'object', properties: { n: { $ref: '#/$defs/n' }, v: A } } } },
    ),
    tool({ a: { $ref: '#/$defs/m' } }, { $defs: { m: { type: 'object', properties: { n: { $ref: '#/$defs/m' } } } } }),
    'parameter-gone | tool echo: The parameter `a.v` is gone.',
  ],
  [
    tool({ a: A }, { if: { required: ['a'] }, else: { required: ['b'] } }),
    tool({ a: A }, { if: { required: ['a'] }, else: { required: ['c'] } }),
    '- | tool echo: `inputSchema` changed.',
  ],
  [
    output({ a: A }),
    having('tools', { name: 'echo' }),
    'output-schema-gone | tool echo: `outputSchema` is gone; it was {"type":"object","properties":{"a":{"type":"string"}}}.',
  ],
  [output({ a: A }), output({}), 'output-gone | tool echo: The output field `a` is gone.'],
  [
    output({ a: A }, { required: ['a'] }),
    output({ a: A }),
    'output-optional | tool echo: The output field `a` is now optional.',
  ],
  [
    output({ a: A }),
    output({ a: { type: ['string', 'null'] } }),
    'output-type | tool echo: The output field `a` was string, and is now string or null.',
  ],
  [
    output({ a: { enum: ['x'] } }),
    output({ a: { enum: ['x', 'y'] } }),
    'output-values | tool echo: The output field `a` can be "y" too.',
  ],
  [
    output({ a: { type: ['string', 'null'] } }),
    output({ a: A }),
    '- | tool echo: The output field `a` was string or null, and is now only string.',
  ],
  [
    having('tools', { name: 'echo', execution: { taskSupport: 'optional' } }),
    having('tools', { name: 'echo', execution: { taskSupport: 'required' } }),
    'task-required | tool echo: `execution` was {"taskSupport":"optional"}, and is now {"taskSupport":"required"}.',
  ],
  [
    having('prompts', {
      name: 'p',
      arguments: [{ name: 'a' }, { name: 'b', required: true, description: 'x' }, { name: 'c' }],
    }),
    having('prompts', {
      name: 'p',
      arguments: [
        { name: 'a', required: true },
        { name: 'b', description: 'y' },
        { name: 'd', required: true },
      ],
    }),
    'argument-required | prompt p: The argument `a` is now required.',
    '- | prompt p: The argument `b` is now optional.',
    '- | prompt p: `arguments.b.description` was "x", and is now "y".',
    'argument-gone | prompt p: The argument `c` is gone.',
    'argument-required | prompt p: The required argument `d` is new.',
  ],
  [
    having('prompts', { name: 'p' }),
    server({ refused: new Set(['prompts'] as const) }),
    'list-refused | server : The list of prompts is refused.',
  ],
  [
    tool({ a: { type: 'string', pattern: 'a' }, b: A, c: { type: 'string', format: 'date' } }),
    tool({ a: { type: 'string', pattern: 'b' }, b: { type: 'string', format: 'email' }, c: A }),
    'parameter-bound | tool echo: The parameter `a` has pattern "b"; it had pattern "a".',
    'parameter-bound | tool echo: The parameter `b` has format "email"; it had no format.',
    '- | tool echo: The parameter `c` has no format; it had format "date".',
  ],
];

describe('changes of a server', () => {
  test.each(CASES.map(([before, after, ...expected]) => ({ before, after, expected })))(
    '$expected',
    ({ before, after, expected }) => {
      expect(changes(before, after)).toEqual(expected);
    },
  );

  test('have a case for every rule', () => {
    const told = CASES.flatMap(([before, after]) => changes(before, after)).map((line) => line.split(' | ')[0]);
    for (const { id } of BREAKING_RULES) expect(told, id).toContain(id);
  });

  test('do not include a version that is ignored', () => {
    const normaliser = new Normaliser(NORMALISERS.filter(({ name }) => name === 'version'));
    const of = (version: string) => server({ info: { name: 'x', version } });
    expect(runToEnd(compareCatalogues(of('1'), of('2'), { mode: 'semantic', normaliser }))).toEqual([]);
  });

  test('in structure mode include a text only if it was added or removed', () => {
    const before = having('tools', { name: 'a', description: 'x', inputSchema: { type: 'object', description: 'x' } });
    const after = having('tools', { name: 'a', description: 'y', inputSchema: { type: 'object', description: 'y' } });
    expect(changes(before, after, 'structure')).toEqual([]);
    expect(changes(tool({ a: A }), tool({}), 'structure')).toHaveLength(1);
  });

  test('in structure mode include breaking changes', () => {
    const prompt = (name: string) => having('prompts', { name: 'p', arguments: [{ name, required: true }] });
    const breaking: readonly (readonly [RecordedOffers, RecordedOffers, string])[] = [
      [tool({ a: A }), tool({ a: { type: 'number' } }), 'parameter-type'],
      [tool({ a: A, b: A }, { required: ['a'] }), tool({ a: A, b: A }, { required: ['a', 'b'] }), 'parameter-required'],
      [tool({ a: { enum: ['x', 'y'] } }), tool({ a: { enum: ['x'] } }), 'parameter-values'],
      [prompt('a'), prompt('b'), 'argument-gone'],
      [
        having('tools', { name: 'echo', execution: { taskSupport: 'optional' } }),
        having('tools', { name: 'echo', execution: { taskSupport: 'required' } }),
        'task-required',
      ],
    ];
    for (const [before, after, rule] of breaking) {
      expect(changes(before, after, 'structure').join('\n'), rule).toContain(`${rule} | `);
    }
    expect(changes(breaking[2]![1], breaking[2]![0], 'structure')).toEqual([]);
    expect(changes(breaking[4]![1], breaking[4]![0], 'structure')).toEqual([]);
  });

  test('do not include a resource whose uri differs from run to run', () => {
    const [one, other] = ['/tmp/one/a.txt', '/tmp/other/a.txt'].map((path) =>
      having('resources', { uri: `file://${path}`, annotations: { lastModified: new Date().toISOString() } }),
    );
    expect(changes(one!, other!)).toEqual([]);
    expect(changes(one!, other!, 'structure')).toEqual([]);
    expect(changes(one!, other!, 'strict')).toHaveLength(2);
  });

  test('do not include a list that one side never requested', () => {
    const [one, other] = [tool({ a: A }), having('prompts', { name: 'p' })];
    expect(changes(one, other)).toEqual([]);
    expect(missingLists(one, other)).toEqual([
      { list: 'tools', in: 'after' },
      { list: 'prompts', in: 'before' },
    ]);
    expect(comparedLists(one, other)).toEqual([]);
  });

  test('mention a list that both sides lack if the server may offer it and did not refuse it to both', () => {
    const plain = server({});
    const offers = server({ capabilities: { tools: {}, prompts: false } });
    expect(missingLists(plain, plain)).toEqual([]);
    expect(missingLists(plain, offers)).toEqual([{ list: 'tools', in: 'both' }]);
    const refusing = { ...offers, refused: new Set<ListName>(['tools']) };
    expect(missingLists(offers, refusing)).toEqual([{ list: 'tools', in: 'both' }]);
    expect(missingLists(refusing, refusing)).toEqual([]);
    const unknown = server({ seq: undefined });
    expect(missingLists(unknown, plain)).toEqual([]);
    expect(missingLists(unknown, unknown)).toHaveLength(4);
  });

  test('have no details for a recursive schema that is written in another way', () => {
    const json = { $ref: '#/$defs/json' };
    const list = { type: 'array', items: json };
    const [union, types] = [{ anyOf: [A, list] }, { type: ['string', 'array'], items: json }].map((definition) =>
      tool({ a: json }, { $defs: { json: definition } }),
    );
    expect(changes(union!, types!)).toEqual(['- | tool echo: `inputSchema` changed.']);
    expect(changes(types!, union!)).toEqual(['- | tool echo: `inputSchema` changed.']);
  });

  test('in hostile lists and schemas are found in bounded time', () => {
    const deep = (leaf: unknown) => {
      let schema: unknown = leaf;
      for (let at = 0; at < 200; at++) schema = { type: 'object', properties: { a: schema, b: schema } };
      return tool({ a: schema });
    };
    expect(changes(deep(A), deep({ type: 'number' })).length).toBeGreaterThan(0);
    const many = (from: number) =>
      having('tools', ...Array.from({ length: 5000 }, (_, at) => ({ name: `t${at + from}` })));
    expect(changes(many(0), many(3000)).length).toBe(2000);
    expect(
      changes(tool({ __proto__: A, a: 7 } as any), having('tools', { name: 'echo', inputSchema: 7 })),
    ).toHaveLength(1);
  });
});
