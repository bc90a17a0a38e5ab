import { describe, expect, test } from 'vitest';
import { Log, lastExchange } from '@/lib/store/log';
import { HttpLogger } from '@/lib/transports/http-tap';
import type { Channel, Direction, Frame } from '@/lib/wire/frame';
import { recordingBytes } from '../recording-bytes';
import { RecordingReader } from '../recording-reader';
import { EntryCollector, soundEntry } from './mcp-entries';
import { writeHar } from './write-har';

const AT = '2026-01-31T12:00:00.000Z';
const URL_OF = 'https://example.test/mcp?api_key=hidden-value';

/** Returns a log as a transport writes it, a millisecond per frame. */
class TestLog {
  readonly frames: Frame[] = [];
  readonly tap = new HttpLogger(
    {
      appendFrame: (channel, direction, source, start, end) =>
        this.add(channel, direction, source.subarray(start, end)),
    },
    { url: URL_OF, headers: [['X-Mine', 'hidden-value']] },
  );

  add(channel: Channel, direction: Direction, bytes: Uint8Array): number {
    const seq = this.frames.length + 1;
    return this.frames.push({ seq, time: seq * 1000, channel, direction, flags: 0, bytes });
  }

  says(direction: Direction, text: string): void {
    this.add('protocol', direction, new TextEncoder().encode(text));
  }

  /** A message posted in exchange `number`. */
  posts(number: number, text: string): void {
    this.tap.logRequest(
      number,
      'POST',
      URL_OF,
      [
        ['X-Mine', 'hidden-value'],
        ['Content-Type', 'application/json'],
      ],
      text.length,
    );
    this.says('to-server', text);
  }

  responds(number: number, type: string, status = 200): void {
    this.tap.logResponse(number, status, [['content-type', type]]);
  }

  async *[Symbol.asyncIterator]() {
    yield* this.frames;
  }
}

const INITIALIZE = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}';
const INITIALIZED = '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","big":12345678901234567890}}';
const CALL = '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"ä"}}';
const PROGRESS = '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}}';
const RESULT = '{"jsonrpc":"2.0","id":2,"result":{"content":[]}}';

function session(): TestLog {
  const log = new TestLog();
  log.posts(1, INITIALIZE);
  log.responds(1, 'application/json');
  log.tap.logStep({ kind: 'body', exchange: 1, bytes: INITIALIZED.length });
  log.says('to-client', INITIALIZED);
  log.posts(2, CALL);
  log.responds(2, 'text/event-stream; charset=utf-8');
  log.tap.logStep({ kind: 'sse', exchange: 2, id: '7', data: '' });
  log.tap.logStep({ kind: 'sse', exchange: 2, comment: 'still here' });
  log.tap.logStep({ kind: 'sse', exchange: 2 });
  log.says('to-client', PROGRESS);
  log.tap.logStep({ kind: 'sse', exchange: 2, event: 'message', id: '8' });
  log.says('to-client', RESULT);
  log.tap.logStep({ kind: 'end', exchange: 2, by: 'server' });
  log.posts(3, CALL);
  log.tap.logStep({ kind: 'end', exchange: 3, by: 'failure', message: 'The socket was closed.' });
  return log;
}

/** Returns an archive of one exchange, from the first second of 1970. */
function archive(request: object): string {
  return JSON.stringify({
    log: {
      entries: [
        {
          startedDateTime: '1970-01-01T00:00:01Z',
          request: { method: 'POST', url: 'http://h/mcp', postData: { text: INITIALIZE }, ...request },
          response: {
            status: 200,
            headers: [{ name: 'content-type', value: 'application/json' }],
            content: { text: INITIALIZED },
          },
        },
      ],
    },
  });
}

const har = async (log: TestLog) => (await writeHar(log, { at: AT, version: '1.2.3' })) ?? '';

async function opened(text: string) {
  const reader = new RecordingReader();
  const frames: Frame[] = [];
  for await (const chunk of recordingBytes(new Blob([text]).stream())) frames.push(...reader.readChunk(chunk));
  return { frames, report: reader.finish(), header: reader.header! };
}

const texts = (frames: readonly Frame[], channel: Channel) =>
  frames
    .filter((frame) => frame.channel === channel)
    .map(({ direction, bytes }) => `${direction === 'to-server' ? '>' : '<'} ${new TextDecoder().decode(bytes)}`);

