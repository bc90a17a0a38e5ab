import { expect, test } from 'vitest';
import type { RuleOwner } from '@/lib/mcp/message-interceptor';
import { INTERCEPT_LIMITS, type InterceptAction, type InterceptRule } from '@/lib/wire/intercept';
import { cpuMs } from '@/lib/wire/test-cpu-time';
import { PROGRESS_MS } from './interceptor';
import { InterceptedLink, request } from './test-interceptor';

const PAGE: RuleOwner = {};

function rule(action: InterceptAction, other: Partial<InterceptRule> = {}): InterceptRule {
  return { name: 'r', when: 'method:tools/call dir:to-server', action, ...other };
}

function linkWith(...rules: readonly InterceptRule[]): InterceptedLink {
  const link = new InterceptedLink();
  link.interceptor.setRules(PAGE, rules);
  return link;
}

const CALL = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo"}}';
const RESULT = '{"jsonrpc":"2.0","id":1,"result":{"content":[]}}';

test('lets everything pass without rules, and is idle', () => {
  const link = new InterceptedLink();
  link.call(1);
  link.answer(1);
  expect(link.log).toEqual([
    ['protocol', 'to-server', CALL],
    ['protocol', 'to-client', RESULT],
  ]);
  expect(link.interceptor.isIdle).toBe(true);
});

test('lets messages pass that no rule matches', () => {
  const link = linkWith(rule({ do: 'drop' }));
  link.send('to-server', request(1, 'tools/list'));
  link.send('to-server', 'not json');
  expect(link.got['to-server']).toHaveLength(2);
  expect(link.events('intercepted')).toEqual([]);
});

test('lists the rules in force when they change, without the texts that they send', () => {
  const link = linkWith(rule({ do: 'replace', text: 'secret' }, { name: 'a', times: 1 }));
  link.interceptor.setRules({ file: 'faults.json' }, [rule({ do: 'hold' }, { name: 'b', when: '' })]);
  link.interceptor.setRules(PAGE, [rule({ do: 'replace', text: 'secret' }, { name: 'a', times: 1 })]);
  link.interceptor.removeOwner(PAGE);
  expect(link.events('rules').map(({ rules }) => rules)).toEqual([
    [{ name: 'a', when: 'method:tools/call dir:to-server', times: 1, do: 'replace' }],
    [
      { name: 'a', when: 'method:tools/call dir:to-server', times: 1, do: 'replace' },
      { name: 'b', when: '', do: 'hold', file: 'faults.json' },
    ],
    [{ name: 'b', when: '', do: 'hold', file: 'faults.json' }],
  ]);
});

test('holds a message until a person releases it, while others pass', () => {
  const link = linkWith(rule({ do: 'hold' }, { times: 1 }));
  link.call(1);
  link.call(2);
  expect(link.got['to-server']).toEqual([CALL.replace('1,', '2,')]);
  expect(link.heldCount).toBe(1);
  expect(link.interceptor.held()).toEqual([
    {
      hold: 1,
      rule: 'r',
      direction: 'to-server',
      kind: 'request',
      method: 'tools/call',
      name: 'echo',
      id: 1,
      bytes: CALL.length,
    },
  ]);
  expect(new TextDecoder().decode(link.interceptor.read(1))).toBe(CALL);
  link.clock.advance(1500);
  link.interceptor.decide(1, { do: 'release' });
  expect(link.newest(2)).toEqual([
    {
      event: 'intercepted',
      rule: 'r',
      hold: 1,
      waitedMs: 1500,
      did: 'release',
      direction: 'to-server',
      kind: 'request',
      method: 'tools/call',
      name: 'echo',
      id: 1,
      delivered: 1,
    },
    ['protocol', 'to-server', CALL],
  ]);
  expect(link.heldCount).toBe(0);
  expect(() => link.interceptor.read(1)).toThrow('does not wait any more');
  expect(() => link.interceptor.decide(1, { do: 'drop' })).toThrow('does not wait any more');
});

test('keeps its own copy of a held message', () => {
  const link = linkWith(rule({ do: 'hold' }));
  const bytes = new TextEncoder().encode(CALL);
  link.interceptor.onMessage('to-server', bytes, 'main');
  bytes.fill(0);
  link.interceptor.decide(1, { do: 'release' });
  expect(link.got['to-server']).toEqual([CALL]);
});

