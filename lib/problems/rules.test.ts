import { describe, expect, test } from 'vitest';
import { answered, asked, framesOf, got, happened } from '@/lib/store/test-frames';
import { PROBLEMS_PER_RULE, ProblemFinder } from './problem-finder';
import { RULES } from './rules/registry';
import { rulesDocument } from './rules-document';
import { FIXTURES } from './test-fixtures';
import { ask, complete, legacy, modern, posted, problemsIn, responded } from './test-sessions';

test('every rule has a fixture, and no two share an id', () => {
  expect(Object.keys(FIXTURES).sort()).toEqual(RULES.map(({ id }) => id).sort());
});

describe.each(RULES.map(({ id }) => [id] as const))('%s', (id) => {
  const { bad, good, unchecked } = FIXTURES[id] ?? { bad: [], good: [] };

  test('is found', () => {
    const found = problemsIn(bad, unchecked).filter(({ rule }) => rule === id);
    expect(found).toHaveLength(1);
    expect(found[0]!.message).toMatch(/\S/);
    expect(found[0]!.url).toMatch(/^https:\/\/modelcontextprotocol\.io\/specification\/\d{4}-\d\d-\d\d\/[a-z]/);
    expect(found[0]!.seqs.every((seq) => seq >= 1 && seq <= bad.length)).toBe(true);
  });

  test('is not found in its near miss', () => {
    expect(problemsIn(good, unchecked).filter(({ rule }) => rule === id)).toEqual([]);
  });
});

test.each([
  ['legacy', legacy()],
  ['modern', modern()],
])('the opening of a %s session has no problem', (_era, frames) => {
  expect(problemsIn(frames)).toEqual([]);
});

test('a rule is told in words that can be acted on', () => {
  for (const { id, title, advice } of RULES) {
    expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(title).not.toMatch(/\.$/);
    expect(advice).toMatch(/^[A-Z].*\.$/);
  }
});

test('the same finding in more frames is one problem', () => {
  const list = (id: number) => [asked(id, 'tools/list'), answered(id, { tools: [{ name: 'a' }] })];
  const [problem, ...others] = problemsIn([...legacy(), ...list(1), ...list(2)]);
  expect(others).toEqual([]);
  expect(problem).toMatchObject({
    rule: 'field-missing',
    message: 'inputSchema is missing.',
    path: ['result', 'tools', 0, 'inputSchema'],
    seqs: [7, 9],
    count: 2,
    related: [6],
    section: '2025-11-25 server/tools',
  });
});

test('an object printed over several lines is one finding, with its own advice', () => {
  const answer = { jsonrpc: '2.0', id: 1, result: { tools: [] } };
  const lines = JSON.stringify(answer, null, 2).split('\n');
  const print = () => lines.map((line) => got(line));
  const junk = problemsIn([...legacy(), asked(1, 'tools/list'), ...print(), got('after'), ...print()]).filter(
    ({ rule }) => rule === 'stdout-junk',
  );
  const first = legacy().length + 2;
  expect(junk).toMatchObject([
    {
      message: 'The server printed an object over several lines.',
      advice: expect.stringContaining('`json.dumps(message)` without `indent`'),
      seqs: [first, first + lines.length + 1],
      count: 2,
    },
    { message: 'The server wrote "after".', count: 1 },
  ]);
});

test('an HTTP refusal may answer with a null id: the server has not read the request', () => {
  const unread = got({ jsonrpc: '2.0', id: null, error: { code: -32000, message: 'No valid session ID provided' } });
  const refusedBy = (status: number) => [
    ...legacy({ transport: 'http' }),
    ...posted(9, {}, asked(1, 'ping')),
    ...responded(9, status, { 'content-type': 'application/json' }, unread),
  ];
  const ids = (status: number) => problemsIn(refusedBy(status)).filter(({ rule }) => rule === 'id-type');
  expect(ids(400)).toEqual([]);
  expect(ids(200)).toHaveLength(1);
});

test('a line that is nearly a response says why it is not', () => {
  const found = problemsIn([...legacy(), asked(1, 'tools/list'), got('{"jsonrpc":"2.0","id":1,"result":NaN}')]);
  expect(found).toMatchObject([{ rule: 'stdout-junk', advice: 'Send it as one line of JSON. `NaN` is not JSON.' }]);
});

test('a field of other versions is told once a message, however many items have it', () => {
  const tool = (name: string) => ({ name, title: name, inputSchema: { type: 'object' } });
  const found = problemsIn([
    ...legacy({ version: '2025-03-26' }),
    asked(1, 'tools/list'),
    answered(1, { tools: [tool('a'), tool('b')] }),
  ]);
  expect(found).toMatchObject([
    { message: 'title exists only since 2025-06-18.', path: ['result', 'tools', 0, 'title'] },
  ]);
});

test('only what changed is handed out', () => {
  const finder = new ProblemFinder();
  const frames = framesOf([...legacy(), got('junk'), got('more junk'), got('junk')]);
  for (const frame of frames.slice(0, -2)) finder.addFrame(frame);
  expect(finder.takeChanged()).toMatchObject([{ id: 1, count: 1 }]);
  expect(finder.takeChanged()).toEqual([]);
  for (const frame of frames.slice(-2)) finder.addFrame(frame);
  expect(finder.takeChanged()).toMatchObject([{ id: 2 }, { id: 1, count: 2, seqs: [6, 8] }]);
});

test('a flood of different problems stays bounded', () => {
  const junk = Array.from({ length: PROBLEMS_PER_RULE + 10 }, (_, index) => got(`line ${index}`));
  expect(problemsIn([...legacy(), ...junk])).toHaveLength(PROBLEMS_PER_RULE);
});

