import { expect, test } from 'vitest';
import { view } from '@/lib/schema/view';
import { promptSchema } from './prompt-schema';

test('arguments become string fields; malformed ones are left out', () => {
  const schema = promptSchema({
    name: 'p',
    arguments: [{ name: 'city', required: true }, { name: '__proto__' }, { name: 7 }, null, 'x'],
  });
  const node = view(schema, schema);
  expect(node.kind === 'object' && node.properties.map(({ name, required }) => [name, required])).toEqual([
    ['city', true],
    ['__proto__', false],
  ]);
});

test.each([[undefined], [null], [{}], ['x']])('arguments %j give no fields', (declared) => {
  const schema = promptSchema({ arguments: declared });
  const node = view(schema, schema);
  expect(node.kind === 'object' && node.properties).toEqual([]);
});