test('passes on what a person wrote, and logs what was sent', () => {
  const link = linkWith(rule({ do: 'hold' }));
  link.call(1);
  link.interceptor.decide(1, { do: 'release', text: '{\n  "jsonrpc": "2.0", "id": 1, "method": "ping"\n}' });
  expect(link.newest(3)).toEqual([
    expect.objectContaining({ event: 'intercepted', did: 'replace', hold: 1, original: true, delivered: 1 }),
    ['intercept', 'to-server', CALL],
    ['protocol', 'to-server', '{   "jsonrpc": "2.0", "id": 1, "method": "ping" }'],
  ]);
});

test('counts a release with the same text as unchanged', () => {
  const link = linkWith(rule({ do: 'hold' }));
  link.call(1);
  link.interceptor.decide(1, { do: 'release', text: CALL });
  expect(link.newest(2)[0]).toMatchObject({ did: 'release', delivered: 1 });
});

test('keeps invalid text with line breaks as a person wrote it', () => {
  const link = linkWith(rule({ do: 'replace', text: '{\n"a' }));
  link.call(1);
  expect(link.got['to-server']).toEqual(['{\n"a']);
});

test('delays a message, and not the ones after it', () => {
  const link = linkWith(rule({ do: 'delay', ms: 3000 }, { times: 1 }));
  link.call(1);
  link.call(2);
  expect(link.events('held')).toMatchObject([{ hold: 1, ms: 3000 }]);
  expect(link.heldCount).toBe(0);
  link.clock.advance(2999);
  expect(link.got['to-server']).toHaveLength(1);
  link.clock.advance(1);
  expect(link.newest(2)).toEqual([
    expect.objectContaining({ did: 'delay', hold: 1, waitedMs: 3000, delivered: 1 }),
    ['protocol', 'to-server', CALL],
  ]);
});

test('lets a person delay a held message, and decide before the time is over', () => {
  const link = linkWith(rule({ do: 'hold' }));
  link.call(1);
  link.interceptor.decide(1, { do: 'delay', ms: 1000 });
  expect(link.events('held').at(-1)).toMatchObject({ hold: 1, ms: 1000 });
  expect(link.heldCount).toBe(0);
  link.interceptor.decide(1, { do: 'release' });
  link.clock.advance(5000);
  expect(link.got['to-server']).toEqual([CALL]);
});

test('drops a request, which the log still has', () => {
  const link = linkWith(rule({ do: 'drop' }));
  link.call(1);
  expect(link.got['to-server']).toEqual([]);
  expect(link.newest(2)).toEqual([
    {
      event: 'intercepted',
      rule: 'r',
      did: 'drop',
      direction: 'to-server',
      method: 'tools/call',
      id: 1,
      name: 'echo',
      kind: 'request',
      delivered: 1,
      withheld: true,
    },
    ['protocol', 'to-server', CALL],
  ]);
});

test('drops a response, which only channel intercept has', () => {
  const link = linkWith(rule({ do: 'drop' }, { when: 'tool:echo', direction: 'to-client' }));
  link.call(1);
  link.answer(1);
  expect(link.got['to-client']).toEqual([]);
  expect(link.newest(2)).toEqual([
    expect.objectContaining({ did: 'drop', method: 'tools/call', id: 1, delivered: 0, withheld: true, original: true }),
    ['intercept', 'to-client', RESULT],
  ]);
});

test('duplicates a message', () => {
  const link = linkWith(rule({ do: 'duplicate', copies: 2 }));
  link.call(1);
  expect(link.got['to-server']).toEqual([CALL, CALL, CALL]);
  expect(link.events('intercepted')).toMatchObject([{ did: 'duplicate', delivered: 3 }]);
});

test('answers a request with an error, with the id as it was written', () => {
  const link = linkWith(rule({ do: 'error', code: -32603, message: 'Down', data: '{"n":1}' }));
  link.send('to-server', '{"jsonrpc":"2.0","id":12345678901234567890,"method":"tools/call"}');
  expect(link.got['to-server']).toEqual([]);
  expect(link.newest(3)).toEqual([
    expect.objectContaining({ did: 'error', delivered: 1, withheld: true, made: true }),
    ['protocol', 'to-server', '{"jsonrpc":"2.0","id":12345678901234567890,"method":"tools/call"}'],
    [
      'protocol',
      'to-client',
      '{"jsonrpc":"2.0","id":12345678901234567890,"error":{"code":-32603,"message":"Down","data":{"n":1}}}',
    ],
  ]);
});

