import { expect, test } from 'vitest';
import { calledTools } from './use-pin-actions';

const item = (name: string) => ({ name, raw: { name } });

test('tools of calls are found by name', () => {
  const pins = [
    { method: 'tools/call', target: 'wipe' },
    { method: 'tools/call', target: 'wipe' },
    { method: 'prompts/get', target: 'read' },
  ];
  expect(calledTools(pins, [item('wipe'), item('read')])).toEqual({ listed: [{ name: 'wipe' }], unlisted: [] });
});

test.each([
  ['that is not listed yet', 'wipe', []],
  ['that is filled in when it is sent', '${tool}', [item('${tool}')]],
  ['that has no name in the file', undefined, [item('wipe')]],
])('a tool %s may be destructive', (_, target, items) => {
  const { unlisted } = calledTools([{ method: 'tools/call', ...(target !== undefined && { target }) }], items);
  expect(unlisted).toEqual([target ?? '']);
});
