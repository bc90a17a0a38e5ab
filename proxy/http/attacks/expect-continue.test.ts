import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Fixture, startFixture } from './fixture';
import { open, requestText } from './raw-client';

let fixture: Fixture;
beforeEach(async () => {
  fixture = await startFixture();
});
afterEach(() => fixture.end());

/** Sends the head of a POST that waits for a 100, and its body once that has come. Returns all that was received. */
async function postAwaiting(headers: Readonly<Record<string, string>>): Promise<string> {
  const socket = await open(fixture.port);
  const all = {
    host: `127.0.0.1:${fixture.port}`,
    'content-type': 'application/json',
    'content-length': '2',
    expect: '100-continue',
    connection: 'close',
    ...headers,
  };
  let received = '';
  let isOver = false;
  let isSent = false;
  socket.on('close', () => {
    isOver = true;
  });
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
    if (!isSent && received.startsWith('HTTP/1.1 100')) {
      isSent = true;
      socket.write('{}');
    }
  });
  socket.write(requestText('POST', '/launch', Object.entries(all)));
  await vi.waitUntil(() => isOver);
  return received;
}

describe('a request with `Expect: 100-continue`', () => {
  test('gets a 100, then its answer', async () => {
    expect(await postAwaiting({})).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 202 /);
    expect(fixture.notes.filter((note) => note.includes('new link'))).toHaveLength(1);
  });

  test.each([
    ['another host', { host: 'evil.example' }],
    ['another origin', { origin: 'http://evil.example' }],
    ['another type', { 'content-type': 'text/plain' }],
  ])('attack: from %s, is refused by the guard before it gets a 100', async (_name, headers) => {
    const answer = await postAwaiting(headers);
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(answer).not.toContain('100 Continue');
    expect(fixture.notes.some((note) => note.includes('new link'))).toBe(false);
  });
});