test('writes bodies, event streams and failures of exchanges, with masked values', async () => {
  const text = await har(session());
  const { log } = JSON.parse(text);
  expect(log).toMatchObject({ version: '1.2', creator: { name: 'mcp-inspect', version: '1.2.3' } });
  expect(log.entries).toHaveLength(3);
  expect(log.entries[0]).toMatchObject({
    startedDateTime: '2026-01-31T12:00:00.001Z',
    time: 4,
    request: {
      method: 'POST',
      postData: { mimeType: 'application/json', text: INITIALIZE },
      bodySize: INITIALIZE.length,
    },
    response: { status: 200, content: { mimeType: 'application/json', text: INITIALIZED } },
    timings: { send: 0, wait: 2, receive: 2 },
  });
  expect(log.entries[1].response.content.text).toBe(
    `id: 7\ndata: \n\n: still here\n\ndata: ${PROGRESS}\n\nevent: message\nid: 8\ndata: ${RESULT}\n\n`,
  );
  expect(log.entries[1]._blockTimes).toEqual([3, 4, 6, 8]);
  expect(log.entries[2].response).toMatchObject({ status: 0, _error: 'The socket was closed.' });
  expect(text).not.toContain('hidden-value');
});

test('writes no archive without HTTP', async () => {
  const log = new TestLog();
  log.says('to-server', CALL);
  expect(await har(log)).toBe('');
});

test.each(['\n', ' \r\n', '\ufeff'])('reads a JSON body as a message even after %j', async (before) => {
  const log = new TestLog();
  log.posts(1, INITIALIZE);
  log.responds(1, 'application/json; charset=utf-8');
  log.tap.logStep({ kind: 'body', exchange: 1, bytes: new TextEncoder().encode(before + INITIALIZED).length });
  log.says('to-client', before + INITIALIZED);
  const { frames } = await opened(await har(log));
  expect(texts(frames, 'protocol')).toEqual(texts(log.frames, 'protocol'));
});

test('reads our own archive with the same messages, order and times', async () => {
  const log = session();
  const { frames, report, header } = await opened(await har(log));
  expect(texts(frames, 'protocol')).toEqual(texts(log.frames, 'protocol'));
  expect(texts(frames, 'lifecycle')).toMatchObject([
    expect.stringContaining('"event":"start"'),
    expect.stringContaining('"event":"open","era":"legacy","version":"2025-06-18"'),
  ]);
  expect(header).toMatchObject({ at: '2026-01-31T12:00:00.001Z', name: 'example.test', transport: 'http' });
  expect(report).toMatchObject({ damaged: { count: 0 }, missing: 0, unknown: 0, ended: true, complete: true });
  const times = frames.filter(({ channel }) => channel === 'protocol').map(({ time }) => time / 1000);
  expect(times).toEqual([0, 4, 5, 11, 13, 15]);
});

const message = (body: object) => JSON.stringify({ jsonrpc: '2.0', ...body });
const TASK = { taskId: 't1', createdAt: AT, lastUpdatedAt: AT, ttl: 60_000, pollInterval: 5 };

test('a task of an archive is one exchange, from the call to its result', async () => {
  const log = new TestLog();
  const says = [
    [INITIALIZE, INITIALIZED.replace('2025-06-18', '2025-11-25')],
    [
      message({ id: 2, method: 'tools/call', params: { name: 'build', arguments: {}, task: {} } }),
      message({ id: 2, result: { task: { ...TASK, status: 'working' } } }),
    ],
    [
      message({ id: 3, method: 'tasks/get', params: { taskId: 't1' } }),
      message({ id: 3, result: { ...TASK, status: 'completed' } }),
    ],
    [
      message({ id: 4, method: 'tasks/result', params: { taskId: 't1' } }),
      message({ id: 4, result: { content: [{ type: 'text', text: 'built' }] } }),
    ],
  ] as const;
  for (const [at, [question, answer]] of says.entries()) {
    log.posts(at + 1, question);
    log.responds(at + 1, 'application/json');
    log.tap.logStep({ kind: 'body', exchange: at + 1, bytes: answer.length });
    log.says('to-client', answer);
    log.tap.logStep({ kind: 'end', exchange: at + 1, by: 'server' });
  }
  const { frames } = await opened(await har(log));
  expect(texts(frames, 'protocol')).toEqual(texts(log.frames, 'protocol'));
  const store = new Log('c1');
  store.append(frames);
  const call = lastExchange(store, 'tools/call', 'build')!;
  expect(call).toMatchObject({ status: 'ok', task: { inline: false } });
  expect(store.text(call.responseSeq! - 1)).toContain('built');
  expect(store.state.tasks.all).toMatchObject([{ status: 'completed' }]);
});

