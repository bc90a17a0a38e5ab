import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Log } from '@/lib/store/log';
import { StreamableHttp } from '@/lib/transports/streamable-http';
import { BatchReader } from '@/lib/wire/batch';
import { systemClock } from '@/lib/wire/clock';
import type { Command, Event } from '@/lib/wire/command';
import type { WorkerToPage } from '@/lib/wire/worker-message';
import {
  event,
  type HttpFixture,
  initialized,
  json,
  result,
  startHttp,
  stream,
} from '@/proxy/connection/fixtures/http-fixture';
import { SealedBox } from './browser-databases';
import { DirectHub } from './direct-hub';
import { FetchLink } from './fetch-link';
import { LogKeeper, type RestoredLog } from './log-keeper';
import { LogRecorder } from './log-recorder';
import { PortLink } from './page-hub';
import { openRemoteFile } from './remote-file';
import { TestLogDatabase } from './test-databases';

type Body<C> = C extends { readonly ref: string } ? Omit<C, 'ref'> : never;

/** A form without fields. */
const SURE = { message: 'Sure?', requestedSchema: { type: 'object', properties: {} } };

let fixture: HttpFixture;
beforeEach(async () => {
  fixture = await startHttp(({ message, headers }, response) => {
    if (message?.method === 'initialize')
      json(response, initialized(message.id, { tools: {} }), 200, { 'mcp-session-id': 's' });
    else if (message?.method === 'tools/list') json(response, result(message.id, { tools: [] }));
    else if (message?.method === 'tools/call')
      stream(response, event({ jsonrpc: '2.0', id: 'q', method: 'elicitation/create', params: SURE }));
    else if (message?.method === 'prompts/list')
      json(response, result(message.id, { prompts: [], repeated: headers['x-api-key'] }));
    else if (message?.method === 'server/discover') json(response, {}, 400);
    else response.writeHead(message?.id === undefined ? 202 : 404).end();
  });
});
afterEach(() => fixture.close());

/** A page: its logs, filled from batches as a client fills them, and the events it got. */
class TestPage {
  readonly events: Event[] = [];
  readonly files: Blob[] = [];
  readonly logs = new Map<string, Log>();
  readonly viewer: PortLink;
  readonly hub: DirectHub;
  readonly #readers = new Map<string, BatchReader>();
  #refs = 0;

