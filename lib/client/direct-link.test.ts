import { describe, expect, test, vi } from 'vitest';
import type { ConnectionSummary, Event, UrlTarget } from '@/lib/wire/command';
import type { PageToWorker, WorkerToPage } from '@/lib/wire/worker-message';
import { withValues } from './base-values';
import { Client } from './client';
import { DirectLink, type LinkWorker } from './direct-link';
import { batchOf, settle, setUpClient } from './test-client';

/** The worker's end. */
class TestWorker implements LinkWorker {
  onmessage: ((message: { data: WorkerToPage }) => void) | null = null;
  onerror: (() => void) | null = null;
  readonly received: PageToWorker[] = [];

  postMessage(message: PageToWorker): void {
    this.received.push(message);
  }

  tell(event: Event): void {
    this.onmessage?.({ data: { type: 'event', event } });
  }

  /** The newest command. */
  get command() {
    const last = this.received.findLast(({ type }) => type === 'command');
    return last?.type === 'command' ? last.command : undefined;
  }

  /** Answers the newest command. */
  done(connection: string): void {
    const { command } = this;
    if (command && 'ref' in command) this.tell({ type: 'done', ref: command.ref, connection });
  }
}

const TAB = { tab: 't', key: 'k' };

function setUp(mayHaveKept = false, decided = new Set<string>()) {
  const worker = new TestWorker();
  const spawn = vi.fn(() => worker);
  const link = new DirectLink({ spawn, tabKey: () => TAB, mayHaveKept: () => mayHaveKept, decided });
  return { worker, spawn, link, client: new Client({ direct: link, paint: (run) => run() }) };
}

const summary = (id: string, state: ConnectionSummary['state'] = 'open'): ConnectionSummary => ({
  id,
  name: 'h',
  transport: 'http',
  via: 'direct',
  title: 'https://h/mcp',
  state,
  startedAt: '2026-01-01T00:00:00Z',
});
const connect = (headers: Record<string, string | null> = {}, base?: string) =>
  ({
    type: 'connect',
    target: { transport: 'auto', via: 'direct', url: 'https://h/mcp', headers, ...(base && { base }) },
    protocol: 'auto',
  }) as const;

describe('a page without a proxy', () => {
  test('has no socket, requests nothing, and refuses commands that need a proxy', async () => {
    const { client, spawn } = setUp();
    client.start();
    expect(client.status).toBe('none');
    expect(await client.connections()).toEqual([]);
    const command = {
      type: 'connect',
      target: { transport: 'stdio', command: 'x', args: [] },
      protocol: 'auto',
    } as const;
    await expect(client.send(command)).rejects.toMatchObject({ code: 'no-proxy' });
    expect(spawn).not.toHaveBeenCalled();
  });
});