/** An archive as Chromium and other tools write it, as far as we read it. */
function foreign(...entries: object[]): string {
  return JSON.stringify({
    log: {
      version: '1.2',
      creator: { name: 'WebInspector', version: '537.36' },
      entries: entries.map((entry) => ({ time: 5, timings: { wait: 4, receive: 1 }, ...entry })),
    },
  });
}
const post = (url: string, text: string, at: string, answer: object = {}) => ({
  startedDateTime: at,
  request: {
    method: 'POST',
    url,
    headers: [
      { name: ':authority', value: 'x' },
      { name: 'authorization', value: 'Bearer hidden-value' },
    ],
    postData: { text },
  },
  response: { status: 200, headers: [{ name: 'content-type', value: 'application/json' }], content: {}, ...answer },
});

test('reads the MCP traffic of a browser’s archive in order of time, without secrets', async () => {
  const { frames, header } = await opened(
    foreign(
      { startedDateTime: 'x', request: null },
      post('https://a.test/track', '{"event":"click"}', '2026-01-31T12:00:00Z'),
      post('https://a.test/mcp', CALL, '2026-01-31T12:00:02Z', {
        content: { text: btoa(RESULT), encoding: 'base64' },
      }),
      post(
        'https://a.test/mcp',
        '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}',
        '2026-01-31T12:00:01Z',
      ),
    ),
  );
  expect(header).toMatchObject({ by: 'WebInspector (HTTP Archive)', name: 'a.test', at: '2026-01-31T12:00:01.000Z' });
  expect(texts(frames, 'protocol').map((text) => text.slice(0, 40))).toEqual(
    [
      '> {"jsonrpc":"2.0","id":1,"method":"tools',
      '> {"jsonrpc":"2.0","id":2,"method":"tools',
      `< ${RESULT}`.slice(0, 40),
    ].map((text) => text.slice(0, 40)),
  );
  // tools/list has no response in the archive.
  expect(texts(frames, 'http').at(-1)).toContain('"kind":"body"');
  expect(texts(frames, 'http').filter((text) => text.includes('"unanswered":[1]'))).toHaveLength(1);
  expect(texts(frames, 'lifecycle')[1]).toContain('"era":"modern","version":"2026-07-28"');
  const whole = frames.map(({ bytes }) => new TextDecoder().decode(bytes)).join('\n');
  expect(whole).not.toContain('hidden-value');
  expect(whole).not.toContain(':authority');
});

test('masks values of headers and URLs wherever they are repeated', async () => {
  const secrets = [
    'Zx9kQ2vLm4Tn8RwB',
    'cookie-4Tn8RwB1',
    'param%2F7Tn8RwB2',
    'param/7Tn8RwB2',
    'pass-word-4Tn8',
    'sess-9f8a7b6c',
  ];
  const echo = JSON.stringify({
    jsonrpc: '2.0',
    id: 2,
    result: { content: [{ type: 'text', text: secrets.join(' ') }] },
  });
  const request = {
    method: 'POST',
    url: `https://a.test/mcp?access_token=${secrets[2]}`,
    headers: [
      { name: 'X-Api-Key', value: secrets[0] },
      { name: 'Authorization', value: `Basic ${btoa(`bob:${secrets[4]}`)}` },
    ],
    postData: { text: CALL },
  };
  const json = { name: 'content-type', value: 'application/json' };
  const { frames } = await opened(
    foreign(post('https://a.test/mcp', CALL, '2026-01-31T12:00:00Z', { content: { text: echo } }), {
      startedDateTime: '2026-01-31T12:00:01Z',
      request,
      response: {
        status: 200,
        headers: [
          json,
          { name: 'Set-Cookie', value: `sid="${secrets[1]}"; Path=/` },
          { name: 'Mcp-Session-Id', value: secrets[5] },
          { name: 'Set-Cookie', value: 'theme=tools/call' },
        ],
        content: { text: echo },
      },
    }),
  );
  const whole = frames.map(({ bytes }) => new TextDecoder().decode(bytes)).join('\n');
  for (const secret of secrets) expect(whole).not.toContain(secret);
  expect(whole).toContain('"method":"tools/call"');
});

