import { expect, test } from 'vitest';
import { playPlan, RenamedIds, recordedClient, staleLists } from './recorded-client';
import { call, tools, trafficOf } from './test-traffic';

const NO_SECRETS = new Map<string, string>();

test('skips the handshake and messages that the engine sends itself, and joins the pages of a list', () => {
  const session = trafficOf(
    ['>', { method: 'notifications/initialized' }],
    ...tools('a'),
    ...call('tools/list', { cursor: '2' }, { tools: [] }),
    ['>', { method: 'notifications/roots/list_changed' }],
    ...call('ping', {}, {}),
  );
  const steps = playPlan(session, NO_SECRETS);
  expect(steps.map((step) => ('call' in step ? `${step.kind} ${step.call.method}` : step.kind))).toEqual([
    'list tools/list',
    'notification',
    'call ping',
  ]);
});

test('says why a call can’t be sent or has no answer', () => {
  const session = trafficOf(
    ['>', { id: 1, method: 'tools/call', params: { name: 'a' } }],
    ['>', { method: 'notifications/cancelled', params: { requestId: 1 } }],
    ...call('tools/call', { name: 'b', arguments: { key: '[redacted:api-key:0123abcd]' } }, {}),
    ...call('tools/call', { name: 'c', arguments: { key: '•••' } }, {}),
    ['>', { id: 9, method: 'tools/call', params: { name: 'd' } }],
  );
  const why = (secrets: ReadonlyMap<string, string>) =>
    playPlan(session, secrets).map((step) => (step.kind === 'skip' ? step.why : step.kind));
  const redacted = 'one of its arguments was redacted in the recording';
  const [first, last] = ['it was cancelled in the recording', 'the recording ends before its response'];
  const toGive = `${redacted}: give it with \`--secret 0123abcd=VALUE\``;
  expect(why(NO_SECRETS)).toEqual([first, toGive, redacted, last]);
  const given = new Map([['0123abcd', 'a\\"b']]);
  expect(why(given)).toEqual([first, 'call', redacted, last]);
  expect(playPlan(session, given)[1]).toMatchObject({ params: '{"name":"b","arguments":{"key":"a\\"b"}}' });
});

test('skips a call with a redacted client answer, unless its value is given', () => {
  const session = trafficOf(
    ['>', { id: 1, method: 'tools/call', params: { name: 'refund' } }],
    ['<', { id: 'q', method: 'elicitation/create', params: { message: 'PIN?' } }],
    ['>', { id: 'q', result: { action: 'accept', content: { pin: '[redacted:password:0123abcd]' } } }],
    ['<', { id: 1, result: { content: [] } }],
  );
  const why = 'a response of the client during the call was redacted in the recording';
  expect(playPlan(session, NO_SECRETS)).toMatchObject([
    { kind: 'skip', why: `${why}: give it with \`--secret 0123abcd=VALUE\`` },
  ]);
  expect(playPlan(session, new Map([['0123abcd', '1234']]))).toMatchObject([{ kind: 'call' }]);
});

test('skips polls of a running task', () => {
  const poll = (status: string) => call('tasks/get', { taskId: 't' }, { taskId: 't', status });
  const steps = playPlan(trafficOf(...poll('working'), ...poll('completed')), NO_SECRETS);
  expect(steps.map(({ kind }) => kind)).toEqual(['skip', 'call']);
});

test('sends params as recorded, without members that the engine writes itself', () => {
  const params = {
    name: 'a',
    _meta: {
      progressToken: 7,
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/logLevel': 'debug',
      mine: 1.5,
    },
  };
  const [step] = playPlan(trafficOf(...call('tools/call', params, {})), NO_SECRETS);
  expect(step).toMatchObject({
    params: '{"name":"a","_meta":{"io.modelcontextprotocol/logLevel":"debug","mine":1.5}}',
  });
});

test('gives the same request the same answer, other requests answers in order, and roots always', async () => {
  const question = (id: string, method: string, params: object, answer: object) =>
    [
      ['<', { id, method, params }],
      ['>', { id, ...answer }],
    ] as const;
  const { handlers } = recordedClient(
    trafficOf(
      ['>', { id: 1, method: 'tools/call', params: { name: 'a' } }],
      ...question('q1', 'elicitation/create', { message: 'a' }, { result: { n: 1 } }),
      ...question('q2', 'elicitation/create', { message: 'b' }, { result: { n: 2 } }),
      ...question('q3', 'sampling/createMessage', {}, { error: { code: -1, message: 'no' } }),
      ...question('q4', 'roots/list', {}, { result: { roots: [] } }),
      ...question('q5', 'x/secret', {}, { result: { key: '[redacted:api-key:0123abcd]' } }),
      ...question('q6', 'x/other', {}, { result: { key: '[redacted:api-key:ffffffff]' } }),
    ),
    new Map([['0123abcd', 'k']]),
  );
  const ask = async (method: string, params: unknown) =>
    handlers.get(method)!(params, { method, id: 1, signal: new AbortController().signal });
  expect(await ask('elicitation/create', { message: 'b' })).toBe('{"n":2}');
  expect(await ask('elicitation/create', { message: 'x' })).toBe('{"n":1}');
  await expect(ask('elicitation/create', { message: 'a' })).rejects.toThrow(
    'The recording has no response to this request',
  );
  await expect(ask('sampling/createMessage', {})).rejects.toMatchObject({ code: -1, message: 'no' });
  expect(await ask('x/secret', {})).toBe('{"key":"k"}');
  await expect(ask('x/other', {})).rejects.toThrow('The response was redacted in the recording');
  expect([await ask('roots/list', undefined), await ask('roots/list', {})]).toEqual(Array(2).fill('{"roots":[]}'));
});

