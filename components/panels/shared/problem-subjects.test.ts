import { expect, test } from 'vitest';
import { answered, asked, logOf } from '@/lib/store/test-frames';
import { subjectsOf } from './problem-subjects';

const CALL = { path: ['result', 'content'] };

test('the error of a call names its tool, once for all of its frames', () => {
  const log = logOf(
    asked(1, 'tools/call', { name: 'sum' }),
    answered(1, {}),
    asked(2, 'tools/call', { name: 'sum' }),
    answered(2, {}),
    asked(3, 'prompts/get', { name: 'greet' }),
    answered(3, {}),
  );
  expect(subjectsOf(log, { ...CALL, seqs: [2, 4, 6] })).toEqual([
    { panel: 'tools', name: 'sum' },
    { panel: 'prompts', name: 'greet' },
  ]);
  expect(subjectsOf(log, { path: undefined, seqs: [1] })).toEqual([{ panel: 'tools', name: 'sum' }]);
});

test('the error of an entry names the entry, and one of the whole list names nothing', () => {
  const log = logOf(asked(1, 'tools/list'), answered(1, { tools: [{ name: 'a' }, { name: 'b' }] }));
  expect(subjectsOf(log, { path: ['result', 'tools', 1, 'inputSchema'], seqs: [2] })).toEqual([
    { panel: 'tools', name: 'b' },
  ]);
  expect(subjectsOf(log, { path: ['result', 'tools'], seqs: [2] })).toEqual([]);
});

test('resources and templates are named too, as is a resource that is read', () => {
  const log = logOf(
    asked(1, 'resources/list'),
    answered(1, { resources: [{ uri: 'test://a', name: 'a' }] }),
    asked(2, 'resources/templates/list'),
    answered(2, { resourceTemplates: [{ uriTemplate: 'test://{id}', name: 'b' }] }),
    asked(3, 'resources/read', { uri: 'test://a' }),
    answered(3, {}),
  );
  const panel = 'resources';
  expect(subjectsOf(log, { path: ['result', 'resources', 0, 'name'], seqs: [2] })).toEqual([
    { panel, name: 'test://a' },
  ]);
  expect(subjectsOf(log, { path: ['result', 'resourceTemplates', 0], seqs: [4] })).toEqual([
    { panel, name: 'test://{id}' },
  ]);
  expect(subjectsOf(log, { path: ['result', 'contents'], seqs: [6] })).toEqual([{ panel, name: 'test://a' }]);
});
