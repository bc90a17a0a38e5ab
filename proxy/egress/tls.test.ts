import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { HttpRequest, SocketAttempt } from '@/lib/transports/http-link';
import { systemClock } from '@/lib/wire/clock';
import type { TlsOptions } from '@/lib/wire/connection-settings';
import { closedAfterEach } from '@/lib/wire/test-closing';
import { json, startHttp } from '@/proxy/connection/fixtures/http-fixture';
import {
  AUTHORITY,
  type Certificate,
  certificateFile,
  keyFile,
  LOCKED_KEY,
  PASSPHRASE,
  startTls,
} from '@/proxy/connection/fixtures/tls-fixture';
import { Egress, type EgressOptions } from './egress';
import { loadTls } from './tls-material';

const open = closedAfterEach();

function started<T extends { close(): unknown }>(one: T): T {
  open.push(one);
  return one;
}

/** Sends one request. Returns the socket attempts and the result or failure. */
async function ask(
  url: string,
  tls?: TlsOptions & { readonly env?: NodeJS.ProcessEnv; readonly home?: string },
  over: Partial<EgressOptions> = {},
) {
  const { env = process.env, home = url, ...options } = tls ?? {};
  const material = tls && { tls: await loadTls(home, options, env) };
  const link = started(new Egress({ clock: systemClock, version: 'test', allowLocal: false, ...material, ...over }));
  const attempts: SocketAttempt[] = [];
  const request: HttpRequest = {
    method: 'POST',
    url,
    headers: [],
    body: Buffer.from('{}'),
    signal: new AbortController().signal,
    onSocket: (attempt) => attempts.push(attempt),
    onRedirect: () => {},
  };
  const answered = link.send(request).then(
    ({ status }) => ({ status }),
    (error: { code: string }) => ({ code: error.code }),
  );
  return { ...(await answered), attempts, link, request };
}

const ok: Parameters<typeof startTls>[1] = (_, response) => json(response, { ok: true });