describe('the worker', () => {
  test('starts with the first direct connection, and gets the tab’s key first', async () => {
    const { client, worker, spawn } = setUp();
    const sent = client.send(connect());
    worker.done('d1');
    expect(await sent).toMatchObject({ connection: 'd1' });
    void client.send({ type: 'close', connection: 'd1' });
    expect(spawn).toHaveBeenCalledTimes(1);
    expect(worker.received[0]).toEqual({ type: 'begin', tab: TAB });
    expect(worker.command).toMatchObject({ type: 'close', connection: 'd1' });
  });

  test('records a restored connection from its beginning unless its recording was decided before', async () => {
    const decided = new Set<string>();
    const recordings = setUp(true, decided);
    const { link, worker } = setUp(true, decided);
    for (const one of [recordings, { link, worker }]) {
      void one.link.connections();
      one.worker.onmessage?.({ data: { type: 'keeping', keeps: true } });
      one.worker.tell({ type: 'connection', connection: summary('d3', 'closed') });
      one.worker.tell({ type: 'welcome', version: '0', graceMs: 0 });
    }
    const { key, begin } = recordings.link.recordingOf('d3');
    expect(begin).toBe(true);
    recordings.link.decideRecording(key);
    expect(link.recordingOf('d3')).toEqual({ key, begin: false });
  });

  test('keeps a forgotten connection until it is fully recorded, over lost sockets', async () => {
    for (const has of [true, false]) {
      const { link, worker } = setUp(true);
      void link.connections();
      link.recordWith({ onConnection: () => {}, onBatch: () => {}, onComplete: () => {}, onForgotten: () => has });
      worker.tell({ type: 'connection', connection: summary('d3', 'closed') });
      const { key } = link.recordingOf('d3');
      worker.tell({ type: 'forgotten', connection: 'd3' });
      expect(link.ownConnections()).toEqual(has ? ['d3'] : []);
      if (has) expect(link.recordingOf('d3').key).toBe(key);
      link.recordingComplete('d3');
      expect(link.ownConnections()).toEqual([]);
      expect(worker.received.at(-1)).toEqual({ type: 'record-stop', connection: 'd3' });
    }
  });

  test('starts for logs that were kept over a reload, and lists them at once', async () => {
    const { client, worker } = setUp(true);
    const listed = client.connections();
    await settle();
    worker.tell({ type: 'connection', connection: summary('d3', 'closed') });
    worker.tell({ type: 'welcome', version: '0', graceMs: 0 });
    expect(await listed).toEqual([summary('d3', 'closed')]);
  });

  test('fails pending and later commands if it does not start', async () => {
    const { client, worker } = setUp();
    const sent = client.send(connect());
    worker.onerror?.();
    await expect(sent).rejects.toMatchObject({ code: 'worker-failed' });
    await expect(client.send(connect())).rejects.toMatchObject({ code: 'worker-failed' });
  });

  test('fills logs as the proxy does, and learns which batches were processed', () => {
    const { client, worker } = setUp();
    void client.send(connect());
    const log = client.attach('d1');
    expect(worker.command).toEqual({ type: 'attach', connection: 'd1', after: 0 });
    const bytes = new TextEncoder().encode('{"event":"closed"}');
    const frame = { seq: 1, time: 0, direction: 'to-client', channel: 'lifecycle', flags: 0, bytes } as const;
    worker.onmessage?.({ data: { type: 'batch', batch: batchOf('d1', [frame], 1) } });
    expect(log.size).toBe(1);
    expect(worker.received.at(-1)).toEqual({ type: 'taken' });
  });

  test('says whether leaving the page would lose anything', () => {
    const { client, worker, link } = setUp();
    void client.send(connect());
    expect(link.wouldLose).toBe(false);
    worker.tell({ type: 'connection', connection: summary('d1') });
    expect(link.wouldLose).toBe(true);
    worker.onmessage?.({ data: { type: 'keeping', keeps: true } });
    expect(link.wouldLose).toBe(false);
  });
});

describe('a direct connection’s values', () => {
  async function connected() {
    const all = setUp();
    const sent = all.client.send(connect({ 'X-Key': 'sesame' }));
    all.worker.done('d1');
    await sent;
    return all;
  }

  test('are used by the next connection made from it', async () => {
    const { client, worker } = await connected();
    void client.send(connect({ 'X-Team': 'blue' }, 'd1'));
    const headers = { 'X-Key': 'sesame', 'X-Team': 'blue' };
    await vi.waitFor(() => expect(worker.command).toMatchObject({ target: { headers } }));
    expect(worker.command).not.toHaveProperty('target.base');
  });

  test('go to the connection that replaces it, and are forgotten with it', async () => {
    const { client, worker } = await connected();
    const sent = client.send({ type: 'restart', connection: 'd1' });
    worker.done('d2');
    await sent;
    expect(client.directTarget('d2')).toMatchObject({ headers: { 'X-Key': 'sesame' } });
    worker.tell({ type: 'forgotten', connection: 'd1' });
    expect(client.directTarget('d1')).toBeUndefined();
  });

  test('are not taken from a `base` that belongs to the proxy', async () => {
    const { client, worker } = setUp();
    void client.send(connect({ A: '1' }, 's1'));
    await vi.waitFor(() => expect(worker.command).toMatchObject({ target: { headers: { A: '1' } } }));
    expect(worker.command).not.toHaveProperty('target.base');
  });
});