test('describes the client in both eras', () => {
  const info = { name: 'host', version: '2' };
  const legacy = trafficOf();
  expect(recordedClient(legacy, NO_SECRETS)).toMatchObject({ info: undefined, capabilities: {} });
  const meta = {
    'io.modelcontextprotocol/clientInfo': info,
    'io.modelcontextprotocol/clientCapabilities': { roots: {} },
  };
  const modern = {
    ...legacy,
    era: 'modern',
    handshake: undefined,
    sent: trafficOf(...call('ping', { _meta: meta }, {})).sent.slice(1),
  } as const;
  expect(recordedClient(modern, NO_SECRETS)).toEqual({ info, capabilities: { roots: {} }, handlers: new Map() });
});

const changed = (what: string) => ['<', { method: `notifications/${what}/list_changed` }] as const;
const read = (what: string) => call(`${what}/list`, {}, {});

test('a list is stale if it changed after it was requested', () => {
  const all = [changed('tools'), changed('prompts'), changed('resources')];
  const session = trafficOf(...read('tools'), ...read('prompts'), ...all, ...read('prompts'));
  expect([...staleLists(session)]).toEqual(['tools/list']);
});

const ONE = '0f4c0d6e-1b7e-4b5e-9d0a-2f6f7f0e6a11';
const TWO = '1f4c0d6e-1b7e-4b5e-9d0a-2f6f7f0e6a12';

function learnt(recorded: unknown, live: unknown): RenamedIds {
  const renaming = new RenamedIds();
  renaming.learn(JSON.stringify(recorded), JSON.stringify(live));
  return renaming;
}

test('replaces names that the server has changed, and nothing else', () => {
  const renaming = learnt(
    { nextCursor: 'a', requestState: 's', content: [{ text: `{"order":"${ONE}"}` }], prose: `see ${ONE}`, name: 'x' },
    { nextCursor: 'b"', requestState: 't', content: [{ text: `{"order":"${TWO}"}` }], prose: `see ${TWO}`, name: 'y' },
  );
  expect(renaming.apply(`{ "big":9007199254740993.0, "cursor":"a", "o":["${ONE}"], "n":"x" }`)).toBe(
    `{ "big":9007199254740993.0, "cursor":"b\\"", "o":["${TWO}"], "n":"x" }`,
  );
  expect(renaming.apply(`{"text":"\\"a\\" and ${ONE}"}`)).toBe(`{"text":"\\"a\\" and ${ONE}"}`);
});

test('replaces ids of any form, but only where a member is called like an id', () => {
  const renaming = learnt(
    { content: [{ text: '{"id":7,"note_id":"n-7","state":"open","count":3}' }], orderRef: 'A' },
    { content: [{ text: '{"id":9,"note_id":"n-9","state":"done","count":4}' }], orderRef: 'B' },
  );
  expect(renaming.apply('{"id":7, "ids":["n-7",7.0], "orderRef":"A", "count":7, "text":"n-7", "state":"open"}')).toBe(
    '{"id":9, "ids":["n-9",7.0], "orderRef":"B", "count":7, "text":"n-7", "state":"open"}',
  );
  expect(renaming.apply('{"noteId":"n-7","valid":7,"grid":"A"}')).toBe('{"noteId":"n-9","valid":7,"grid":"A"}');
});

test('attack: a long text of quotes and backslashes takes linear time', () => {
  const renaming = learnt({ id: 1 }, { id: 2 });
  for (const text of [
    '"'.repeat(1_000_001),
    '\\'.repeat(1_000_000),
    `"${'\\"'.repeat(500_000)}`,
    '1'.repeat(1_000_000),
  ]) {
    expect(() => renaming.apply(text)).not.toThrow();
  }
});

test('learns nothing from hostile answers, and never throws', () => {
  const renaming = new RenamedIds();
  renaming.learn('[', '{}');
  renaming.learn(`{"a":${JSON.stringify('['.repeat(100_000))}}`, `{"a":${JSON.stringify('['.repeat(100_001))}}`);
  renaming.learn('{"nextCursor":"a"}', '{"nextCursor":{"a":1}}');
  expect(renaming.apply('{"cursor":"a"}')).toBe('{"cursor":"a"}');
});

test('learns names in prose if the rest of the text is the same', () => {
  const renaming = new RenamedIds();
  const [was, is] = ['Started search_1_1795357397190 at 10:00:01.', 'Started search_1_1795357410602 at 10:04:07.'];
  renaming.learn(JSON.stringify({ text: was }), JSON.stringify({ text: is }));
  renaming.learn(
    '{"text":"no 0f4c0d6e-1b7e-4b5e-9d0a-2f6f7f0e6a11"}',
    '{"text":"1f4c0d6e-1b7e-4b5e-9d0a-2f6f7f0e6a12 yes"}',
  );
  expect(renaming.apply('["search_1_1795357397190","0f4c0d6e-1b7e-4b5e-9d0a-2f6f7f0e6a11"]')).toBe(
    '["search_1_1795357410602","0f4c0d6e-1b7e-4b5e-9d0a-2f6f7f0e6a11"]',
  );
});
