import { expect, test } from 'vitest';
import {
  capabilityName,
  isDeclared,
  isOptional,
  matters,
  switchesOf,
  withCapability,
  worthTrying,
} from './capability-switches';
import {
  ALL_CAPABILITIES,
  type ClientCapabilities,
  capabilitiesProblem,
  SUPPORTED_CAPABILITIES,
} from './client-capabilities';

test('switching off everything leaves nothing, switching on everything leaves everything', () => {
  const switches = switchesOf(ALL_CAPABILITIES);
  let capabilities = ALL_CAPABILITIES;
  for (const path of [...switches].reverse()) capabilities = withCapability(capabilities, path, false);
  expect(capabilities).toEqual({});
  for (const path of switches) {
    capabilities = withCapability(capabilities, path, true);
    expect(capabilitiesProblem(capabilities)).toBeUndefined();
  }
  expect(capabilities).toEqual(ALL_CAPABILITIES);
});

test.each<[ClientCapabilities, string[], boolean, ClientCapabilities]>([
  [{ sampling: { tools: {} } }, ['sampling', 'tools'], false, { sampling: {} }],
  [{ sampling: { tools: {}, context: {} } }, ['sampling'], false, {}],
  [{}, ['sampling', 'tools'], true, { sampling: { tools: {} } }],
  [{ elicitation: {} }, ['elicitation', 'url'], true, { elicitation: { form: {}, url: {} } }],
  [{ elicitation: { url: {} } }, ['elicitation', 'url'], false, {}],
  [{ elicitation: {} }, ['elicitation', 'form'], false, {}],
  [{ elicitation: { form: {}, url: {} } }, ['elicitation'], false, {}],
  [{}, ['elicitation'], true, { elicitation: { form: {}, url: {} } }],
  [
    { tasks: { requests: { sampling: { createMessage: {} } } } },
    ['tasks', 'requests', 'sampling', 'createMessage'],
    false,
    { tasks: {} },
  ],
  [{ extensions: { a: { b: 1 }, c: {} } }, ['extensions', 'a'], false, { extensions: { c: {} } }],
  [{ extensions: { a: {} } }, ['extensions', 'a'], false, {}],
])('%j with %j switched to %s is %j', (before, path, on, after) => {
  expect(withCapability(before, path, on)).toEqual(after);
  expect(isDeclared(after, path)).toBe(on);
});

test('tries groups, and each difference that a server can notice once', () => {
  const names = (capabilities: ClientCapabilities, sent: (all: ClientCapabilities) => unknown) =>
    worthTrying(capabilities, sent).map(capabilityName);
  const withoutTasks = ({ tasks, ...others }: ClientCapabilities) => others;
  expect(names(SUPPORTED_CAPABILITIES, withoutTasks)).toEqual([
    'sampling',
    'elicitation',
    'elicitation.form',
    'elicitation.url',
    'roots',
    'extensions.io.modelcontextprotocol/tasks',
  ]);
  expect(names({ elicitation: {}, tasks: {} }, (all) => all)).toEqual(['elicitation', 'tasks']);
  expect(matters(SUPPORTED_CAPABILITIES, ['tasks', 'list'], withoutTasks)).toBe(false);
  expect(matters({}, ['roots'], withoutTasks)).toBe(true);
});

test('an empty `elicitation` declares forms', () => {
  expect(isDeclared({ elicitation: {} }, ['elicitation', 'form'])).toBe(true);
  expect(isDeclared({ elicitation: { url: {} } }, ['elicitation', 'form'])).toBe(false);
});

test('names the capabilities that stand alone, with own extensions', () => {
  const capabilities = { ...SUPPORTED_CAPABILITIES, extensions: JSON.parse('{"__proto__":{}}') };
  const names = switchesOf(capabilities)
    .filter((path) => isOptional(capabilities, path))
    .map(capabilityName);
  expect(names).toEqual(['sampling', 'elicitation.form', 'elicitation.url', 'roots', 'tasks', 'extensions.__proto__']);
  expect(withCapability(capabilities, ['extensions', '__proto__'], false)).not.toHaveProperty('extensions');
});