  /** `code`: the diagnosis of a failed request. */
  constructor(keeper?: LogKeeper, recorder?: LogRecorder, code = 'cors-origin') {
    this.viewer = new PortLink({ postMessage: (message) => this.#take(message) });
    this.hub = new DirectHub({
      clock: systemClock,
      version: '0',
      page: this.viewer,
      ...(keeper && { keeper }),
      ...(recorder && { recorder }),
      reply: (_ref, given) => this.files.push(given as Blob),
      openRemote: (url, signal, onProgress) =>
        openRemoteFile(url, { fetch, origin: 'https://page.example', signal, onProgress }),
      openTransport: ({ url, headers }, sink) => {
        const link = new FetchLink(fetch, async () => ({ code, message: 'No.', advice: 'Do.' }));
        return new StreamableHttp({ url, headers, sink, clock: systemClock, link });
      },
    });
  }

  /** Runs a command and returns its answer. */
  async ask(command: Body<Command>): Promise<Event> {
    const ref = `r${++this.#refs}`;
    await this.hub.runCommand(this.hub.viewer, { ...command, ref } as Command);
    return this.events.find((event) => 'ref' in event && event.ref === ref)!;
  }

  async connect(headers: Record<string, string> = {}): Promise<string> {
    const target = { transport: 'auto', via: 'direct', url: `${fixture.origin}/mcp`, headers } as const;
    const done = await this.ask({ type: 'connect', target, protocol: 'auto' });
    if (done?.type !== 'done') throw new Error(JSON.stringify(done));
    return done.connection;
  }

  async attach(connection: string): Promise<Log> {
    this.logs.set(connection, new Log(connection));
    this.#readers.set(connection, new BatchReader());
    await this.hub.runCommand(this.hub.viewer, { type: 'attach', connection, after: 0 });
    return this.logs.get(connection)!;
  }

  /** Resolves once a connection's summary has this state. */
  reached(connection: string, state: string): Promise<void> {
    return vi.waitFor(() => expect(this.summary(connection)).toMatchObject({ state }));
  }

  summary(connection: string) {
    const summaries = this.events.filter((event) => event.type === 'connection').map((event) => event.connection);
    return summaries.findLast(({ id }) => id === connection);
  }

  #take(message: WorkerToPage): void {
    if (message.type === 'event') this.events.push(message.event);
    if (message.type !== 'batch') return;
    for (const [connection, reader] of this.#readers) {
      const { header, frames } = reader.read(message.batch);
      if (header.connection === connection) this.logs.get(connection)!.append(frames);
    }
    queueMicrotask(() => this.viewer.batchTaken());
  }
}

test('a direct connection holds and changes messages too', async () => {
  const page = new TestPage();
  const connection = await page.connect();
  await page.reached(connection, 'open');
  const log = await page.attach(connection);
  const rules = [{ name: 'r', when: 'method:prompts/list', action: { do: 'hold' } }] as const;
  await page.ask({ type: 'set-rules', connection, rules });
  await page.ask({ type: 'request', connection, method: 'prompts/list' });
  await vi.waitFor(() => expect(log.interceptions.waiting).toMatchObject([{ hold: 1, direction: 'to-server' }]));
  expect(await page.ask({ type: 'read-held', connection, hold: 1 })).toMatchObject({
    held: { text: expect.stringContaining('"method":"prompts/list"') },
  });
  await page.ask({ type: 'decide', connection, hold: 1, decision: { do: 'error', code: 5, message: 'no' } });
  await vi.waitFor(() => expect(log.interceptions.waiting).toEqual([]));
  expect(fixture.of('prompts/list')).toEqual([]);
  expect(log.row(log.size - 1)).toMatchObject({ kind: 'error', method: 'prompts/list' });
});

describe('a direct connection', () => {
  test('is an ordinary log, with an id that no proxy uses', async () => {
    const page = new TestPage();
    page.hub.begin([]);
    expect(page.events).toEqual([{ type: 'welcome', version: '0', graceMs: 0 }]);
    const id = await page.connect({ 'X-Key': 'sesame' });
    expect(id).toBe('d1');
    const log = await page.attach(id);
    await page.reached(id, 'open');
    await vi.waitFor(() => expect(log.state.tools.status).toBe('listed'));
    expect(page.summary(id)).toMatchObject({ via: 'direct', era: 'legacy', transport: 'http' });
    expect(log.state.connection.start).toMatchObject({ via: 'direct', headerNames: ['X-Key'] });
    expect(fixture.of('tools/list')[0]!.headers).toMatchObject({ 'mcp-session-id': 's', 'x-key': 'sesame' });
    const texts = Array.from({ length: log.size }, (_, index) => log.text(index)).join('\n');
    expect(texts).not.toContain('sesame');
    expect(await page.ask({ type: 'close', connection: id })).toMatchObject({ type: 'done' });
    expect(page.summary(id)).toMatchObject({ state: 'closed' });
    expect(fixture.of('DELETE')).toHaveLength(1);
  });

  test('passes a question of the server to the person, and sends the answer', async () => {
    const page = new TestPage();
    const id = await page.connect();
    const log = await page.attach(id);
    await page.reached(id, 'open');
    await page.ask({ type: 'request', connection: id, method: 'tools/call', params: '{"name":"t"}' });
    await vi.waitFor(() => expect(page.summary(id)).toMatchObject({ waiting: 1 }));
    const call = log.latestRequest('tools/call', 't');
    await vi.waitFor(() =>
      expect(log.state.inbox.waiting).toMatchObject([{ id: 'q', message: 'Sure?', calls: [call] }]),
    );
    const answer = { result: '{"action":"decline"}' };
    expect(await page.ask({ type: 'answer', connection: id, id: 'q', answer })).toMatchObject({ type: 'done' });
    const reply = { jsonrpc: '2.0', id: 'q', result: { action: 'decline' } };
    await vi.waitFor(() => expect(fixture.seen.map(({ message }) => message)).toContainEqual(reply));
    expect(log.state.inbox).toMatchObject({ waiting: [], closed: [{ status: 'answered' }] });
    await page.ask({ type: 'close', connection: id });
  });

  test('uses standing answers, which the page forgets on a reload', async () => {
    const page = new TestPage();
    const id = await page.connect();
    const log = await page.attach(id);
    await page.reached(id, 'open');
    const call = { type: 'request', connection: id, method: 'tools/call', params: '{"name":"t"}' } as const;
    await page.ask(call);
    await vi.waitFor(() => expect(page.summary(id)).toMatchObject({ waiting: 1 }));
    const answer = { result: '{"action":"decline"}' };
    expect(await page.ask({ type: 'answer', connection: id, id: 'q', answer, always: true })).toMatchObject({
      type: 'done',
    });
    await page.ask(call);
    await vi.waitFor(() => expect(log.state.inbox.closed[0]).toMatchObject({ standingSeq: expect.any(Number) }));
    const listed = await page.ask({ type: 'standing', connection: id });
    expect(listed).toMatchObject({ standing: { place: 'page', answers: [{ answer }] } });
    expect(JSON.stringify(listed)).toContain('"title":"http');
    await page.ask({ type: 'close', connection: id });
  });

  test('restarts as a new connection with its headers, and is forgotten after its end', async () => {
    const page = new TestPage();
    const id = await page.connect({ 'X-Key': 'sesame' });
    await page.reached(id, 'open');
    expect(await page.ask({ type: 'forget', connection: id })).toMatchObject({ code: 'still-connected' });
    expect(await page.ask({ type: 'restart', connection: id })).toMatchObject({ connection: 'd2' });
    await page.reached('d2', 'open');
    expect(fixture.seen.at(-1)!.headers).toMatchObject({ 'x-key': 'sesame' });
    expect(await page.ask({ type: 'forget', connection: id })).toMatchObject({ type: 'done' });
    expect(page.events).toContainEqual({ type: 'forgotten', connection: id });
    expect(await page.ask({ type: 'close', connection: id })).toMatchObject({ code: 'no-connection' });
    await page.ask({ type: 'close', connection: 'd2' });
  });

  test('numbers the runs of an entry, and a restart of an old run ends the newest one', async () => {
    const page = new TestPage();
    const id = await page.connect();
    await page.reached(id, 'open');
    expect(page.summary(id)).not.toHaveProperty('run');
    for (const made of ['d2', 'd3']) {
      expect(await page.ask({ type: 'restart', connection: id })).toMatchObject({ connection: made });
      await page.reached(made, 'open');
    }
    expect(page.summary('d2')).toMatchObject({ state: 'closed', entry: id, run: 2 });
    expect(page.summary('d3')).toMatchObject({ state: 'open', entry: id, run: 3 });
    const other = await page.connect();
    await page.reached(other, 'open');
    expect(page.summary(other)).not.toHaveProperty('entry');
    for (const each of ['d3', other]) await page.ask({ type: 'close', connection: each });
  });

  test.each([
    [{ transport: 'stdio', command: 'id', args: [] } as const, 'no-commands'],
    [{ transport: 'http', url: 'ftp://x/' } as const, 'url-invalid'],
    [{ transport: 'http', url: 'http://x/', headers: { Cookie: 'a=b' } } as const, 'header-forbidden'],
    [{ transport: 'http', url: 'http://x/', headers: { 'Sec-Fetch-Site': 'none' } } as const, 'header-forbidden'],
  ])('refuses %j', async (target, code) => {
    const page = new TestPage();
    expect(await page.ask({ type: 'connect', target, protocol: 'auto' })).toMatchObject({ type: 'error', code });
    expect(page.events).toHaveLength(1);
  });
});

describe('a secret header value that the server repeats in a body', () => {
  const KEY = 'sesame-open-now-4716';

  async function repeated(keeper?: LogKeeper) {
    const page = new TestPage(keeper);
    const id = await page.connect({ 'X-Api-Key': KEY });
    const log = await page.attach(id);
    await page.reached(id, 'open');
    await page.ask({ type: 'request', connection: id, method: 'prompts/list' });
    const texts = () => Array.from({ length: log.size }, (_, index) => log.text(index)).join('\n');
    await vi.waitFor(() => expect(texts()).toContain(KEY));
    return { page, id, log };
  }

  test('is not in the log that the page shares', async () => {
    const { page, id, log } = await repeated();
    const { size } = log;
    await page.hub.readLog('r0', id, size);
    expect(page.events.at(-1)).toEqual({ type: 'done', ref: 'r0', connection: id });
    const text = await page.files[0]!.text();
    expect(text.trimEnd().split('\n')).toHaveLength(size + 1);
    expect(text).toContain('"repeated":"[redacted:given:');
    expect(text).not.toContain(KEY);
    await page.hub.readLog('r1', id, 1e6);
    expect(page.events.at(-1)).toMatchObject({ ref: 'r1', code: 'no-such-frames' });
    await page.ask({ type: 'close', connection: id });
  });

  test('is not in the log that is kept over a reload', async () => {
    const box = await SealedBox.open(Buffer.alloc(32, 1).toString('base64'));
    const keeper = new LogKeeper('tab', new TestLogDatabase(), box, () => {});
    const { page, id, log } = await repeated(keeper);
    await page.ask({ type: 'close', connection: id });
    let logs: RestoredLog[] = [];
    await vi.waitFor(async () => {
      logs = await keeper.restore();
      expect(logs[0]!.frames.length).toBe(log.size);
    });
    const kept = logs[0]!.frames.map(({ bytes }) => new TextDecoder().decode(bytes)).join('\n');
    expect(kept).toContain('"repeated":"[redacted:given:');
    expect(kept).not.toContain(KEY);
  });
});

describe('a connection that is recorded', () => {
  test('is handed over redacted, a batch at a time, and reports when all frames were recorded', async () => {
    const posted: WorkerToPage[] = [];
    const recorder = new LogRecorder({ postMessage: (message) => void posted.push(message) }, systemClock);
    const page = new TestPage(undefined, recorder);
    const id = await page.connect({ 'X-Api-Key': 'sesame-open-now-4716' });
    const log = await page.attach(id);
    await page.reached(id, 'open');
    const frames: string[] = [];
    const reader = new BatchReader();
    const take = () => {
      const message = posted.shift();
      if (message?.type !== 'to-record') return message?.type;
      for (const { bytes } of reader.read(message.batch).frames) frames.push(new TextDecoder().decode(bytes));
      recorder.batchRecorded();
      return message.turn;
    };
    page.hub.record(id, { frames: 0, ended: false }, 7);
    // A slow machine redacts in several turns.
    const posting = () => vi.waitFor(() => expect(posted).not.toEqual([]));
    await posting();
    expect(take()).toBe(7);
    await page.ask({ type: 'request', connection: id, method: 'prompts/list' });
    await vi.waitFor(() => expect(log.state.connection.state).toBe('open'));
    await page.ask({ type: 'close', connection: id });
    for (let last: unknown; last !== 'all-recorded'; ) {
      await posting();
      last = take();
    }
    expect(frames).toHaveLength(log.size);
    expect(frames.join()).not.toContain('sesame-open-now-4716');
    expect(frames.join()).toContain('"closed"');
    // Later frames come too.
    await page.ask({ type: 'note', connection: id, on: 1, text: 'look', bookmark: false });
    await posting();
    expect(take()).toBe(7);
    expect(frames.at(-1)).toContain('look');
    await posting();
    expect(take()).toBe('all-recorded');
    page.hub.stopRecording({ connection: id, failure: 'The disk is full.' });
    await vi.waitFor(() => expect(log.state.connection.recordingFailed).toBe('The disk is full.'));
    expect(posted).toEqual([]);
  });
});

describe('after a reload', () => {
  async function kept(headers: Record<string, string>, close = false, recorder?: LogRecorder) {
    const store = new TestLogDatabase();
    const box = await SealedBox.open(Buffer.alloc(32, 1).toString('base64'));
    const keeper = new LogKeeper('tab', store, box, () => {});
    const before = new TestPage(keeper);
    const id = await before.connect(headers);
    await before.reached(id, 'open');
    const log = await before.attach(id);
    await vi.waitFor(() => expect(log.state.tools.status).toBe('listed'));
    if (close) await before.ask({ type: 'close', connection: id });
    let logs: RestoredLog[] = [];
    await vi.waitFor(async () => {
      logs = await keeper.restore();
      expect(logs[0]!.frames.length).toBe(log.size);
    });
    const page = new TestPage(undefined, recorder);
    page.hub.begin(logs);
    return { page, size: log.size };
  }

  test('a live connection has ended, keeps its log, and restarts as a new connection', async () => {
    const { page, size } = await kept({});
    expect(page.summary('d1')).toMatchObject({ state: 'closed', via: 'direct', transport: 'http', era: 'legacy' });
    const log = await page.attach('d1');
    await vi.waitFor(() => expect(log.size).toBe(size + 2));
    expect(log.state.connection).toMatchObject({ state: 'closed', closing: 'page-gone' });
    const params = { connection: 'd1', method: 'ping' };
    expect(await page.ask({ type: 'request', ...params })).toMatchObject({ code: 'not-connected' });
    expect(await page.ask({ type: 'restart', connection: 'd1' })).toMatchObject({ connection: 'd2' });
    await page.reached('d2', 'open');
    expect(page.summary('d2')).toMatchObject({ entry: 'd1', run: 2 });
    await page.ask({ type: 'close', connection: 'd2' });
  });

  test('a later run is still a run of its entry, and has the server’s name', async () => {
    const store = new TestLogDatabase();
    const keeper = new LogKeeper('tab', store, await SealedBox.open(Buffer.alloc(32, 1).toString('base64')), () => {});
    const before = new TestPage(keeper);
    const id = await before.connect();
    await before.reached(id, 'open');
    await before.ask({ type: 'restart', connection: id });
    await before.reached('d2', 'open');
    const page = new TestPage();
    await vi.waitFor(async () => {
      page.hub.begin(await keeper.restore());
      expect(page.summary('d2')).toMatchObject({ entry: id, run: 2, serverName: 'fixture' });
    });
    expect(page.summary(id)).not.toHaveProperty('run');
    await before.ask({ type: 'close', connection: 'd2' });
  });

  describe('continuing its recording', () => {
    /** Returns the frame numbers and events that a recording with this progress gets from a kept log. */
    async function recorded(close = false) {
      const posted: WorkerToPage[] = [];
      const recorder = new LogRecorder({ postMessage: (message) => void posted.push(message) }, systemClock);
      const { page, size } = await kept({}, close, recorder);
      const sent = async (frames: number, ended: boolean) => {
        // As if the socket were lost.
        page.hub.stopRecording({ connection: 'd1', again: true });
        recorder.batchRecorded();
        posted.splice(0);
        page.hub.record('d1', { frames, ended }, 0);
        const all: [number, unknown][] = [];
        for (;;) {
          await vi.waitFor(() => expect(posted).not.toEqual([]));
          const message = posted.shift();
          if (message?.type !== 'to-record') return all;
          for (const { seq, bytes } of new BatchReader().read(message.batch).frames) {
            const { event, on } = JSON.parse(new TextDecoder().decode(bytes));
            all.push([seq, event === 'note' ? on : event]);
          }
          recorder.batchRecorded();
        }
      };
      const note = (on: number) => page.ask({ type: 'note', connection: 'd1', on, text: 'look', bookmark: false });
      return { page, size, sent, note, posted };
    }
    const said = { event: 'spill-failed', message: expect.stringContaining('Open the recording to see all') };
    const lastOf = async (page: TestPage) => {
      const log = await page.attach('d1');
      await vi.waitFor(() => expect(log.size).toBeGreaterThan(0));
      return JSON.parse(new TextDecoder().decode(log.frame(log.size - 1)!.bytes));
    };

    test('appends only new frames if the recording has fewer than were kept', async () => {
      const { size, sent } = await recorded();
      expect((await sent(size - 1, false)).slice(-2)).toEqual([
        [size + 1, 'closing'],
        [size + 2, 'closed'],
      ]);
      expect(await sent(size + 1, false)).toEqual([[size + 2, 'closed']]);
      expect(await sent(size + 2, false)).toEqual([]);
    });

    test('appends the end, and logs once if the recording has more frames', async () => {
      const { size, sent, note } = await recorded();
      const end = [
        [size + 41, 'closing'],
        [size + 42, 'closed'],
        [size + 43, 'spill-failed'],
      ];
      expect(await sent(size + 40, false)).toEqual(end);
      // The frames have the same numbers after another lost socket.
      expect(await sent(size + 42, false)).toEqual(end.slice(2));
      await note(2);
      await note(size + 1);
      expect(await sent(size + 43, true)).toEqual([
        [size + 44, 2],
        [size + 45, size + 41],
      ]);
    });

    test('finishes the recording of a forgotten connection, and then keeps nothing of it', async () => {
      const { page, size, sent, posted } = await recorded();
      await page.ask({ type: 'forget', connection: 'd1' });
      expect((await sent(size, false)).map(([, event]) => event)).toEqual(['closing', 'closed']);
      page.hub.stopRecording({ connection: 'd1' });
      page.hub.record('d1', { frames: 0, ended: false }, 0);
      expect(posted).toEqual([]);
    });

    test('appends only later frames if the recording has its end', async () => {
      const { page, size, sent, note } = await recorded(true);
      expect(await sent(size + 9, true)).toEqual([]);
      expect(await lastOf(page)).toMatchObject(said);
      await note(2);
      expect(await sent(size + 9, true)).toEqual([[size + 10, 2]]);
    });
  });

  test('an ended connection is unchanged', async () => {
    const { page, size } = await kept({}, true);
    const log = await page.attach('d1');
    await vi.waitFor(() => expect(log.size).toBe(size));
    expect(log.state.connection).toMatchObject({ state: 'closed', closing: 'user' });
  });

  test('a connection with secrets does not restart without them', async () => {
    const { page } = await kept({ 'X-Key': 'sesame' });
    const answer = await page.ask({ type: 'restart', connection: 'd1' });
    expect(answer).toMatchObject({ code: 'values-forgotten', message: expect.stringContaining('X-Key') });
  });

  test('an empty log is ignored', () => {
    const page = new TestPage();
    page.hub.begin([{ connection: 'd7', frames: [] }]);
    expect(page.events.map(({ type }) => type)).toEqual(['welcome']);
  });
});

test('reconnects to a restarted server, as the proxy does', async () => {
  const page = new TestPage(undefined, undefined, 'unreachable');
  const id = await page.connect();
  const log = await page.attach(id);
  await page.reached(id, 'open');
  await vi.waitFor(() => expect(log.state.tools.status).toBe('listed'));
  const { port } = fixture;
  await fixture.close();
  await page.ask({ type: 'request', connection: id, method: 'ping' });
  await vi.waitFor(() => expect(page.summary(id)?.unreachable).toBeDefined());
  fixture = await startHttp(({ method, message, headers }, response) => {
    if (message?.method === 'initialize')
      json(response, initialized(message.id, { tools: {} }), 200, { 'mcp-session-id': 't' });
    else if (method === 'POST' && headers['mcp-session-id'] !== 't') json(response, {}, 400);
    else if (message?.id === undefined) response.writeHead(method === 'POST' ? 202 : 405).end();
    else json(response, result(message.id, { tools: [{ name: 'new', inputSchema: {} }] }));
  }, port);
  await page.ask({ type: 'retry', connection: id });
  await vi.waitFor(() => expect(log.state.tools.items.map(({ name }) => name)).toEqual(['new']));
  expect(page.summary(id)).toMatchObject({ state: 'open' });
  expect(page.summary(id)?.unreachable).toBeUndefined();
});
