import { expect, test } from 'vitest';
import { staleLists } from './stale-lists';
import { call, sessionOf } from './test-sessions';

const changed = (what: string) => ['<', { method: `notifications/${what}/list_changed` }] as const;
const read = (what: string) => call(`${what}/list`, {}, {});

test('a list is stale if it has changed since it was asked for', () => {
  const all = [changed('tools'), changed('prompts'), changed('resources')];
  const session = sessionOf(...read('tools'), ...read('prompts'), ...all, ...read('prompts'));
  expect([...staleLists(session)]).toEqual(['tools/list']);
});
