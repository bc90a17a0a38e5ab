import { describe, expect, test } from 'vitest';
import { SERVER_RETRY_FIRST_MS } from '@/lib/mcp/reachability';
import { Log } from '@/lib/store/log';
import { type Clock, systemClock } from '@/lib/wire/clock';
import { closedAfterEach } from '@/lib/wire/test-closing';
import { fastClock } from './fixtures/hostile';
import {
  type Answer,
  type HttpFixture,
  initialized,
  json,
  result,
  startHttp,
  stream,
  text,
} from './fixtures/http-fixture';
import { openHub, type TestTab } from './test-hub';

const open = closedAfterEach();

function logOf(tab: TestTab): Log {
  const log = new Log('c');
  log.append(tab.frames);
  return log;
}

/** Returns the parsed lifecycle frames, oldest first. */
function eventsOf(tab: TestTab): { event: string; reason?: string; attempts?: number; code?: string }[] {
  return tab.texts('lifecycle').map((line) => JSON.parse(line));
}

const names = (tab: TestTab) => eventsOf(tab).map(({ event }) => event);

/** The answers of every fixture to a client it knows: a list with the tool `tool`, and any call. */
function answerAs(tool: string): Answer {
  return ({ message }, response) => {
    if (message?.id === undefined) response.writeHead(202).end();
    else if (message.method === 'tools/list') {
      json(response, result(message.id, { tools: [{ name: tool, inputSchema: { type: 'object' } }] }));
    } else json(response, result(message.id, { content: [] }));
  };
}

interface Legacy {
  readonly session?: string;
  /** HTTP status of the response to an unknown session. */
  readonly unknown?: number;
  /** Offers a stream, or answers GET with this HTTP status. */
  readonly get?: 'stream' | number;
  readonly tool?: string;
}

/** One run of a legacy server. It refuses other messages before `initialize`. */
function legacyServer({ session, unknown = 400, get = 405, tool = 'echo' }: Legacy): Answer {
  const known = answerAs(tool);
  let opened = false;
  return (seen, response) => {
    const { method, message, headers } = seen;
    const stranger = session === undefined ? !opened : headers['mcp-session-id'] !== session;
    if (message?.method === 'initialize') {
      opened = true;
      const given: Record<string, string> = session === undefined ? {} : { 'mcp-session-id': session };
      json(response, initialized(message.id, { tools: {} }), 200, given);
    } else if (method === 'GET' && get !== 'stream') json(response, { detail: 'Not Found' }, get);
    else if (stranger) {
      const error = { code: -32000, message: 'Bad Request: No valid session ID provided' };
      json(response, { jsonrpc: '2.0', error, id: null }, unknown);
    } else if (method === 'GET') stream(response, 'retry: 20\n\n', ': open\n\n');
    else if (method === 'DELETE') response.writeHead(200).end();
    else known(seen, response);
  };
}

const statelessServer = (tool: string): Answer => {
  const known = answerAs(tool);
  return (seen, response) => {
    const { method, message } = seen;
    if (method !== 'POST') response.writeHead(405).end();
    else if (message?.method === 'initialize') json(response, initialized(message.id, { tools: {} }));
    else known(seen, response);
  };
};

const modernServer = (tool: string): Answer => {
  const known = answerAs(tool);
  return (seen, response) => {
    const { method, message } = seen;
    const capabilities = { tools: { listChanged: true } };
    if (method !== 'POST') response.writeHead(405).end();
    else if (message?.method === 'server/discover') {
      json(response, result(message.id, { supportedVersions: ['2026-07-28'], capabilities }));
    } else if (message?.method === 'subscriptions/listen') stream(response, ': open\n\n');
    else known(seen, response);
  };
};

/** Connects a tab to a server that can be closed and started again on the same port. */
async function connected(answer: Answer, protocol = '2025-11-25', clock = fastClock) {
  let fixture = await startHttp(answer);
  const hub = await openHub(clock);
  open.push({ close: () => fixture.close() }, hub);
  const tab = await hub.tab();
  const { port } = fixture;
  const connection = await tab.connect({ transport: 'http', url: `${fixture.origin}/mcp` }, 'open', protocol);
  await tab.until(() => logOf(tab).state.tools.status === 'listed');
  const call = async () => {
    const done = await tab.ask({ type: 'request', connection, method: 'tools/call', params: '{"name":"echo"}' });
    return (done as { seq: number }).seq;
  };
  return {
    tab,
    connection,
    call,
    summary: () => hub.hub.connections()[0]!,
    fixture: () => fixture,
    stop: () => fixture.close(),
    start: async (again: Answer): Promise<HttpFixture> => {
      fixture = await startHttp(again, port);
      return fixture;
    },
    tools: () => logOf(tab).state.tools.items.map(({ name }) => name),
  };
}