test('recognises HTTP+SSE by its stream', async () => {
  const sse = {
    startedDateTime: '2026-01-31T12:00:00Z',
    request: { method: 'GET', url: 'https://a.test/sse', headers: [] },
    response: {
      status: 200,
      headers: [{ name: 'Content-Type', value: 'text/event-stream' }],
      content: {
        text: `event: endpoint\ndata: /messages?sessionId=hidden-value\n\nevent: message\ndata: ${RESULT}\n\n`,
      },
    },
  };
  const { frames, header } = await opened(
    foreign(
      sse,
      post('https://a.test/messages?sessionId=hidden-value', CALL, '2026-01-31T12:00:00.001Z', { status: 202 }),
    ),
  );
  expect(header.transport).toBe('sse');
  expect(texts(frames, 'protocol')).toEqual([`> ${CALL}`, `< ${RESULT}`]);
  expect(JSON.stringify(texts(frames, 'http'))).not.toContain('hidden-value');
});

test.each([
  ['{"log":', 'not-a-har'],
  ['{"log":{"entries":7}}', 'not-a-har'],
  ['{"log":{"entries":[null,7,{},{"request":{"url":"x"}}]}}', 'har-without-mcp'],
  [`{"log":${'['.repeat(400)}`, 'not-a-har'],
  ['{"logs":{}}', 'not-a-recording'],
  [archive({ url: 'data:text/plain,x' }), 'har-without-mcp'],
])('%s is refused as %s', async (text, code) => {
  await expect(opened(text)).rejects.toMatchObject({ code });
});

test('ignores preflight requests', async () => {
  const asked = JSON.parse(archive({ method: 'OPTIONS', postData: {} })).log.entries;
  const posted = JSON.parse(archive({})).log.entries;
  const reader = new RecordingReader();
  const frames: Frame[] = [];
  const text = JSON.stringify({ log: { entries: [...asked, ...posted] } });
  for await (const chunk of recordingBytes(new Blob([text]).stream())) frames.push(...reader.readChunk(chunk));
  const told = frames.filter(({ channel }) => channel === 'http').map(({ bytes }) => new TextDecoder().decode(bytes));
  expect(told.map((one) => JSON.parse(one).method ?? 'of that')).toEqual(['POST', 'of that', 'of that']);
  // The id has the same format for early dates.
  expect(reader.header?.id).toMatch(/^[a-z0-9-]{8,64}$/);
});

test('keeps frames with impossible times', async () => {
  const har = (index: number, time: number, startedDateTime: string) => ({
    startedDateTime,
    time,
    _blockTimes: [1e300],
    timings: { receive: 1e308 },
    request: { method: 'POST', url: 'http://h/mcp', headers: [], postData: { text: index === 1 ? INITIALIZE : CALL } },
    response: {
      status: 200,
      headers: [{ name: 'content-type', value: index === 1 ? 'application/json' : 'text/event-stream' }],
      content: { text: index === 1 ? INITIALIZED : `data: ${RESULT}\n\n` },
    },
  });
  const entries = [har(1, 1e300, '2026-01-01T00:00:00Z'), har(2, 5, '+275760-09-13T00:00:00.000Z')];
  const reader = new RecordingReader();
  const frames: Frame[] = [];
  const text = JSON.stringify({ log: { entries } });
  for await (const chunk of recordingBytes(new Blob([text]).stream())) frames.push(...reader.readChunk(chunk));
  expect(reader.finish()).toMatchObject({ damaged: { count: 0 }, missing: 0 });
  const messages = frames.filter(({ channel }) => channel === 'protocol');
  expect(messages.map(({ bytes }) => new TextDecoder().decode(bytes))).toEqual([INITIALIZE, INITIALIZED, CALL, RESULT]);
});