test('sends each command to the proxy or the worker', () => {
  const { proxy, client } = setUpClient();
  proxy.socket.accept();
  const target = { transport: 'auto', url: 'https://h/mcp' } as const;
  void client.send({ type: 'connect', target, protocol: 'auto' });
  client.attach('c1');
  expect(proxy.socket.sent('connect')).toHaveLength(1);
  expect(proxy.socket.sent('attach')).toHaveLength(1);
});

const target = (url: string, headers?: UrlTarget['headers']): UrlTarget => ({
  transport: 'auto',
  url,
  ...(headers && { headers }),
});
const earlier = target('https://h/mcp?api_key=k1', { 'X-Key': 'sesame', 'X-Team': 'blue' });

describe('a target made from an earlier one', () => {
  test('has the earlier header values, except those that it sets itself', () => {
    const made = withValues(target('https://h/other', { 'x-team': 'red', 'X-Key': null }), earlier);
    expect(made).toEqual({ transport: 'auto', url: 'https://h/other', headers: { 'x-team': 'red' } });
  });

  test('has the masked parts of the earlier URL', () => {
    expect(withValues(target('https://h/mcp?api_key=•••'), earlier).url).toBe('https://h/mcp?api_key=k1');
    expect(withValues(target('https://h/mcp2?api_key=•••'), earlier).url).toBe('https://h/mcp2?api_key=•••');
  });

  test('has no earlier values for another origin', () => {
    for (const url of ['https://h:8443/mcp', 'http://h/mcp?api_key=•••', 'nonsense']) {
      expect(withValues(target(url), earlier)).toEqual({ transport: 'auto', url, headers: {} });
    }
  });

  test('has only its own values if there is no earlier one', () => {
    expect(withValues(target('https://h/', { A: '1', B: null }), undefined).headers).toEqual({ A: '1' });
  });
});

describe('opening a file', () => {
  const file = new File(['x'], 'a.har');
  const refOf = (worker: TestWorker) => {
    const last = worker.received.findLast(({ type }) => type === 'open');
    return last?.type === 'open' ? last.ref : '';
  };

  test('reports how far it is', async () => {
    const { client, worker } = setUp();
    const told: unknown[] = [];
    const opened = client.openRecording(file, { onOpening: (progress) => told.push(progress) });
    const progress = { done: 1, of: 2 };
    worker.onmessage?.({ data: { type: 'opening', ref: refOf(worker), progress } });
    worker.tell({ type: 'done', ref: refOf(worker), connection: 'd1' });
    expect(await opened).toBe('d1');
    expect(told).toEqual([progress]);
  });

  test('can be cancelled, even if it was open already', async () => {
    const { client, worker } = setUp();
    const [first, second] = [new AbortController(), new AbortController()];
    const stopped = client.openRecording(file, { signal: first.signal });
    first.abort();
    // The worker may be too busy to answer.
    await expect(stopped).rejects.toMatchObject({ code: 'cancelled' });
    expect(worker.received.at(-1)).toEqual({ type: 'cancel-open', ref: refOf(worker) });
    worker.tell({ type: 'error', ref: refOf(worker), code: 'cancelled', message: 'm', advice: 'a' });

    const late = client.openRecording(file, { signal: second.signal });
    second.abort();
    await expect(late).rejects.toMatchObject({ code: 'cancelled' });
    worker.tell({ type: 'done', ref: refOf(worker), connection: 'd7' });
    await expect.poll(() => worker.command).toMatchObject({ type: 'forget', connection: 'd7' });
  });
});