describe('a server that restarts is found again without a click', () => {
  test.each<[string, Answer, Answer, string, boolean]>([
    [
      'a session, a stream, and 400 for unknown sessions',
      legacyServer({ session: 'a', get: 'stream' }),
      legacyServer({ session: 'b', get: 'stream', tool: 'new' }),
      '2025-11-25',
      true,
    ],
    [
      'a session, a stream, and 404 for unknown sessions',
      legacyServer({ session: 'a', get: 'stream', unknown: 404 }),
      legacyServer({ session: 'b', get: 'stream', unknown: 404, tool: 'new' }),
      '2025-11-25',
      true,
    ],
    ['no session', statelessServer('echo'), statelessServer('new'), '2025-11-25', false],
    ['no session id, but initialize is required', legacyServer({}), legacyServer({ tool: 'new' }), '2025-11-25', true],
    ['the modern era', modernServer('echo'), modernServer('new'), '2026-07-28', false],
  ])('%s', async (_what, before, after, protocol, losesSession) => {
    const { tab, call, summary, stop, start, tools } = await connected(before, protocol);
    await stop();
    await call();
    await tab.lifecycle('unreachable');
    expect(logOf(tab).state.connection).toMatchObject({
      state: 'open',
      // Breaks kept sockets and refuses new ones.
      unreachable: { code: expect.stringMatching(/^connection-(reset|refused)$/) },
    });
    await tab.until(() => summary().unreachable !== undefined);
    expect(summary().unreachable).toMatchObject({ since: expect.stringMatching(/^\d{4}-.*Z$/) });
    await tab.until(() => logOf(tab).state.http.attempt !== undefined);
    await start(after);
    await tab.lifecycle('reachable');
    await tab.until(() => tools()[0] === 'new');
    expect(summary().unreachable).toBeUndefined();
    expect(logOf(tab).state.connection).toMatchObject({ state: 'open' });
    expect(logOf(tab).state.connection.unreachable).toBeUndefined();
    expect(names(tab).filter((event) => event === 'unreachable')).toHaveLength(1);
    expect(names(tab).includes('session-lost')).toBe(losesSession);
    const seq = await call();
    await tab.until(() => logOf(tab).exchange(seq)?.status === 'ok');
  });

  test('without a call, when the stream breaks', async () => {
    const { tab, stop, start, tools } = await connected(legacyServer({ session: 'a', get: 'stream' }));
    await tab.until(() => tab.texts('http').some((frame) => frame.includes('open')));
    await stop();
    await tab.lifecycle('unreachable');
    await start(legacyServer({ session: 'b', get: 'stream', tool: 'new' }));
    await tab.until(() => tools()[0] === 'new');
    expect(names(tab)).toEqual(['start', 'open', 'unreachable', 'reachable', 'session-lost', 'open']);
  });

  test('and the attempts are logged as HTTP, without messages or errors', async () => {
    const { tab, stop } = await connected(legacyServer({ session: 'a', get: 'stream' }));
    await tab.until(() => tab.texts('http').some((frame) => frame.includes('open')));
    await stop();
    await tab.lifecycle('unreachable');
    const sent = tab.texts('protocol').length;
    const attempts = () => tab.texts('http').filter((frame) => frame.includes('"about":"reconnect"')).length;
    await tab.until(() => attempts() >= 5);
    expect(tab.texts('protocol')).toHaveLength(sent);
    const log = logOf(tab);
    const numbers = new Set(
      tab
        .texts('http')
        .filter((frame) => frame.includes('"about":"reconnect"'))
        .map((frame) => (JSON.parse(frame) as { exchange: number }).exchange),
    );
    for (let index = 0; index < log.size; index++) {
      const row = log.row(index);
      if (numbers.has(row.exchange ?? 0)) expect(row.severity).toBeUndefined();
    }
    expect(names(tab).filter((event) => event === 'unreachable')).toHaveLength(1);
  });
});

