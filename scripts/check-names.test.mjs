import { expect, test } from 'vitest';
import { checkNames } from './check-names.mjs';

test('a name that two files export is refused', () => {
  const files = [
    ['lib/a.ts', 'export interface Place {}\nexport const other = 1;'],
    ['proxy/b.ts', 'export async function other() {}'],
    ['components/c.tsx', 'export abstract class Place {}'],
  ];
  expect(checkNames(files)).toEqual([
    'Place is exported by lib/a.ts and components/c.tsx: give each a name of its own',
    'other is exported by lib/a.ts and proxy/b.ts: give each a name of its own',
  ]);
});

test.each([
  ['overloads of a function', [['lib/a.ts', 'export function f(a: 1): 1;\nexport function f(a: 2): 2;']]],
  [
    'what is not exported',
    [
      ['lib/a.ts', 'const a = 1;'],
      ['lib/b.ts', 'export const a = 2;'],
    ],
  ],
  [
    'a replacement in shared pages',
    [
      ['lib/a.ts', 'export const a = 1;'],
      ['viewer/a.ts', 'export const a = 2;'],
    ],
  ],
  [
    'the two objects of a feature',
    [
      ['features/x/feature.ts', 'export const x = 1;'],
      ['features/x/page.ts', 'export const x = 1;'],
    ],
  ],
  [
    'the code of subcommands',
    [
      ['proxy/a.ts', 'export function run() {}'],
      ['proxy/b.ts', 'export function run() {}'],
    ],
  ],
])('%s may have the same name', (_, files) => {
  expect(checkNames(files)).toEqual([]);
});
