import { expect, test } from 'vitest';
import { missingCapabilityAdvice } from './missing-capability';

const TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} } };

test.each<[unknown, boolean, string]>([
  [TASKS, true, 'Add `--task auto`, which declares `extensions.io.modelcontextprotocol/tasks`.'],
  [TASKS, false, 'Add `--capabilities all`, which declares `extensions.io.modelcontextprotocol/tasks`.'],
  [{ elicitation: { url: {} } }, true, 'Add `--capabilities all`, which declares `elicitation.url`.'],
  [
    { sampling: {}, ...TASKS },
    true,
    'Add `--capabilities all`, which declares `sampling`, `extensions.io.modelcontextprotocol/tasks`.',
  ],
  [
    { extensions: { 'com.example/x': {} } },
    true,
    `Add \`--capabilities '{"extensions":{"com.example/x":{}}}'\`, which declares \`extensions.com.example/x\`.`,
  ],
  [undefined, true, 'Add `--capabilities all`.'],
])('an error −32021 that requires %j (--task: %s)', (requiredCapabilities, hasTaskOption, advice) => {
  const error = { code: -32021, message: 'Missing', data: { requiredCapabilities } };
  expect(missingCapabilityAdvice(error, hasTaskOption)).toBe(advice);
});

test('another error has no such advice', () => {
  expect(missingCapabilityAdvice({ code: -32602, message: '', data: { requiredCapabilities: TASKS } }, true)).toBe(
    undefined,
  );
});