/** A clock whose wait before the first retry never ends, while shorter waits do. */
const withoutRetries: Clock = {
  now: systemClock.now,
  after: (ms, run) => (ms < SERVER_RETRY_FIRST_MS ? systemClock.after(ms, run) : () => {}),
};

describe('while the server is away', () => {
  test('"Retry now" tries at once; it is an error while the server can be reached', async () => {
    const { tab, connection, call, stop, start, tools } = await connected(
      statelessServer('echo'),
      '2025-11-25',
      withoutRetries,
    );
    expect(await tab.ask({ type: 'retry', connection })).toMatchObject({ type: 'error', code: 'reachable' });
    await stop();
    await call();
    await tab.lifecycle('unreachable');
    await start(statelessServer('new'));
    expect(await tab.ask({ type: 'retry', connection })).toMatchObject({ type: 'done' });
    await tab.until(() => tools()[0] === 'new');
    expect(eventsOf(tab).find(({ event }) => event === 'reachable')).toMatchObject({ attempts: 1 });
  });

  test('a request counts as an attempt to reconnect', async () => {
    const { tab, call, stop, start, tools } = await connected(
      legacyServer({ session: 'a' }),
      '2025-11-25',
      withoutRetries,
    );
    await stop();
    await call();
    await tab.lifecycle('unreachable');
    await start(legacyServer({ session: 'b', tool: 'new' }));
    const seq = await call();
    await tab.until(() => tools()[0] === 'new');
    expect(eventsOf(tab).find(({ event }) => event === 'reachable')).toMatchObject({ attempts: 0 });
    // The server refused it unread, so it is sent again once, as a new frame.
    await tab.lifecycle('retry');
    await tab.until(() => tab.texts('protocol').some((line) => line.includes('"content":[]')));
    expect(logOf(tab).exchange(seq)?.status).toBe('refused');
  });
});

describe('only the response to a POST means that a session is gone', () => {
  test.each([404, 405, 406, 501])('GET %i means that there is no stream', async (get) => {
    const { tab, call, fixture } = await connected(legacyServer({ session: 'a', get }));
    const seq = await call();
    await tab.until(() => logOf(tab).exchange(seq)?.status === 'ok');
    expect(names(tab)).toEqual(['start', 'open']);
    expect(fixture().of('initialize')).toHaveLength(1);
    expect(fixture().of('GET')).toHaveLength(1);
    const log = logOf(tab);
    for (let index = 0; index < log.size; index++) {
      expect(log.row(index).severity).toBeUndefined();
      expect(log.row(index).kind).not.toBe('junk');
    }
    expect(tab.texts('http').some((frame) => frame.includes('The server offers no stream'))).toBe(true);
  });

  test('a ping checks a stream that cannot be opened again', async () => {
    let streams = 0;
    const known = legacyServer({ session: 'a', get: 'stream' });
    const { tab, fixture } = await connected((seen, response) => {
      if (seen.method === 'GET' && ++streams > 1) text(response, 'Cannot GET /mcp', 404);
      else if (seen.method === 'GET') stream(response, 'retry: 20\n\n').end();
      else known(seen, response);
    });
    await fixture().until(() => fixture().of('tools/list').length === 2);
    expect(fixture().of('ping')).toHaveLength(1);
    expect(fixture().of('initialize')).toHaveLength(1);
    expect(names(tab)).toEqual(['start', 'open']);
  });

  test('400 is an ordinary error if the connection was not lost', async () => {
    const known = legacyServer({ session: 'a' });
    const { tab, call, fixture } = await connected((seen, response) => {
      if (seen.message?.method === 'tools/call') text(response, 'Bad arguments', 400);
      else known(seen, response);
    });
    const seq = await call();
    await tab.until(() => logOf(tab).exchange(seq)?.status === 'lost');
    expect(fixture().of('initialize')).toHaveLength(1);
    expect(names(tab)).toEqual(['start', 'open']);
  });

  test('400 with the id of a call is not a lost session, and the call does not run twice', async () => {
    let ran = 0;
    const known = legacyServer({ session: 'a' });
    let cut = true;
    const { tab, call, fixture } = await connected(
      (seen, response) => {
        if (seen.message?.method !== 'tools/call') return known(seen, response);
        if (cut) {
          // The response breaks off: the server may have restarted.
          cut = false;
          stream(response, ': open\n\n');
          setImmediate(() => response.destroy());
          return;
        }
        ran++;
        json(response, { jsonrpc: '2.0', id: seen.message.id, error: { code: -32602, message: 'Disk full' } }, 400);
      },
      '2025-11-25',
      withoutRetries,
    );
    const first = await call();
    await tab.until(() => logOf(tab).exchange(first)?.status === 'lost');
    const seq = await call();
    await tab.until(() => logOf(tab).exchange(seq)?.status === 'error');
    expect(ran).toBe(1);
    expect(fixture().of('initialize')).toHaveLength(1);
    expect(names(tab)).toEqual(['start', 'open']);
  });

  test('calls wait for one slow new handshake', async () => {
    const before = legacyServer({ session: 'a' });
    const { tab, call, fixture, stop, start, tools } = await connected(before, '2025-11-25', withoutRetries);
    await stop();
    await call();
    await tab.lifecycle('unreachable');
    const later = legacyServer({ session: 'b', tool: 'new' });
    let initialize = (): void => {};
    await start((seen, response) => {
      if (seen.message?.method === 'initialize') initialize = () => later(seen, response);
      else later(seen, response);
    });
    await call();
    await fixture().until(() => fixture().of('initialize').length === 1);
    await call();
    await fixture().until(() => fixture().of('tools/call').length === 2);
    await tab.until(() => tab.texts('http').filter((frame) => frame.includes('"code":"session-lost"')).length >= 2);
    initialize();
    await tab.until(() => tools()[0] === 'new');
    await fixture().until(() => fixture().of('tools/call').length === 4);
    expect(fixture().of('initialize')).toHaveLength(1);
    expect(names(tab).filter((event) => event === 'session-lost')).toHaveLength(1);
  });

  test('a 400 that mentions the session counts like a 404, and the call is repeated', async () => {
    let answer = legacyServer({ session: 'a' });
    const { tab, call, tools } = await connected((seen, response) => answer(seen, response));
    answer = legacyServer({ session: 'b', tool: 'new' });
    await call();
    await tab.until(() => tools()[0] === 'new' && names(tab).includes('retry'));
    expect(names(tab)).toEqual(['start', 'open', 'session-lost', 'open', 'retry']);
  });
});

