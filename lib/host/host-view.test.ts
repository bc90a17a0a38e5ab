import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { Log } from '@/lib/store/log';
import { answered, asked, type FrameSeed, framesOf, got, happened, logOf, sent } from '@/lib/store/test-frames';
import { compareHosts } from './compare-hosts';
import { HostReader } from './host-reader';
import { hostParameters, hostView } from './host-view';
import { MOST_PARAMETERS, MOST_TOOLS, MOST_VALUES, VALUE_CHARS } from './tool-use';
import { evidenceText, hostTitle, waitsText } from './words';

const always = () => false;
const note = (method: string, params: object) => sent({ jsonrpc: '2.0', method, params });
const call = (id: number, name: unknown, args?: unknown) => asked(id, 'tools/call', { name, arguments: args });
const cancel = (requestId: number, reason?: string) => note('notifications/cancelled', { requestId, reason });
const progress = (progressToken: number) =>
  got({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, progress: 1 } });
const done = (id: number) => answered(id, { content: [] });

function read(log: Log) {
  const reader = new HostReader(log);
  expect(reader.read(always)).toBe('done');
  return { reader, view: hostView(log, reader), parameters: (name: string) => hostParameters(log, reader, name) };
}
const seen = (...seeds: readonly FrameSeed[]) => read(logOf(...seeds));
/** Frames at these times in ms. */
function timed(...seeds: readonly (readonly [ms: number, FrameSeed])[]) {
  const log = new Log('c1');
  const frames = framesOf(seeds.map(([, frame]) => frame));
  log.append(frames.map((frame, index) => ({ ...frame, time: seeds[index]![0] * 1000 })));
  return read(log);
}

test('a frame that arrives later gives the same view as one that was there', () => {
  const seeds = [call(1, 'a', { x: 1 }), done(1), call(2, 'a', { x: 2 }), cancel(2), call(3, 'b'), done(3)];
  const log = new Log('c1');
  const reader = new HostReader(log);
  for (const frame of framesOf(seeds)) {
    log.append([frame]);
    reader.read(always);
  }
  expect(hostView(log, reader)).toEqual(seen(...seeds).view);
  expect(hostParameters(log, reader, 'a')).toEqual(seen(...seeds).parameters('a'));
});

test('a page that was not read, and lists that are read again', () => {
  const { view } = seen(
    asked(1, 'tools/list'),
    answered(1, { tools: [{ name: 'a' }], nextCursor: 'x' }),
    asked(2, 'prompts/list'),
    answered(2, { prompts: [] }),
    asked(3, 'tools/list'),
    answered(3, { tools: [{ name: 'a' }], nextCursor: 'x' }),
    asked(4, 'tools/list', { cursor: 'x' }),
    answered(4, { tools: [{ name: 'b' }] }),
  );
  expect(view.steps.map(({ method, items, count, isCutShort }) => [method, items, count, isCutShort])).toEqual([
    ['tools/list', 1, 1, true],
    ['prompts/list', 0, 1, undefined],
    ['tools/list', 2, 2, undefined],
  ]);
});

test('a list that is read twice in a row is not one with two pages', () => {
  const list = { tools: [{ name: 'a' }, { name: 'b' }] };
  const { view } = seen(asked(1, 'tools/list'), answered(1, list), asked(2, 'tools/list'), answered(2, list));
  expect(view.steps.map(({ items, count }) => [items, count])).toEqual([
    [2, 1],
    [2, 1],
  ]);
});

test('a timeout is known from the reason of a cancellation', () => {
  const { view } = timed([0, call(1, 'a')], [60_000, cancel(1, 'McpError: MCP error -32001: Request timed out')]);
  expect(view.waits).toMatchObject({ evidence: 'timeout', fromUs: 60_000_000, seq: 1 });
  expect(waitsText(view.waits)).toBe('1 min 00 s');
  expect(view.tools[0]).toMatchObject({ errors: 1, cancelled: 0 });
});