test('writes an archive with the last possible date', async () => {
  const log = session();
  const har = await writeHar(log, { at: '+275760-09-13T00:00:00.000Z', version: '1' });
  expect(JSON.parse(har!).log.entries[0].startedDateTime).toBe('+275760-09-13T00:00:00.000Z');
});

describe('a large archive', () => {
  const request = { method: 'POST', url: 'http://h/mcp', headers: [], postData: { text: CALL } };
  const entry = { startedDateTime: AT, time: 5, request, response: { status: 202 } };
  const text = JSON.stringify({ log: { entries: Array.from({ length: 20_000 }, () => entry) } });
  const source = () => new Blob([text]).stream();

  test('is converted in portions, with reports of the progress', async () => {
    const told: number[] = [];
    let portions = 0;
    for await (const _ of recordingBytes(source(), { onRead: (bytes) => told.push(bytes) })) portions++;
    expect(portions).toBeGreaterThan(10);
    expect(told.length).toBeGreaterThan(10);
    expect(told).toEqual(told.toSorted((a, b) => a - b));
    expect(told[0]).toBeLessThan(text.length * 0.6);
    expect(told.at(-1)).toBeGreaterThan(text.length * 0.9);
  });

  test.each([0, 1, 5])('can be cancelled after %i portions', async (most) => {
    const stop = new AbortController();
    let portions = 0;
    const reading = async () => {
      if (most === 0) stop.abort();
      for await (const _ of recordingBytes(source(), { signal: stop.signal })) if (++portions === most) stop.abort();
    };
    await expect(reading()).rejects.toMatchObject({ name: 'AbortError' });
    expect(portions).toBe(most);
  });
});

/** Returns an archive with these entries. */
const archiveOf = (entries: readonly object[]) => JSON.stringify({ log: { entries } });

/** An exchange at this second. */
function exchange(second: number, url: string, sent: string | undefined, content: object = {}): object {
  return {
    startedDateTime: new Date(second * 1000).toISOString(),
    request: {
      method: sent === undefined ? 'GET' : 'POST',
      url,
      ...(sent !== undefined && { postData: { text: sent } }),
    },
    response: { status: 200, headers: [{ name: 'content-type', value: 'application/json' }], content },
  };
}

test('leaves out only the entry whose body is invalid base64, and says so', async () => {
  const { frames, header } = await opened(
    archiveOf([
      exchange(1, 'http://h/mcp', INITIALIZE, { text: INITIALIZED }),
      exchange(2, 'http://h/mcp', CALL, { text: '***', encoding: 'base64' }),
      exchange(3, 'http://h/image.png', undefined, { text: '***', encoding: 'base64' }),
      exchange(4, 'http://h/mcp', CALL, { text: btoa(RESULT), encoding: 'base64' }),
    ]),
  );
  expect(texts(frames, 'protocol')).toEqual([
    `> ${INITIALIZE}`,
    `< ${INITIALIZED}`,
    '> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"ä"}}',
    `< ${RESULT}`,
  ]);
  expect(header.lacks).toEqual({ damaged: 1 });
  const damaged = archiveOf([exchange(1, 'http://h/mcp', CALL, { text: '*', encoding: 'base64' })]);
  await expect(opened(damaged)).rejects.toMatchObject({ code: 'har-without-mcp' });
});

test('holds few entries of servers that got no message, and all of the one that did', () => {
  const entries = new EntryCollector();
  const add = (second: number, url: string, sent?: string) => {
    const entry = soundEntry(exchange(second, url, sent));
    if (entry) entries.addEntry(entry);
  };
  add(0, 'http://h/mcp');
  for (let at = 0; at < 20_000; at++) add(at, `http://other/${at % 100}`);
  expect(entries.entries).toEqual([]);
  add(2, 'http://h/mcp', CALL);
  add(3, 'http://h/mcp');
  for (let at = 0; at < 100; at++) add(at, `http://other/${at}`);
  expect(entries.entries.map(({ began }) => began)).toEqual([0, 2000, 3000]);
});

test('refuses more entries than fit into memory', () => {
  const entries = new EntryCollector();
  const entry = soundEntry(exchange(1, 'http://h/mcp', CALL))!;
  for (let at = 0; at < 250_000; at++) entries.addEntry(entry);
  expect(() => entries.addEntry(entry)).toThrow('more than 250,000 requests');
});