test('no rule fails over any fixture', () => {
  const failed = Object.values(FIXTURES).flatMap(({ bad, good }) =>
    [bad, good].flatMap((seeds) => {
      const finder = new ProblemFinder();
      for (const frame of framesOf(seeds)) finder.addFrame(frame);
      return [...finder.failed];
    }),
  );
  expect(failed).toEqual([]);
});

test('docs/rules.md is what the rules say: vitest -u writes it anew', async () => {
  await expect(rulesDocument()).toMatchFileSnapshot('../../docs/rules.md');
});

describe('auto mode, when the probe and initialize are out together', () => {
  const [start, initialize, initialized, ready, open] = legacy();
  const probed = (era: 'legacy' | 'modern') => happened({ event: 'probe', era, reason: 'x', respawn: false });
  const probe = ask('mcp-inspect-probe', 'server/discover');
  const discovered = complete('mcp-inspect-probe', { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } });
  const refused = (id: string) => got({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } });
  const tools = { tools: [{ name: 'a', inputSchema: { type: 'object' } }] };

  test.each([
    ['answered', discovered],
    ['refused', refused('mcp-inspect-probe')],
  ])('legacy: a probe that is %s late breaks no rule, and what follows is of the legacy version', (_how, late) => {
    const frames = [start!, probe, initialize!, initialized!, probed('legacy'), ready!, open!, late];
    expect(problemsIn([...frames, asked(1, 'tools/list'), answered(1, tools)])).toEqual([]);
  });

  test.each([
    ['answered', initialized!],
    ['refused', refused('i')],
  ])(
    'modern: an initialize that is %s late breaks no rule, and what follows is of the modern version',
    (_how, late) => {
      const opened = happened({ event: 'open', era: 'modern', version: '2026-07-28' });
      const frames = [start!, probe, initialize!, discovered, probed('modern'), opened, late];
      expect(problemsIn([...frames, ask(1, 'tools/list'), complete(1, tools)])).toEqual([]);
    },
  );
});

test('a new process begins a new session', () => {
  const spawned = { event: 'spawned', pid: 1 } as const;
  const again = { ...got(spawned), channel: 'lifecycle' as const };
  expect(problemsIn([...legacy(), again, ...legacy().slice(1)])).toEqual([]);
});

test.each([
  'null',
  '{"jsonrpc":"2.0","id":1,"result":null}',
  '{"jsonrpc":"2.0","id":1,"error":null}',
  '{"jsonrpc":"2.0","id":{},"method":"tools/call","params":null}',
  '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":{}}}',
  '[[],null,{"jsonrpc":"2.0"}]',
  '{"__proto__":{"jsonrpc":"2.0"},"constructor":1,"id":1}',
])('%s stops no rule', (text) => {
  const finder = new ProblemFinder();
  for (const frame of framesOf([...legacy(), ...modern(), got(text)])) finder.addFrame(frame);
  expect([...finder.failed]).toEqual([]);
});

describe('what is found before a version is agreed on', () => {
  const start = legacy()[0]!;
  const probe = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } };

  test('cites the version that was agreed on then, as what comes later does', () => {
    const later = [got('early'), ...legacy({ version: '2025-06-18' }).slice(1), got('late')];
    const found = problemsIn([start, ...later]);
    expect(found.map(({ message, section }) => [message, section])).toEqual([
      ['The server wrote "early".', '2025-06-18 basic/transports#stdio'],
      ['The server wrote "late".', '2025-06-18 basic/transports#stdio'],
    ]);
  });

  test('is told of again once that is known', () => {
    const finder = new ProblemFinder();
    const frames = framesOf([start, got('early'), ...legacy().slice(1)]);
    for (const frame of frames.slice(0, 2)) finder.addFrame(frame);
    expect(finder.takeChanged()).toMatchObject([{ section: '2026-07-28 basic/transports/stdio' }]);
    for (const frame of frames.slice(2)) finder.addFrame(frame);
    expect(finder.takeChanged()).toMatchObject([{ section: '2025-11-25 basic/transports#stdio' }]);
  });

  test('cites the version asked for where none ever is', () => {
    expect(problemsIn([start, asked('i', 'initialize', probe), got('junk')])).toMatchObject([
      { section: '2025-11-25 basic/transports#stdio' },
    ]);
  });
});

test.each([
  ['2025-11-25', /^Leave the id out/],
  ['2025-06-18', /2025-06-18 has no error for a message whose id can’t be read: say so on stderr/],
] as const)('what to do about an error with the id null can be done in %s', (version, advice) => {
  const refusal = got({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'x' } });
  const found = problemsIn([...legacy({ version }), refusal]).filter(({ rule }) => rule === 'id-type');
  expect(found).toMatchObject([{ message: 'The id is null.', advice: expect.stringMatching(advice) }]);
});

test('a structured result has a problem for each thing that does not fit', () => {
  const outputSchema = {
    type: 'object',
    properties: { n: { type: 'number' }, s: { type: 'string' } },
    required: ['n', 's'],
    additionalProperties: false,
  };
  const found = problemsIn([
    ...legacy(),
    asked(1, 'tools/list'),
    answered(1, { tools: [{ name: 'a', inputSchema: { type: 'object' }, outputSchema }] }),
    asked(2, 'tools/call', { name: 'a' }),
    answered(2, { content: [], structuredContent: { n: 'x', extra: 1 } }),
  ]);
  expect(found.map(({ rule, path }) => [rule, path?.slice(2).join('.')]).sort()).toEqual([
    ['output-mismatch', 'extra'],
    ['output-mismatch', 'n'],
    ['output-mismatch', 's'],
  ]);
});
