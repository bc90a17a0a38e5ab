import { describe, expect, test } from 'vitest';
import { specPage } from '@/lib/protocol/spec-pages';
import { answered, asked, framesOf, got, happened } from '@/lib/store/test-frames';
import { PROTOCOL_VERSIONS } from '@/lib/wire/lifecycle';
import { PROBLEMS_PER_RULE, ProblemFinder } from './problem-finder';
import { PROTOCOL_RULES } from './rules/registry';
import { FIXTURES } from './test-fixtures';
import { ask, complete, legacy, modern, posted, problemsIn, responded } from './test-sessions';

test('every rule has a fixture and its own id', () => {
  expect(Object.keys(FIXTURES).sort()).toEqual(PROTOCOL_RULES.map(({ id }) => id).sort());
});

describe.each(PROTOCOL_RULES.map(({ id }) => [id] as const))('%s', (id) => {
  const { bad, good, unchecked } = FIXTURES[id] ?? { bad: [], good: [] };

  test('finds the bad example', () => {
    const found = problemsIn(bad, unchecked).filter(({ rule }) => rule === id);
    expect(found).toHaveLength(1);
    expect(found[0]!.message).toMatch(/\S/);
    expect(found[0]!.url).toMatch(/^https:\/\/modelcontextprotocol\.io\/specification\/\d{4}-\d\d-\d\d\/[a-z]/);
    expect(found[0]!.seqs.every((seq) => seq >= 1 && seq <= bad.length)).toBe(true);
  });

  test('finds nothing in the good example', () => {
    expect(problemsIn(good, unchecked).filter(({ rule }) => rule === id)).toEqual([]);
  });
});

test.each([
  ['legacy', legacy()],
  ['modern', modern()],
])('a %s handshake has no problem', (_era, frames) => {
  expect(problemsIn(frames)).toEqual([]);
});

test('every rule has an id, a title and advice', () => {
  for (const { id, title, advice } of PROTOCOL_RULES) {
    expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(title).not.toMatch(/\.$/);
    expect(advice).toMatch(/^[A-Z].*\.$/);
  }
});