test('gives a response another content', () => {
  const link = linkWith(rule({ do: 'error', code: 1, message: 'no' }, { when: 'tool:echo', direction: 'to-client' }));
  link.call(1);
  link.answer(1);
  expect(link.newest(3)).toEqual([
    expect.objectContaining({ did: 'error', direction: 'to-client', delivered: 1, original: true }),
    ['intercept', 'to-client', RESULT],
    ['protocol', 'to-client', '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"no"}}'],
  ]);
});

test('does not take notifications for answers', () => {
  const link = linkWith(rule({ do: 'result', result: '{}' }, { when: '' }));
  link.send('to-server', { jsonrpc: '2.0', method: 'notifications/initialized' });
  expect(link.got['to-server']).toHaveLength(1);
  expect(link.events('intercepted')).toEqual([]);
});

test('refuses a person’s answer to a notification, which stays held', () => {
  const link = linkWith(rule({ do: 'hold' }, { when: 'kind:notification' }));
  link.send('to-client', { jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
  expect(() => link.interceptor.decide(1, { do: 'result', result: '{}' })).toThrow('Only a request or a response');
  expect(link.interceptor.held()).toHaveLength(1);
});

test('answers from a recording, and passes on what it does not have', () => {
  const link = new InterceptedLink();
  const owner: RuleOwner = {
    openAnswers: (file) => (method, params) =>
      file === 'a.mcp' && method === 'tools/call' && params === '{"name":"echo"}'
        ? { result: '{"old":true}' }
        : undefined,
  };
  link.interceptor.setRules(owner, [rule({ do: 'answer-from', file: 'a.mcp' })]);
  link.call(1);
  link.call(2, 'other');
  expect(link.got['to-client']).toEqual(['{"jsonrpc":"2.0","id":1,"result":{"old":true}}']);
  expect(link.got['to-server']).toEqual([CALL.replace('1,', '2,').replace('echo', 'other')]);
  expect(link.events('intercepted')).toMatchObject([
    { did: 'answer-from', made: true },
    { did: 'pass', why: 'not-recorded', id: 2, delivered: 1 },
  ]);
});

test('cuts the stream of a message, and says which requests it lost', () => {
  const link = linkWith(rule({ do: 'cut' }, { when: 'tool:echo', direction: 'to-client' }));
  link.call(1);
  link.answer(1);
  expect(link.cuts).toEqual([['to-client', { requests: [], answers: [1] }]]);
  expect(link.newest(2)).toMatchObject([{ did: 'cut', withheld: true }, ['intercept', 'to-client', RESULT]]);
});

test('counts: after so many, every nth, at most so often', () => {
  const link = linkWith(rule({ do: 'drop' }, { after: 2, every: 3, times: 2 }));
  for (let id = 1; id <= 12; id++) link.call(id);
  const dropped = link.events('intercepted').map(({ id }) => id);
  expect(dropped).toEqual([5, 8]);
});

test('keeps the counts of rules that stay when others change', () => {
  const once = rule({ do: 'drop' }, { name: 'once', times: 1 });
  const link = linkWith(once);
  link.call(1);
  link.interceptor.setRules(PAGE, [once, rule({ do: 'duplicate' }, { name: 'more' })]);
  link.call(2);
  expect(link.events('intercepted')).toMatchObject([{ rule: 'once' }, { rule: 'more' }]);
});

test('asks the rules in order, and the first counts', () => {
  const link = linkWith(rule({ do: 'drop' }, { name: 'first', times: 1 }), rule({ do: 'drop' }, { name: 'second' }));
  link.call(1);
  link.call(2);
  expect(link.events('intercepted').map((event) => event.rule)).toEqual(['first', 'second']);
});

test('passes on what a removed or changed rule held, and keeps the holds of rules that stay', () => {
  const [tools, lists] = [
    rule({ do: 'hold' }, { name: 'tools' }),
    rule({ do: 'hold' }, { name: 'lists', when: 'method:*/list' }),
  ];
  const link = linkWith(tools, lists);
  link.call(1);
  link.send('to-server', request(2, 'tools/list'));
  link.interceptor.setRules(PAGE, [{ ...tools, times: 5 }, lists]);
  expect(link.interceptor.held()).toMatchObject([{ hold: 2 }]);
  expect(link.events('intercepted')).toMatchObject([{ hold: 1, did: 'release', why: 'owner-gone' }]);
  link.interceptor.removeOwner(PAGE);
  expect(link.got['to-server']).toHaveLength(2);
  expect(link.interceptor.isIdle).toBe(true);
});

test('leaves the holds of other owners alone', () => {
  const other: RuleOwner = {};
  const link = linkWith(rule({ do: 'hold' }));
  link.interceptor.setRules(other, [rule({ do: 'hold' }, { when: 'method:ping' })]);
  link.call(1);
  link.send('to-server', request(2, 'ping'));
  link.interceptor.removeOwner(other);
  expect(link.interceptor.held()).toMatchObject([{ hold: 1 }]);
});

test('becomes idle only when the last message has gone on', () => {
  const link = linkWith(rule({ do: 'delay', ms: 10 }, { times: 1 }));
  link.call(1);
  expect(link.idles).toBe(0);
  link.interceptor.removeOwner(PAGE);
  expect(link.idles).toBe(1);
  expect(link.got['to-server']).toEqual([CALL]);
});

test('drops what waits when its stream ends, with an event', () => {
  const link = linkWith(rule({ do: 'hold' }, { when: 'tool:echo' }));
  link.call(1);
  link.interceptor.end('to-client');
  expect(link.interceptor.held()).toHaveLength(1);
  link.interceptor.end('to-server');
  expect(link.newest(2)).toEqual([
    expect.objectContaining({ did: 'drop', why: 'connection-ended', hold: 1, withheld: true, delivered: 1 }),
    ['protocol', 'to-server', CALL],
  ]);
  expect(link.got['to-server']).toEqual([]);
});

test('refuses a bad rule by name, and keeps the old ones', () => {
  const link = linkWith(rule({ do: 'drop' }));
  expect(() => link.interceptor.setRules(PAGE, [rule({ do: 'hold' }, { name: 'slow', when: 'duration:>1s' })])).toThrow(
    'Rule “slow” has an invalid filter: duration: is not known as a message passes.',
  );
  link.call(1);
  expect(link.got['to-server']).toEqual([]);
});

test('lets large messages pass, and says so if a rule could have taken them', () => {
  const link = linkWith(rule({ do: 'drop' }, { direction: 'to-server' }));
  const large = 'x'.repeat(INTERCEPT_LIMITS.messageBytes + 1);
  link.send('to-server', large);
  link.send('to-client', large);
  expect(link.got['to-server']).toEqual([large]);
  expect(link.events('intercepted')).toEqual([
    { event: 'intercepted', did: 'pass', why: 'too-large', direction: 'to-server', delivered: 1 },
  ]);
});

test('passes on the oldest when too many messages wait', () => {
  const link = linkWith(rule({ do: 'hold' }));
  for (let id = 1; id <= INTERCEPT_LIMITS.held + 1; id++) link.call(id);
  expect(link.interceptor.held()).toHaveLength(INTERCEPT_LIMITS.held);
  expect(link.newest(2)).toEqual([
    expect.objectContaining({ did: 'release', why: 'too-many', hold: 1 }),
    ['protocol', 'to-server', CALL],
  ]);
});

test('passes on the oldest when the waiting messages are too large together', () => {
  const link = linkWith(rule({ do: 'hold' }, { when: '' }));
  const count = INTERCEPT_LIMITS.heldBytes / INTERCEPT_LIMITS.messageBytes;
  const large = JSON.stringify('x'.repeat(INTERCEPT_LIMITS.messageBytes - 2));
  for (let n = 0; n <= count; n++) link.send('to-server', large);
  expect(link.interceptor.held().map(({ hold }) => hold)[0]).toBe(2);
});

test('reports progress of a held request to a client that asked for it', () => {
  const link = linkWith(rule({ do: 'hold' }));
  link.call(1, 'echo', { progressToken: 'p' });
  link.call(2);
  link.clock.advance(2 * PROGRESS_MS);
  const sent = link.got['to-client'].map((text) => JSON.parse(text).params);
  expect(sent).toMatchObject([
    { progressToken: 'p', message: 'Held by mcp-inspect (r)' },
    { progressToken: 'p', message: 'Held by mcp-inspect (r)' },
  ]);
  expect(sent[1].progress).toBeGreaterThan(sent[0].progress);
  expect(link.events('intercepted')).toMatchObject([
    { did: 'progress', hold: 1, delivered: 0, made: true },
    { did: 'progress', hold: 1 },
  ]);
  link.interceptor.decide(1, { do: 'drop' });
  link.clock.advance(10 * PROGRESS_MS);
  expect(link.got['to-client']).toHaveLength(2);
});

test('progress of a held request is a short number', () => {
  const link = linkWith(rule({ do: 'hold' }));
  link.call(1, 'echo', { progressToken: 'p' });
  link.clock.advance(5 * PROGRESS_MS);
  expect(link.got['to-client'].at(-1)).toContain('"progress":0.000005,');
});

test('reports progress of a held response, beyond the progress of the server', () => {
  const link = linkWith(rule({ do: 'hold' }, { when: 'tool:echo kind:response' }));
  link.call(1, 'echo', { progressToken: 7 });
  link.send('to-client', {
    jsonrpc: '2.0',
    method: 'notifications/progress',
    params: { progressToken: 7, progress: 40, total: 100 },
  });
  link.answer(1);
  link.clock.advance(PROGRESS_MS);
  const { params } = JSON.parse(link.got['to-client'].at(-1)!);
  expect(params.progressToken).toBe(7);
  expect(params.progress).toBeGreaterThan(40);
});

test('reports progress to a server whose request is held', () => {
  const link = linkWith(rule({ do: 'hold' }, { when: 'method:sampling/createMessage' }));
  link.send('to-client', request(5, 'sampling/createMessage', { _meta: { progressToken: 5 } }));
  link.clock.advance(PROGRESS_MS);
  expect(JSON.parse(link.got['to-server'].at(-1)!)).toMatchObject({ method: 'notifications/progress' });
});

test('knows the method of a request that passed before there were rules', () => {
  const link = linkWith(rule({ do: 'drop' }, { when: 'method:tools/call', direction: 'to-client' }));
  link.answer(99);
  link.answer(98);
  expect(link.got['to-client']).toEqual([RESULT.replace('1,', '98,')]);
});

test('answers a response in a batch of the server, and passes its request on', () => {
  const link = linkWith(
    rule({ do: 'error', code: 7, message: 'no' }, { when: 'method:tools/call', direction: 'to-client' }),
  );
  link.call(1);
  const sampling = '{"jsonrpc":"2.0","id":12345678901234567890,"method":"sampling/createMessage"}';
  link.send('to-client', `[${RESULT}, ${sampling}, 5]`);
  expect(link.got['to-client']).toEqual([`[{"jsonrpc":"2.0","id":1,"error":{"code":7,"message":"no"}},${sampling},5]`]);
  expect(link.got['to-server']).toEqual([CALL]);
});

test('answers only the requests of a batch that its filter matches', () => {
  const link = linkWith(rule({ do: 'result', result: '{}' }, { when: 'tool:echo kind:request' }));
  const [echo, other] = [request(1, 'tools/call', { name: 'echo' }), request(2, 'tools/call', { name: 'other' })];
  const reply = { jsonrpc: '2.0', id: 's1', result: { roots: [] } };
  const batch = [echo, reply, other];
  link.send('to-server', batch);
  expect(link.got['to-server']).toEqual([JSON.stringify([reply, other])]);
  expect(link.got['to-client']).toEqual(['[{"jsonrpc":"2.0","id":1,"result":{}}]']);
  expect(link.newest(4)).toMatchObject([
    { did: 'result', delivered: 1, original: true, made: true },
    ['intercept', 'to-server', JSON.stringify(batch)],
    ['protocol', 'to-server', JSON.stringify([reply, other])],
    ['protocol', 'to-client', '[{"jsonrpc":"2.0","id":1,"result":{}}]'],
  ]);
});

test('does not take a batch for an answer if only a notification in it matches', () => {
  const link = linkWith(rule({ do: 'error', code: 7, message: 'no' }, { when: 'method:notifications/*' }));
  link.send('to-server', [request(1, 'ping'), { jsonrpc: '2.0', method: 'notifications/x' }]);
  expect(link.got['to-client']).toEqual([]);
  expect(link.events('intercepted')).toEqual([]);
});

test('passes the responses on that come with requests which a recording answers', () => {
  const link = new InterceptedLink();
  const owner: RuleOwner = { openAnswers: () => () => ({ result: '{"old":true}' }) };
  link.interceptor.setRules(owner, [rule({ do: 'answer-from', file: 'a.mcp' })]);
  const reply = { jsonrpc: '2.0', id: 's1', result: {} };
  link.send('to-server', [request(1, 'tools/call', { name: 'echo' }), reply]);
  expect(link.got['to-server']).toEqual([JSON.stringify([reply])]);
  expect(link.got['to-client']).toEqual(['[{"jsonrpc":"2.0","id":1,"result":{"old":true}}]']);
});

test('answers each connection from the beginning of a recording', () => {
  const owner: RuleOwner = {
    openAnswers: () => {
      let count = 0;
      return () => ({ result: `${++count}` });
    },
  };
  for (const link of [new InterceptedLink(), new InterceptedLink()]) {
    link.interceptor.setRules(owner, [rule({ do: 'answer-from', file: 'a.mcp' })]);
    link.call(1);
    expect(link.got['to-client']).toEqual(['{"jsonrpc":"2.0","id":1,"result":1}']);
  }
});

test('bounds the copies of a large message, and says how many there are', () => {
  const link = linkWith(rule({ do: 'duplicate', copies: 100 }, { when: '' }));
  link.send('to-client', `"${'x'.repeat(4_000_000)}"`);
  expect(link.got['to-client']).toHaveLength(5);
  expect(link.events('intercepted')).toMatchObject([{ did: 'duplicate', delivered: 5 }]);
});

test('looks for text in a large batch only once', () => {
  const link = linkWith(rule({ do: 'drop' }, { when: 'absent OR -missing absent' }));
  const batch = Array.from({ length: 20_000 }, () => ({ jsonrpc: '2.0', method: 'x', params: 'y'.repeat(100) }));
  const text = JSON.stringify(batch);
  const start = cpuMs();
  link.send('to-client', text);
  // Minutes, if the text were read for each message.
  expect(cpuMs() - start).toBeLessThan(5000);
  expect(link.got['to-client']).toEqual([text]);
});

test('treats a batch as one message, and answers all its requests that match', () => {
  const link = linkWith(rule({ do: 'error', code: 7, message: 'no' }, { when: 'kind:request' }));
  link.send('to-server', [request(1, 'tools/list'), request('b', 'tools/call'), { jsonrpc: '2.0', method: 'x' }]);
  expect(JSON.parse(link.got['to-client'][0]!)).toEqual([
    { jsonrpc: '2.0', id: 1, error: { code: 7, message: 'no' } },
    { jsonrpc: '2.0', id: 'b', error: { code: 7, message: 'no' } },
  ]);
  expect(link.got['to-server']).toEqual([]);
});

test('takes invalid JSON as junk', () => {
  const link = linkWith(rule({ do: 'drop' }, { when: 'kind:junk' }));
  link.send('to-client', 'Server started');
  link.send('to-client', '[]');
  link.send('to-client', '{"jsonrpc":"2.0","method":"notifications/message"}');
  expect(link.got['to-client']).toHaveLength(1);
});

test('gives a message and its answers the route that it came with', () => {
  const link = linkWith(rule({ do: 'hold' }, { when: '' }));
  link.send('to-server', request(1, 'ping'), 'stream 3');
  link.send('to-client', { jsonrpc: '2.0', id: 1, result: {} }, 'stream 4');
  link.interceptor.decide(1, { do: 'result', result: '{}' });
  link.interceptor.decide(2, { do: 'release' });
  expect(link.routes).toEqual([
    ['to-client', 'stream 3'],
    ['to-client', 'stream 4'],
  ]);
});

test('says once that a held request was cancelled, and keeps it', () => {
  const link = linkWith(rule({ do: 'hold' }));
  link.call(1);
  link.call('1');
  const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1, reason: 'Timed out' } };
  link.send('to-client', cancel);
  expect(link.events('given-up')).toEqual([]);
  link.send('to-server', cancel);
  link.send('to-server', cancel);
  expect(link.events('given-up')).toEqual([
    {
      event: 'given-up',
      hold: 1,
      direction: 'to-server',
      kind: 'request',
      method: 'tools/call',
      name: 'echo',
      id: 1,
      reason: 'Timed out',
    },
  ]);
  expect(link.interceptor.held()).toHaveLength(2);
});

test('says that the request of a held response was cancelled, even if the cancellation is held too', () => {
  const link = linkWith(rule({ do: 'hold' }, { when: '-kind:request' }));
  link.call(1);
  link.answer(1);
  link.send('to-server', { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
  expect(link.events('given-up')).toMatchObject([{ hold: 1, direction: 'to-client', kind: 'response' }]);
  expect(link.events('held')).toHaveLength(2);
});

test('ignores cancellations that name nothing', () => {
  const link = linkWith(rule({ do: 'hold' }));
  link.call(1);
  for (const params of [undefined, null, [1], {}, { requestId: { a: 1 } }])
    link.send('to-server', { jsonrpc: '2.0', method: 'notifications/cancelled', params });
  expect(link.events('given-up')).toEqual([]);
});
