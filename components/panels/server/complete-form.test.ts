import { expect, test } from 'vitest';
import type { LogState } from '@/lib/store/state/state';
import { completables } from './complete-form';

test('offers the arguments of prompts, and the variables of templates', () => {
  const prompts = {
    items: [
      { name: 'greet', raw: { arguments: [{ name: 'who' }, null, { name: 7 }] } },
      { name: 'bare', raw: {} },
    ],
  };
  const templates = { items: [{ uriTemplate: 'file:///{path}{?page,size*}', raw: {} }] };
  expect(completables({ prompts, templates } as unknown as LogState)).toEqual([
    { label: 'prompt greet', ref: { type: 'ref/prompt', name: 'greet' }, names: ['who'] },
    {
      label: 'template file:///{path}{?page,size*}',
      ref: { type: 'ref/resource', uri: 'file:///{path}{?page,size*}' },
      names: ['path', 'page', 'size'],
    },
  ]);
});
