import { expect, test, vi } from 'vitest';
import { ConnectionError } from '@/lib/transports/transport';
import { logRoute } from './log-route';

const ask = (body: string, read: Parameters<typeof logRoute>[0] = vi.fn()) =>
  logRoute(read).handle({ path: '', base: '', query: '', body });

test('the first frames of a connection are a stream', async () => {
  const bytes = new ReadableStream<Uint8Array>();
  const read = vi.fn(() => bytes);
  expect(await ask('{"id":"c1","frames":9}', read)).toMatchObject({ status: 200, stream: { bytes } });
  expect(read).toHaveBeenCalledWith('c1', 9);
});

test.each(['', '7', '{}', '{"id":1,"frames":1}', '{"id":"c1","frames":-1}', '{"id":"c1","frames":"1"}'])(
  '%s is no request',
  async (body) => {
    expect(await ask(body)).toMatchObject({ status: 400 });
  },
);

test('what can be told to people is', async () => {
  const refused = await ask('{"id":"c1","frames":9}', () => {
    throw new ConnectionError({ code: 'no-connection', message: 'm', advice: 'a' });
  });
  expect(refused).toMatchObject({ status: 409, body: '{"code":"no-connection","message":"m","advice":"a"}' });
});
