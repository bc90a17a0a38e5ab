import { expect, test } from 'vitest';
import { CasesError, readCases } from './read-cases';

const FILE = `
config: mcp.json
models: [scripted:rules.yaml, ollama:mistral-small]
repeat: 3
system: Be short.
limits: { calls: 4 }
answers: { write_entry: done }
cases:
  - name: reads the log
    prompt: What happened last night?
    expect: { tool: read_log, arguments: { day: 5 }, text: fog }
  - prompt: Two tools
    servers: [light]
    fresh: true
    answers: { send: sent }
    expect:
      calls:
        - add
        - tool: light__read
          schema: { type: object, required: [id] }
          where: { /id: { atLeast: 2, not: { equals: 7 } }, /name: Ann }
      forbidden: erase
      text: [{ matches: '^ok' }, { not: { contains: sorry } }]
      mostCalls: 2
`;

test('reads the settings of a file, and its cases', () => {
  const { cases, ...file } = readCases(FILE);
  expect(file).toEqual({
    config: 'mcp.json',
    models: ['scripted:rules.yaml', 'ollama:mistral-small'],
    repeat: 3,
    system: 'Be short.',
    limits: { calls: 4 },
  });
  expect(cases).toEqual([
    {
      name: 'reads the log',
      line: 9,
      prompt: 'What happened last night?',
      fresh: false,
      answers: new Map([['write_entry', 'done']]),
      expect: {
        calls: [{ tool: 'read_log', arguments: { day: 5 }, where: [] }],
        forbidden: [],
        text: [{ contains: 'fog' }],
      },
    },
    {
      name: 'case 2',
      line: 12,
      prompt: 'Two tools',
      servers: ['light'],
      fresh: true,
      answers: new Map([
        ['write_entry', 'done'],
        ['send', 'sent'],
      ]),
      expect: {
        calls: [
          { tool: 'add', where: [] },
          {
            tool: 'light__read',
            schema: { type: 'object', required: ['id'] },
            where: [
              { path: '/id', test: { atLeast: 2, not: { equals: 7 } } },
              { path: '/name', test: { equals: 'Ann' } },
            ],
          },
        ],
        forbidden: ['erase'],
        text: [{ matches: '^ok' }, { not: { contains: 'sorry' } }],
        mostCalls: 2,
      },
    },
  ]);
});

test('reads JSON', () => {
  const { cases } = readCases('{"cases":[{"prompt":"a","expect":{"mostCalls":0}}]}');
  expect(cases[0]!.expect).toEqual({ calls: [], forbidden: [], text: [], mostCalls: 0 });
});

const CASE = 'cases:\n  - prompt: a\n    expect: ';

test.each([
  ['cases: [', 'Line 1, column 9: it is not valid YAML (bad indent).'],
  ['- a', 'Line 1: the file is an array, expected an object.'],
  ['config: a', 'Line 1: `cases` is missing.'],
  ['cases: []', 'Line 1: `cases` is empty: give at least one case.'],
  ['cases:\n  - prompt: a', 'Line 2: `cases[0].expect` is missing.'],
  [
    'cases:\n  - promt: a',
    'Line 2: `cases[0].promt` is not known here. There are name, prompt, system, servers, fresh',
  ],
  [`${CASE}{}`, 'Line 3: `cases[0].expect` expects nothing: give `tool`'],
  [`${CASE}{ tool: 5 }`, 'Line 3: `cases[0].expect.tool` is a number, expected a text.'],
  [`${CASE}{ arguments: {} }`, 'Line 3: `cases[0].expect.tool` is missing.'],
  [`${CASE}{ tool: a, calls: [b] }`, '`cases[0].expect.calls` and `tool` are both given'],
  [`${CASE}{ text: { matches: '(' } }`, '`cases[0].expect.text.matches` is not a valid pattern:'],
  [`${CASE}{ text: {} }`, '`cases[0].expect.text` tests nothing'],
  [`${CASE}{ tool: a, where: { id: 1 } }`, '`cases[0].expect.where.id` is not a JSON Pointer'],
  [`${CASE}{ mostCalls: -1 }`, '`cases[0].expect.mostCalls` is -1, expected a whole number from 0'],
  [`repeat: 0\n${CASE}{ tool: a }`, 'Line 1: `repeat` is 0, expected a whole number from 1 to 1000.'],
  [`toolMode: magic\n${CASE}{ tool: a }`, '`toolMode` must be native or described.'],
  [
    'cases:\n  - { name: x, prompt: a, expect: { tool: a } }\n  - { name: x, prompt: b, expect: { tool: a } }',
    'Line 3: `cases[1]` has the name “x”, like the case in line 2: rename one.',
  ],
])('refuses %j', (text, sentence) => {
  expect(() => readCases(text)).toThrow(CasesError);
  expect(() => readCases(text)).toThrow(sentence);
});

test('refuses a file that repeats itself without end', () => {
  const levels = Array.from({ length: 9 }, (_, at) => `l${at + 1}: &l${at + 1} [${`*l${at},`.repeat(9)}]`);
  expect(() => readCases(`l0: &l0 [a]\n${levels.join('\n')}`)).toThrow('It repeats itself too often');
});