describe('a connection', () => {
  test('stays connected to a server that restarts on each save', async () => {
    const { tab, call, stop, start } = await connected(legacyServer({ session: 's0', get: 404, unknown: 404 }));
    for (let save = 1; save <= 5; save++) {
      await stop();
      await start(legacyServer({ session: `s${save}`, get: 404, unknown: 404 }));
      await call();
      await tab.until(() => names(tab).filter((event) => event === 'open').length === save + 1);
    }
    expect(logOf(tab).state.connection.state).toBe('open');
  });

  test('retries initialize while a server is not ready', async () => {
    const { tab, call, stop, start, tools } = await connected(legacyServer({ session: 'a' }));
    await stop();
    await call();
    await tab.lifecycle('unreachable');
    let early = 2;
    const ready = legacyServer({ session: 'b', tool: 'new' });
    await start((seen, response) => {
      if (seen.message?.method === 'initialize' && early-- > 0) text(response, 'Starting', 404);
      else ready(seen, response);
    });
    await tab.until(() => tools()[0] === 'new');
    expect(logOf(tab).state.connection.state).toBe('open');
  });

  test.each([502, 503])('treats a gateway’s %i as a server that is away', async (status) => {
    let away = false;
    const server = legacyServer({ session: 'a' });
    const { tab, call } = await connected((seen, response) => {
      if (away) text(response, 'Bad Gateway', status);
      else server(seen, response);
    });
    away = true;
    await call();
    await tab.lifecycle('unreachable');
    expect(logOf(tab).state.connection.unreachable?.message).toContain(`HTTP ${status}`);
    away = false;
    await tab.lifecycle('reachable');
  });

  test('does not take a slow response for a server that is away', async () => {
    let answer = (): void => {};
    const server = legacyServer({ session: 'a' });
    const { tab, call, fixture } = await connected((seen, response) => {
      if (seen.message?.method !== 'tools/call') return server(seen, response);
      answer = () => json(response, result(seen.message?.id, {}), 504);
    });
    const seq = await call();
    await fixture().until(() => fixture().of('tools/call').length === 1);
    answer();
    await tab.until(() => logOf(tab).exchange(seq)?.status !== 'pending');
    expect(names(tab)).toEqual(['start', 'open']);
  });
});
