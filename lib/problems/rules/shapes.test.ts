import { expect, test } from 'vitest';
import { legacy, problemsIn } from '../test-sessions';

test('a capability that is [] has the wrong type, and the advice names PHP', () => {
  expect(problemsIn(legacy({ server: { tools: [], logging: [] } }))).toEqual(
    ['logging', 'tools'].map((name) =>
      expect.objectContaining({
        rule: 'field-type',
        message: `${name} is an array, expected an object.`,
        path: ['result', 'capabilities', name],
        advice: expect.stringContaining('new stdClass()'),
      }),
    ),
  );
});

test('an array with items has the advice of the rule', () => {
  const [problem] = problemsIn(legacy({ server: { tools: ['a'] } }));
  expect(problem?.advice).toMatch(/^Send the expected type\./);
});
