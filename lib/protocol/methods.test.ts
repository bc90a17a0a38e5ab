import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { PROTOCOL_VERSIONS } from '@/lib/wire/lifecycle';
import { hasMethod, LISTINGS, METHODS } from './methods';

const SPEC = path.resolve(import.meta.dirname, '../../../shared/spec');

/** Returns the methods in these unions of the official schema. */
function methodsIn(version: string, unions: readonly string[]): string[] {
  const schema = JSON.parse(readFileSync(path.join(SPEC, version, 'schema.json'), 'utf8'));
  const defs = schema.$defs ?? schema.definitions;
  return unions.flatMap((name) => {
    const union = defs[name];
    if (union === undefined) return [];
    const shapes = union.anyOf ?? [union];
    return shapes.map(
      (shape: any) => (shape.$ref ? defs[shape.$ref.split('/').at(-1)] : shape).properties.method.const,
    );
  });
}

describe.skipIf(!existsSync(SPEC))('the official schemas', () => {
  test.each(PROTOCOL_VERSIONS)('%s has exactly the methods of our table', (version) => {
    const ours = (direction: 'to-server' | 'to-client') =>
      [...METHODS.keys()].filter((method) => hasMethod(version, method, direction)).sort();
    expect(ours('to-server')).toEqual(methodsIn(version, ['ClientRequest', 'ClientNotification']).sort());
    expect(ours('to-client')).toEqual(methodsIn(version, ['ServerRequest', 'ServerNotification']).sort());
  });
});

test('hasMethod knows neither unknown names nor those of Object.prototype', () => {
  for (const method of ['constructor', '__proto__', 'tools/nope', '']) {
    expect(hasMethod('2025-11-25', method, 'to-server')).toBe(false);
  }
});

test('notifications, and only they, have the prefix notifications/', () => {
  for (const [method, row] of METHODS) expect(row.kind === 'notification').toBe(method.startsWith('notifications/'));
});

test('LISTINGS has the four lists', () => {
  expect(LISTINGS.map(([method, { items }]) => [method, items])).toEqual([
    ['tools/list', 'tools'],
    ['prompts/list', 'prompts'],
    ['resources/list', 'resources'],
    ['resources/templates/list', 'resourceTemplates'],
  ]);
});
