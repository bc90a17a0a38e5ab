import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { FakeClock } from '@/lib/wire/test-clock';
import { closedAfterEach } from '@/lib/wire/test-closing';
import {
  type Answer,
  event,
  handshake,
  initialized,
  json,
  openStreamable,
  sseTo,
  startHttp,
  stream,
} from './fixtures/http-fixture';

const WITHIN_MS = 700;

const open = closedAfterEach();

/** A server that delays its responses to `notifications/initialized` and GET until the test sends them. */
function holding() {
  const held: { initialized?: ServerResponse; GET?: ServerResponse } = {};
  const answer: Answer = ({ method, message }, response) => {
    if (message?.method === 'initialize') json(response, initialized(message.id), 200, { 'Mcp-Session-Id': 's-1' });
    else if (message?.method === 'notifications/initialized') held.initialized = response;
    else if (method === 'GET') held.GET = response;
    else response.writeHead(405).end();
  };
  return { held, answer };
}

/** Runs a legacy handshake up to its last message. `done` becomes true once the server has accepted it. */
async function introduce(answer: Answer) {
  const clock = new FakeClock();
  const fixture = await startHttp(answer);
  const { transport, sink } = await openStreamable(`${fixture.origin}/mcp`, { clock });
  open.push(fixture, transport);
  await handshake(transport, sink);
  let done = false;
  const introduced = transport.whenInitialized(WITHIN_MS).then(() => {
    done = true;
  });
  await fixture.until(() => fixture.of('notifications/initialized').length === 1);
  return { clock, fixture, transport, sink, introduced, done: () => done };
}

test('waits until the server has accepted it and its own stream is open', async () => {
  const { held, answer } = holding();
  const { fixture, sink, introduced, done } = await introduce(answer);
  expect(fixture.of('GET')).toEqual([]);
  held.initialized!.writeHead(202).end();
  await fixture.until(() => held.GET !== undefined);
  expect(done()).toBe(false);
  stream(held.GET!, ': here\n\n');
  await introduced;
  await sink.until((seen) => seen.http.some((frame) => 'comment' in frame));
});

test('does not wait for a stream that the server does not offer', async () => {
  const { held, answer } = holding();
  const { fixture, introduced } = await introduce(answer);
  held.initialized!.writeHead(202).end();
  await fixture.until(() => held.GET !== undefined);
  held.GET!.writeHead(405).end();
  await introduced;
});

test.each<[string, (response: ServerResponse) => void]>([
  ['refuses it', (response) => void response.writeHead(500).end()],
  ['hangs up', (response) => void response.destroy()],
])('does not wait for a server that %s', async (_what, end) => {
  const { held, answer } = holding();
  const { introduced } = await introduce(answer);
  end(held.initialized!);
  await introduced;
});

test('does not wait long for a silent server', async () => {
  const { answer } = holding();
  const { clock, introduced, done } = await introduce(answer);
  clock.advance(WITHIN_MS - 1);
  expect(done()).toBe(false);
  clock.advance(1);
  await introduced;
});

test('does not wait once the connection is closed', async () => {
  const { answer } = holding();
  const { transport, introduced } = await introduce(answer);
  void transport.close();
  await introduced;
});

test('waits over HTTP+SSE, whose stream is open already, until the server has accepted it', async () => {
  const { held, answer } = holding();
  let answers: ServerResponse;
  const fixture = await startHttp((seen, response) => {
    if (seen.method === 'GET') answers = stream(response, 'event: endpoint\ndata: /messages\n\n');
    else if (seen.message?.method !== 'initialize') answer(seen, response);
    else {
      response.writeHead(202).end();
      answers.write(event(initialized(seen.message.id)));
    }
  });
  const { transport, sink } = sseTo(`${fixture.origin}/sse`, { clock: new FakeClock() });
  open.push(fixture, transport);
  await transport.open();
  await handshake(transport, sink);
  await fixture.until(() => held.initialized !== undefined);
  const introduced = transport.whenInitialized(WITHIN_MS);
  held.initialized!.writeHead(202).end();
  await introduced;
});