test('the same finding in several frames is one problem', () => {
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

test('an object printed over several lines is one problem with its own advice', () => {
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

test('an HTTP refusal may have a null id, because the server has not read the request', () => {
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

test('a malformed response gets specific advice', () => {
  const found = problemsIn([...legacy(), asked(1, 'tools/list'), got('{"jsonrpc":"2.0","id":1,"result":NaN}')]);
  expect(found).toMatchObject([{ rule: 'stdout-junk', advice: 'Send it as one line of JSON. `NaN` is not JSON.' }]);
});

test('a field of other versions is reported once per message', () => {
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

test('takeChanged returns only new and changed problems', () => {
  const finder = new ProblemFinder();
  const frames = framesOf([...legacy(), got('junk'), got('more junk'), got('junk')]);
  for (const frame of frames.slice(0, -2)) finder.addFrame(frame);
  expect(finder.takeChanged()).toMatchObject([{ id: 1, count: 1 }]);
  expect(finder.takeChanged()).toEqual([]);
  for (const frame of frames.slice(-2)) finder.addFrame(frame);
  expect(finder.takeChanged()).toMatchObject([{ id: 2 }, { id: 1, count: 2, seqs: [6, 8] }]);
});

test('a flood of different problems is bounded', () => {
  const junk = Array.from({ length: PROBLEMS_PER_RULE + 10 }, (_, index) => got(`line ${index}`));
  expect(problemsIn([...legacy(), ...junk])).toHaveLength(PROBLEMS_PER_RULE);
});

test('no rule throws on any fixture', () => {
  const failed = Object.values(FIXTURES).flatMap(({ bad, good }) =>
    [bad, good].flatMap((seeds) => {
      const finder = new ProblemFinder();
      for (const frame of framesOf(seeds)) finder.addFrame(frame);
      return [...finder.failed];
    }),
  );
  expect(failed).toEqual([]);
});

test('no rule throws on a task with members of wrong types', () => {
  const odd = { toString: 1, valueOf: 1 };
  const task = (status: unknown) => ({ taskId: '1', status, ttl: odd, pollInterval: odd, inputRequests: [odd] });
  const finder = new ProblemFinder();
  const frames = [
    ...legacy(),
    asked(1, 'tools/call', { name: 'a', task: {} }),
    answered(1, { task: task(odd) }),
    asked(2, 'tasks/result', { taskId: '1' }),
    answered(2, { content: [] }),
    asked(3, 'tasks/get', { taskId: '1' }),
    answered(3, task(odd)),
  ];
  for (const frame of framesOf(frames)) finder.addFrame(frame);
  expect([...finder.failed]).toEqual([]);
});

test('a subscription to tasks may be acknowledged with these tasks, and with no others', () => {
  const acknowledged = (...taskIds: string[]) => {
    const _meta = { 'io.modelcontextprotocol/subscriptionId': 'l' };
    const params = { notifications: { taskIds }, _meta };
    return got({ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params });
  };
  const listen = ask('l', 'subscriptions/listen', { notifications: { taskIds: ['A', 'b'] } });
  const found = (...taskIds: string[]) =>
    problemsIn([...modern(), listen, acknowledged(...taskIds)]).filter(
      ({ rule }) => rule === 'acknowledged-not-asked-for',
    );
  expect(found('A', 'b')).toEqual([]);
  expect(found('A', 'a')).toMatchObject([{ path: ['params', 'notifications', 'taskIds', 1] }]);
});

test('docs/rules.md lists every rule (vitest --update rewrites it)', async () => {
  await expect(rulesDocument()).toMatchFileSnapshot('../../docs/rules.md');
});

describe('auto mode with the probe and initialize in flight', () => {
  const [start, initialize, initialized, ready, open] = legacy();
  const probed = (era: 'legacy' | 'modern') => happened({ event: 'probe', era, reason: 'x', respawn: false });
  const probe = ask('mcp-inspect-probe', 'server/discover');
  const discovered = complete('mcp-inspect-probe', {
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: {} },
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 's', version: '1' } },
  });
  const refused = (id: string) => got({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } });
  const tools = { tools: [{ name: 'a', inputSchema: { type: 'object' } }] };

  test.each([
    ['answered', discovered],
    ['refused', refused('mcp-inspect-probe')],
  ])('breaks no rule if the era is legacy and the probe is %s late', (_how, late) => {
    const frames = [start!, probe, initialize!, initialized!, probed('legacy'), ready!, open!, late];
    expect(problemsIn([...frames, asked(1, 'tools/list'), answered(1, tools)])).toEqual([]);
  });

  test.each([
    ['answered', initialized!],
    ['refused', refused('i')],
  ])('breaks no rule if the era is modern and initialize is %s late', (_how, late) => {
    const opened = happened({ event: 'open', era: 'modern', version: '2026-07-28' });
    const frames = [start!, probe, initialize!, discovered, probed('modern'), opened, late];
    expect(problemsIn([...frames, ask(1, 'tools/list'), complete(1, tools)])).toEqual([]);
  });
});

test('a new process resets the protocol state', () => {
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
])('%s makes no rule throw', (text) => {
  const finder = new ProblemFinder();
  for (const frame of framesOf([...legacy(), ...modern(), got(text)])) finder.addFrame(frame);
  expect([...finder.failed]).toEqual([]);
});

describe('problems found before a version is negotiated', () => {
  const start = legacy()[0]!;
  const probe = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } };

  test('cite the negotiated version, like later ones', () => {
    const later = [got('early'), ...legacy({ version: '2025-06-18' }).slice(1), got('late')];
    const found = problemsIn([start, ...later]);
    expect(found.map(({ message, section }) => [message, section])).toEqual([
      ['The server wrote "early".', '2025-06-18 basic/transports#stdio'],
      ['The server wrote "late".', '2025-06-18 basic/transports#stdio'],
    ]);
  });

  test('cite it also if they are about a message of another version, such as the probe', () => {
    const probed = ask('mcp-inspect-probe', 'server/discover');
    const faulty = got({ jsonrpc: '1.0', id: 'mcp-inspect-probe', error: { code: -32601, message: 'no' } });
    const found = problemsIn([start, probed, faulty, ...legacy({ version: '2025-06-18' }).slice(1)]);
    expect(found.map(({ url }) => url)).toEqual([
      expect.stringMatching(/^https:\/\/modelcontextprotocol\.io\/specification\/2025-06-18\//),
    ]);
  });

  test('are reported again once the version is known', () => {
    const finder = new ProblemFinder();
    const frames = framesOf([start, got('early'), ...legacy().slice(1)]);
    for (const frame of frames.slice(0, 2)) finder.addFrame(frame);
    expect(finder.takeChanged()).toMatchObject([{ section: '2026-07-28 basic/transports/stdio' }]);
    for (const frame of frames.slice(2)) finder.addFrame(frame);
    expect(finder.takeChanged()).toMatchObject([{ section: '2025-11-25 basic/transports#stdio' }]);
  });

  test('cite the requested version if none is negotiated', () => {
    expect(problemsIn([start, asked('i', 'initialize', probe), got('junk')])).toMatchObject([
      { section: '2025-11-25 basic/transports#stdio' },
    ]);
  });
});

test.each([
  ['2025-11-25', /^Leave the id out/],
  ['2025-06-18', /log the error to stderr: 2025-06-18 requires an id/],
] as const)('the advice about an error with a null id fits version %s', (version, advice) => {
  const refusal = got({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'x' } });
  const found = problemsIn([...legacy({ version }), refusal]).filter(({ rule }) => rule === 'id-type');
  expect(found).toMatchObject([{ message: 'The id is null.', advice: expect.stringMatching(advice) }]);
});

test('a structured result has a problem for each mismatch', () => {
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
    answered(2, { content: [{ type: 'text', text: 'x' }], structuredContent: { n: 'x', extra: 1 } }),
  ]);
  expect(found.map(({ rule, path }) => [rule, path?.slice(2).join('.')]).sort()).toEqual([
    ['output-mismatch', 'extra'],
    ['output-mismatch', 'n'],
    ['output-mismatch', 's'],
  ]);
});

/** Returns the list of rules as Markdown. */
function rulesDocument(): string {
  const newest = PROTOCOL_VERSIONS.at(-1)!;
  const rows = PROTOCOL_RULES.map(({ id, severity, title, topic, advice }) => {
    const { section, url } = specPage(topic, newest);
    return `| \`${id}\` | ${severity} | ${title} | ${advice} | [${section}](${url}) |`;
  });
  return [
    '# Rules',
    '',
    '<!-- Written by lib/problems/rules.test.ts. -->',
    '',
    `*Problems* checks every frame against these ${PROTOCOL_RULES.length} rules. Rule ids never change. The links here go to the newest`,
    'version of the specification; in the page they go to the negotiated version.',
    '',
    '- **error**: The specification forbids it.',
    '- **warning**: The specification advises against it, or something may break.',
    '- **info**: Worth knowing, for example what the specification only recommends. Not counted as a problem.',
    '',
    '| id | severity | problem | what to do | specification |',
    '|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}
