import { once } from 'node:events';
import { expect, test } from 'vitest';
import { TOKEN_HEADER } from '@/lib/wire/api';
import { startFixture } from './attacks/fixture';
import { open } from './attacks/raw-client';

/** Stops this process for so many ms, and with it the server. */
const stall = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

test('a request that was sent while the proxy stalled is answered, on a socket that was idle before', async () => {
  const limits = { headersMs: 2000, requestMs: 2000, idleMs: 300, checkMs: 10_000 };
  const fixture = await startFixture({ limits });
  try {
    const socket = await open(fixture.port);
    const head = `Host: 127.0.0.1:${fixture.port}\r\n${TOKEN_HEADER}: ${fixture.token}\r\n\r\n`;
    const ask = async (): Promise<string> => {
      socket.write(`GET /api/environment HTTP/1.1\r\n${head}`);
      return String((await Promise.race([once(socket, 'data'), once(socket, 'close')]))[0]);
    };
    expect(await ask()).toContain('HTTP/1.1 200');
    const again = ask();
    stall(2000);
    expect(await again).toContain('HTTP/1.1 200');
    await once(socket, 'close');
  } finally {
    await fixture.end();
  }
});
