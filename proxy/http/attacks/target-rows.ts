import type { AttackRow } from './attack-row';

/** Attack 8: targets that are no plain path. */
export const TARGET_ROWS: readonly AttackRow[] = [
  {
    attack: 8,
    name: 'absolute-form target',
    base: 'page',
    status: 400,
    rules: ['target'],
    target: (at) => `http://127.0.0.1:${at.port}/`,
  },
  {
    attack: 8,
    name: 'absolute-form target of another site',
    base: 'page',
    status: 400,
    rules: ['target'],
    target: () => 'http://evil.example/',
  },
  { attack: 8, name: 'target with #', base: 'page', status: 400, rules: ['target'], target: () => '/index.html#x' },
  {
    attack: 8,
    name: 'target with two slashes',
    base: 'page',
    status: 400,
    rules: ['target'],
    target: () => '//evil.example/',
  },
  {
    attack: 8,
    name: 'target with a control character',
    base: 'page',
    status: 400,
    rules: ['target'],
    also: 'parser',
    target: () => '/index.html\u0001',
  },
  {
    attack: 8,
    name: 'target with NUL',
    base: 'page',
    status: 400,
    rules: ['target'],
    also: 'parser',
    target: () => '/index.html\u0000',
  },
  {
    attack: 8,
    name: 'target with a high byte',
    base: 'page',
    status: 400,
    rules: ['target'],
    also: 'parser',
    target: () => '/\u00e9',
  },
];
