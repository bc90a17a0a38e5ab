import { expect, test } from 'vitest';
import { formatPath, toPointer } from '@/lib/json/outline-path';
import { placePointer } from './place-pointer';

const toolAt = (name: string) => (name === 'a "b"' ? 4 : undefined);

test.each([
  ['result.tools["a \\"b\\""].inputSchema.anyOf', 'a "b"', '/result/tools/4/inputSchema/anyOf'],
  ['result.tools["a \\"b\\""]', 'a "b"', '/result/tools/4'],
  ['result.tools["gone"].name', 'gone', undefined],
  ['result.contents[0]._meta.ui["a/b"]', undefined, '/result/contents/0/_meta/ui/a~1b'],
  ['not a path', undefined, undefined],
])('%s is a pointer into the frame', (path, tool, pointer) => {
  expect(placePointer({ path, ...(tool !== undefined && { tool }) }, toolAt)).toBe(pointer);
});

test('reads what formatPath writes', () => {
  const path = ['result', 'tools', 3, 'inputSchema', 'properties', '$top', 'a.b', 'x y', '', '0'] as const;
  expect(placePointer({ path: formatPath(path) }, toolAt)).toBe(toPointer(path));
});