describe('a server’s certificate', () => {
  test.each<[Certificate, string, string]>([
    ['self-signed', 'tls-self-signed', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['server', 'tls-untrusted', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
  ])('%s: refused and logged, with nothing sent', async (certificate, code, failed) => {
    const server = started(await startTls(certificate, ok));
    const { attempts, ...rest } = await ask(server.origin);
    expect(rest).toMatchObject({ code });
    expect(attempts).toMatchObject([
      {
        host: '127.0.0.1',
        port: server.port,
        address: '127.0.0.1',
        tls: {
          verified: false,
          certificate: { subject: 'CN=localhost', names: expect.arrayContaining(['DNS:localhost']) },
        },
        failure: { step: 'tls', code: failed },
      },
    ]);
    expect(server.seen).toEqual([]);
  });

  test.each<[Certificate, string, string]>([
    ['expired', 'tls-expired', 'CERT_HAS_EXPIRED'],
    ['elsewhere', 'tls-wrong-name', 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ])('%s: refused although its authority is trusted', async (certificate, code, failed) => {
    const server = started(await startTls(certificate, ok));
    const { attempts, ...rest } = await ask(server.origin, { ca: [AUTHORITY] });
    expect(rest).toMatchObject({ code });
    expect(attempts).toMatchObject([{ failure: { step: 'tls', code: failed } }]);
    expect(server.seen).toEqual([]);
  });

  test('from a trusted authority is accepted, and the handshake is logged with its times', async () => {
    const server = started(await startTls('server', ok));
    const { attempts, ...rest } = await ask(server.origin, { ca: [AUTHORITY] });
    expect(rest).toMatchObject({ status: 200 });
    expect(attempts).toMatchObject([
      {
        dnsMs: expect.any(Number),
        tcpMs: expect.any(Number),
        tlsMs: expect.any(Number),
        tls: {
          protocol: 'TLSv1.3',
          cipher: expect.stringContaining('TLS_'),
          verified: true,
          certificate: {
            issuer: 'CN=mcp-inspect test authority',
            names: ['DNS:localhost', 'IP:127.0.0.1', 'IP:0:0:0:0:0:0:0:1'],
            validFrom: '2025-01-01T00:00:00.000Z',
            validTo: '2125-01-01T00:00:00.000Z',
            fingerprint: expect.stringMatching(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/),
          },
        },
      },
    ]);
    expect(attempts[0]).not.toHaveProperty('failure');
  });

  test('is accepted if it is self-signed and named by --tls ca', async () => {
    const server = started(await startTls('self-signed', ok));
    expect(await ask(server.origin, { ca: [certificateFile('self-signed')] })).toMatchObject({ status: 200 });
  });

  test('is checked against the URL’s host, not against the address', async () => {
    const server = started(await startTls('elsewhere', ok));
    const resolve = async () => ['127.0.0.1'];
    const named = (host: string) => ask(`https://${host}:${server.port}/`, { ca: [AUTHORITY] }, { resolve });
    expect(await named('a.elsewhere.example')).toMatchObject({ status: 200 });
    expect(await named('other.example')).toMatchObject({ code: 'tls-wrong-name' });
  });

  test('is not logged for a reused socket', async () => {
    const server = started(await startTls('server', ok));
    const { attempts, link, request } = await ask(server.origin, { ca: [AUTHORITY] });
    await expect
      .poll(async () => {
        const before = attempts.length;
        for await (const _ of (await link.send(request)).body);
        return attempts.length - before;
      })
      .toBe(0);
  });
});

describe('--tls insecure', () => {
  test.each<Certificate>(['self-signed', 'expired', 'elsewhere'])('accepts %s, and logs that', async (certificate) => {
    const server = started(await startTls(certificate, ok));
    const { attempts, ...rest } = await ask(server.origin, { insecure: true });
    expect(rest).toMatchObject({ status: 200 });
    expect(attempts).toMatchObject([{ tls: { verified: false } }]);
  });

  test('applies to one origin: a redirect elsewhere is verified', async () => {
    const other = started(await startTls('self-signed', ok));
    const server = started(
      await startTls('self-signed', (_, response) => response.writeHead(307, { location: other.origin }).end()),
    );
    expect(await ask(server.origin, { insecure: true })).toMatchObject({ code: 'tls-self-signed' });
    expect(other.seen).toEqual([]);
  });
});

describe('the client certificate', () => {
  const client = { ca: [AUTHORITY], cert: certificateFile('client'), key: keyFile('client') };
  const demanding = { requestCert: true, rejectUnauthorized: true };

  test.each<[string, TlsOptions & { env?: NodeJS.ProcessEnv }]>([
    ['with its key', client],
    [
      'with a key behind a passphrase',
      { ...client, key: LOCKED_KEY, passphraseEnv: 'PASS', env: { ...process.env, PASS: PASSPHRASE } },
    ],
  ])('%s is sent to a server that asks', async (_what, tls) => {
    const server = started(await startTls('server', ok, demanding));
    expect(await ask(server.origin, tls)).toMatchObject({ status: 200 });
  });

  test('is named in the failure if it is missing', async () => {
    const server = started(await startTls('server', ok, demanding));
    expect(await ask(server.origin, { ca: [AUTHORITY] })).toMatchObject({ code: 'tls-client-certificate' });
  });

  test('is sent only to the server’s own origin', async () => {
    const asked: boolean[] = [];
    const other = started(
      await startTls(
        'server',
        (_, response) => {
          asked.push(
            Object.keys((response.socket as never as { getPeerCertificate(): object }).getPeerCertificate()).length > 0,
          );
          json(response, {});
        },
        { requestCert: true, rejectUnauthorized: false },
      ),
    );
    expect(await ask(`${other.origin}/`, client)).toMatchObject({ status: 200 });
    expect(await ask(`${other.origin}/`, { ...client, home: 'https://127.0.0.1:1/' })).toMatchObject({ status: 200 });
    expect(asked).toEqual([true, false]);
  });
});

describe('failures before the certificate', () => {
  test('a server without TLS', async () => {
    const server = started(await startHttp((_, response) => json(response, {})));
    const { attempts, ...rest } = await ask(server.origin.replace('http:', 'https:'));
    expect(rest).toMatchObject({ code: 'tls-failed' });
    expect(attempts).toMatchObject([{ tcpMs: expect.any(Number), failure: { step: 'tls' } }]);
    expect(attempts[0]?.failure?.code).toMatch(/WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG/);
  });

  test('a silent server times out', async () => {
    let fire = (): void => {};
    const clock = {
      now: () => 0,
      after(ms: number, run: () => void) {
        if (ms === 10_000) fire = run;
        return () => {};
      },
    };
    // After the TLS hello, the newest timer is that of TLS.
    const silent = createServer((socket) => socket.on('error', () => {}).once('data', () => fire()));
    silent.listen(0, '127.0.0.1');
    started(silent);
    await new Promise((resolve) => silent.once('listening', resolve));
    const { port } = silent.address() as { port: number };
    const { attempts, ...rest } = await ask(`https://127.0.0.1:${port}/`, undefined, { clock });
    expect(rest).toMatchObject({ code: 'connection-timeout' });
    expect(attempts).toMatchObject([{ failure: { step: 'tls', code: 'ETIMEDOUT' } }]);
  });

  test('logs each address that was tried', async () => {
    const server = started(await startTls('server', ok));
    const resolve = async () => ['127.0.0.2', '127.0.0.1'];
    const { attempts, ...rest } = await ask(`https://localhost:${server.port}/`, { ca: [AUTHORITY] }, { resolve });
    expect(rest).toMatchObject({ status: 200 });
    expect(attempts).toMatchObject([
      { address: '127.0.0.2', failure: { step: 'tcp', code: 'ECONNREFUSED' } },
      { address: '127.0.0.1', tls: { verified: true } },
    ]);
  });

  test.each([
    ['an unknown name', 'http://nowhere.invalid/', 'dns-failed', 'ENOTFOUND'],
    ['a refused address', 'http://169.254.169.254/', 'address-refused', 'address-refused'],
  ])('%s', async (_what, url, code, told) => {
    const resolve = async () => {
      throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
    };
    const { attempts, ...rest } = await ask(url, undefined, { resolve });
    expect(rest).toMatchObject({ code });
    expect(attempts).toMatchObject([{ addresses: [], failure: { step: 'dns', code: told } }]);
  });
});