test('without such a reason, only the longest wait is known', () => {
  const { view } = timed(
    [0, call(1, 'a')],
    [5_000, done(1)],
    [6_000, call(2, 'a')],
    [7_000, cancel(2, 'user stopped')],
  );
  expect(view.waits).toMatchObject({ evidence: 'longest', toUs: 5_000_000, seq: 1, cancelled: 1, timeouts: 0 });
  expect(waitsText(view.waits)).toBe('Unknown (> 5.00 s)');
  expect(evidenceText(view.waits)).toBe('No cancellation gives a timeout as the reason');
  expect(view.tools[0]).toMatchObject({ errors: 0, cancelled: 1 });
});

const about = { rule: 'slow', direction: 'to-server', kind: 'request', method: 'tools/call' } as const;
const held = (hold: number, id: number) => happened({ event: 'held', ...about, hold, id, bytes: 9, ms: 6000 });
const passedOn = (hold: number, id: number) =>
  happened({ event: 'intercepted', ...about, did: 'delay', hold, id, waitedMs: 6000, delivered: 1 });

test('a request that a rule delays is given up before the server gets it', () => {
  const { view } = timed(
    [0, held(1, 1)],
    [3000, cancel(1, 'Request timed out')],
    [6000, passedOn(1, 1)],
    [6000, call(1, 'a', { x: 1 })],
    [6005, done(1)],
  );
  expect(view.waits).toMatchObject({ evidence: 'timeout', fromUs: 3_000_000, seq: 1, timeouts: 1 });
  expect(view.tools[0]).toMatchObject({ name: 'a', calls: 1, errors: 1, p50Us: undefined });
  expect(view.waits.longest).toBeUndefined();
});

test('a request that waits is given up although the server never gets it', () => {
  const { view } = timed([0, held(1, 1)], [3000, cancel(1, 'Request timed out')]);
  expect(view.waits).toMatchObject({ evidence: 'timeout', fromUs: 3_000_000, timeouts: 1 });
});

test('a call takes as long as the host waits, with the time that a rule held it', () => {
  const { view } = timed([0, held(1, 1)], [6000, passedOn(1, 1)], [6000, call(1, 'a')], [6005, done(1)]);
  expect(view.waits).toMatchObject({ evidence: 'longest', toUs: 6_005_000 });
  expect(view.tools[0]!.p50Us).toBeGreaterThan(5_900_000);
});

test('a call counts once, with the name that the host used, whatever a rule made of it', () => {
  const { view } = seen(
    happened({ event: 'intercepted', ...about, did: 'overlay', id: 1, delivered: 1, original: true }),
    { ...call(1, 'shown', { x: 1 }), channel: 'intercept' },
    call(1, 'real', { x: 1 }),
    done(1),
    happened({ event: 'intercepted', ...about, did: 'duplicate', id: 2, delivered: 2 }),
    call(2, 'shown'),
    call(2, 'shown'),
    done(2),
  );
  expect(view.tools.map(({ name, calls }) => [name, calls])).toEqual([['shown', 2]]);
  expect(view.steps.map(({ method, about }) => [method, about])).toEqual([['tools/call', 'shown']]);
});

test('a host that waits again after each progress', () => {
  const ask = (id: number) => asked(id, 'tools/call', { name: 'a', _meta: { progressToken: id } });
  const { view } = timed(
    [0, ask(1)],
    [10_000, cancel(1, 'timeout')],
    [20_000, ask(2)],
    [28_000, progress(2)],
    [38_000, cancel(2, 'timeout')],
  );
  expect(view.waits).toMatchObject({ sinceProgress: true, fromUs: 10_000_000, toUs: 10_000_000, timeouts: 2 });
  expect(waitsText(view.waits)).toBe('10.00 s without progress');
  expect(view.meta).toEqual([{ key: 'progressToken', count: 2, example: '1' }]);
});

test('a request without an answer at the end is a wait, too', () => {
  const { view } = timed([0, call(1, 'a')], [90_000, happened({ event: 'closed' })]);
  expect(view.waits).toMatchObject({ evidence: 'longest', toUs: 90_000_000, unanswered: { seq: 1, count: 1 } });
  expect(evidenceText(view.waits)).toMatch(/The session ended before the answer$/);
});

