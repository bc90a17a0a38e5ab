import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CaseFacts, caseText, withCase } from './case-text';
import { loggedCase } from './logged-case';
import { readCases } from './read-cases';

const FACTS: CaseFacts = {
  name: 'asks for the tide',
  prompt: 'When is "high water"?\nToday: # not a comment',
  system: 'You are a pilot.',
  servers: ['tides'],
  answers: [['tides__next', 'At noon.\n- really']],
  calls: [{ tool: 'tides__next', arguments: '{\n "port": "Wick",\n "id": 12345678901234567890 }' }],
};

test('is a case that the reader takes', () => {
  const text = withCase('', caseText(FACTS));
  expect(text).toContain('arguments: {"port":"Wick","id":12345678901234567890}');
  const [one] = readCases(text).cases;
  expect(one).toMatchObject({ name: FACTS.name, prompt: FACTS.prompt, system: FACTS.system, servers: ['tides'] });
  expect([...one!.answers]).toEqual(FACTS.answers);
  expect(one!.expect.calls).toMatchObject([{ tool: 'tides__next', arguments: { port: 'Wick' } }]);
});

test('goes to the end of a file, and needs no arguments that are JSON', () => {
  const calls = [
    { tool: 'a', arguments: '' },
    { tool: 'b', arguments: '{"x":' },
  ];
  const first = withCase('model: scripted:a.yaml\n', caseText({ name: 'one', prompt: 'a', calls }));
  const both = withCase(first, caseText({ name: 'two', prompt: 'b', calls: [] }));
  const { cases, models } = readCases(both);
  expect(models).toEqual(['scripted:a.yaml']);
  expect(cases.map(({ expect: { calls, mostCalls } }) => [calls.length, mostCalls])).toEqual([
    [2, undefined],
    [0, 0],
  ]);
  expect(cases[0]!.expect.calls).toEqual([
    { tool: 'a', arguments: {}, where: [] },
    { tool: 'b', where: [] },
  ]);
});

test('whatever a model wrote stays in its place', () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1 });
  fc.assert(
    fc.property(text, text, text, (name, prompt, tool) => {
      const [one] = readCases(withCase('', caseText({ name, prompt, calls: [{ tool, arguments: '{}' }] }))).cases;
      expect(one).toMatchObject({ name, prompt, expect: { calls: [{ tool }] } });
    }),
  );
});

test('a recorded call becomes a case', () => {
  const text = withCase('', loggedCase('my server', 'a: b', '{"x":1}'));
  expect(readCases(text).cases).toMatchObject([
    { name: 'calls a: b', servers: ['my server'], expect: { calls: [{ tool: 'a: b', arguments: { x: 1 } }] } },
  ]);
});