test('what the server asks of the host', () => {
  const server = (id: number, method: string) => got({ jsonrpc: '2.0', id, method });
  const { view } = seen(
    server(1, 'roots/list'),
    sent({ jsonrpc: '2.0', id: 1, result: { roots: [] } }),
    server(2, 'roots/list'),
    server(3, 'sampling/createMessage'),
    sent({ jsonrpc: '2.0', id: 3, error: { code: -32601, message: 'no' } }),
  );
  expect(view.answers).toEqual([
    { method: 'roots/list', asked: 2, answered: 1, refused: 0 },
    { method: 'sampling/createMessage', asked: 1, answered: 0, refused: 1 },
  ]);
});

test('a modern host that changes how it presents itself', () => {
  const meta = (version: string) => ({
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'h', version },
    'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
    'com.example/session': 'x',
  });
  const { view } = seen(
    asked(1, 'server/discover', { _meta: meta('1') }),
    asked(2, 'tools/list', { _meta: meta('1') }),
    asked(3, 'tools/list', { _meta: meta('2') }),
  );
  expect(view.identities.map(({ info, count }) => [info.version, count])).toEqual([
    ['1', 2],
    ['2', 1],
  ]);
  expect(view.meta).toEqual([{ key: 'com.example/session', count: 3, example: '"x"' }]);
  expect(hostTitle(view)).toBe('h 2');
});

test('arguments that are not an object, and messages that are not what they should be', () => {
  const { view, parameters } = seen(
    call(1, 'a', [1]),
    call(2, 'a', 'text'),
    call(3, 'a', null),
    call(4, 'a', { __proto__: 1, constructor: 2, '': 3 }),
    sent(
      '{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"a","arguments":{"__proto__":1,"x":1,"x":2}}}',
    ),
    call(6, { not: 'a name' }, {}),
    asked(7, 'tools/call', 'no object'),
    asked(8, 'initialize', { clientInfo: 'no object', capabilities: [1], protocolVersion: 3 }),
    note('notifications/cancelled', { requestId: { no: 'id' }, reason: { no: 'text' } }),
    sent('not JSON'),
  );
  expect(view.tools.map(({ name, calls, oddArguments }) => [name, calls, oddArguments])).toEqual([['a', 5, 3]]);
  expect(parameters('a').map(({ name, given }) => [name, given])).toEqual([
    ['constructor', 1],
    ['', 1],
    ['__proto__', 1],
    ['x', 1],
  ]);
  expect(parameters('a').at(-1)?.values).toEqual([{ text: '2', isCut: false, count: 1 }]);
  expect(view.identities).toMatchObject([{ info: {}, capabilities: {}, version: undefined }]);
  expect(hostTitle(view)).toBe('(no name)');
});

test('values of 5 MB are cut, and stay different', () => {
  const large = 'x'.repeat(5_000_000);
  const { view, parameters } = seen(
    call(1, 'a', { text: large }),
    call(2, 'a', { text: large }),
    call(3, 'a', { text: `${large}y` }),
  );
  expect(view.unread).toBe(0);
  const values = parameters('a')[0]?.values ?? [];
  expect(values.map(({ count, isCut, text }) => [count, isCut, text.length])).toEqual([
    [2, true, VALUE_CHARS],
    [1, true, VALUE_CHARS],
  ]);
});

test('memory is bounded: tools, parameters, values and names', () => {
  const many = (count: number, at: (index: number) => FrameSeed) => Array.from({ length: count }, (_, i) => at(i));
  const { view, parameters } = seen(
    ...many(MOST_TOOLS + 10, (at) => call(at, `tool ${at}`, {})),
    ...many(MOST_VALUES + 10, (at) => call(-1 - at, 'tool 1', { x: at })),
    call(-100, 'tool 2', Object.fromEntries(Array.from({ length: MOST_PARAMETERS + 10 }, (_, at) => [`p${at}`, 1]))),
    call(-101, 'n'.repeat(1_000_000), {}),
  );
  expect(view.tools).toHaveLength(MOST_TOOLS);
  expect(view.otherCalls).toBe(11);
  const [x] = parameters('tool 1');
  expect(x?.values).toHaveLength(MOST_VALUES);
  expect(x).toMatchObject({ given: MOST_VALUES + 10, others: 10 });
  expect(parameters('tool 2')).toHaveLength(MOST_PARAMETERS);
});

test('a kept value does not keep its message in memory', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const log = new Log('c1');
  const reader = new HostReader(log);
  collect();
  const before = process.memoryUsage().heapUsed;
  const most = 1500;
  for (const [at, frame] of framesOf(
    Array.from({ length: most }, (_, id) =>
      call(id, 'a', { [`p${id % 200}`]: `${id} is long enough`, x: '-'.repeat(9) }),
    ),
  ).entries()) {
    const text = new TextDecoder().decode(frame.bytes).replace('---------', '-'.repeat(100_000));
    log.append([{ ...frame, seq: at + 1, bytes: new TextEncoder().encode(text) }]);
    reader.read(always);
  }
  collect();
  expect(reader.tools.get('a')?.calls.calls).toBe(most);
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(60_000_000);
});

test('a call in a batch is counted, without an end of its own', () => {
  const { view } = seen(
    sent([
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'a', arguments: { x: 1 } } },
      { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'b' } },
    ]),
    got([
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', id: 2, result: {} },
    ]),
  );
  expect(view.tools.map(({ name, calls }) => [name, calls])).toEqual([
    ['a', 1],
    ['b', 1],
  ]);
});

test('a call that is answered in a batch, or by its task, has ended whenever it is read', () => {
  const seeds = [
    asked(1, 'tools/list'),
    got([{ jsonrpc: '2.0', id: 1, result: { tools: [] } }]),
    call(2, 'slow'),
    answered(2, { task: { taskId: 't', status: 'working' } }),
    asked(3, 'tasks/result', { taskId: 't' }),
    done(3),
    happened({ event: 'closed' }),
  ];
  const { view } = seen(...seeds);
  expect(view.steps.map(({ method, status }) => [method, status])).toEqual([
    ['tools/list', 'ok'],
    ['tools/call', 'ok'],
  ]);
  expect(view.waits.unanswered).toBeUndefined();
  const log = new Log('c1');
  const reader = new HostReader(log);
  for (const frame of framesOf(seeds)) {
    log.append([frame]);
    reader.read(always);
  }
  expect(hostView(log, reader)).toEqual(view);
});

test('messages that left the page are asked for, and read when they are back', () => {
  const log = new Log('c1', { held: 1, again: 1_000_000 });
  const frames = framesOf([call(1, 'a', { x: 1 }), done(1), call(2, 'b', { y: 1 }), done(2)]);
  for (const frame of frames) log.append([{ ...frame, bytes: frame.bytes.slice() }]);
  const reader = new HostReader(log);
  expect(reader.read(always)).toBe('waiting');
  expect(log.wanted.nextRange(() => 1)).toMatchObject({ from: 1 });
  log.restore(frames);
  expect(reader.read(always)).toBe('done');
  expect(hostView(log, reader).tools.map(({ name, calls }) => [name, calls])).toEqual([
    ['a', 1],
    ['b', 1],
  ]);
});

test('a long log is read in turns', () => {
  const log = logOf(...Array.from({ length: 1000 }, (_, id) => call(id, 'a', {})));
  const reader = new HostReader(log);
  expect(reader.read(() => true)).toBe('behind');
  expect(reader.progress.done).toBeLessThan(1000);
  while (reader.read(() => true) === 'behind');
  expect(reader.tools.get('a')?.calls.calls).toBe(1000);
});

test('the same session has no differences, and another server is noticed', () => {
  const seeds = (server: string) => [
    asked(1, 'initialize', { clientInfo: { name: 'h' }, capabilities: { roots: {} } }),
    answered(1, { serverInfo: { name: server, version: '1' }, capabilities: {} }),
    call(2, 'a', { x: 1 }),
  ];
  expect(compareHosts(seen(...seeds('s')), seen(...seeds('s')))).toMatchObject({
    differences: [],
    otherServer: false,
    isCut: false,
  });
  expect(compareHosts(seen(...seeds('s')), seen(...seeds('other'))).otherServer).toBe(true);
});

test('a borrowed name is said', () => {
  const profile = { as: 'vscode', capabilities: {}, info: { name: 'Visual Studio Code' } };
  const { view } = seen(
    happened({
      event: 'start',
      at: '',
      name: 'n',
      transport: 'http',
      url: 'http://localhost/',
      headerNames: [],
      protocol: 'auto',
      profile,
    }),
    asked(0, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: profile.info }),
  );
  expect(view.as).toBe('vscode');
  expect(hostTitle(view)).toBe('mcp-inspect as vscode');
});
