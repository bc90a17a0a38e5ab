import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { LIMITS } from '@/lib/wire/limits';
import type { ReadingProgress } from '@/lib/wire/recording-facts';
import { remoteFailure } from './remote-failures';
import { type FetchedFile, openRemoteFile } from './remote-file';

const WHOLE = LIMITS.wholeRecordingBytes;
const SECRET = 'X-Amz-Signature=5ecret';

interface Hosted {
  /** Bytes of the file, which repeat `text`. */
  size: number;
  text?: string;
  etag?: string;
  /** Called first. Returns true if it answered. */
  answer?: (request: IncomingMessage, response: ServerResponse) => boolean;
}

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = undefined;
});

/** A host with ranges. Returns what it was asked for. */
async function host(file: Hosted): Promise<{ url: string; asked: (string | undefined)[] }> {
  const asked: (string | undefined)[] = [];
  server = createServer((request, response) => {
    asked.push(request.headers.range);
    if (file.answer?.(request, response)) return;
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    const start = Number(from ?? 0);
    const end = Math.min(file.size, Number(to ?? file.size) + 1);
    response.setHeader('etag', file.etag ?? '"1"');
    response.setHeader('content-length', end - start);
    if (from !== undefined) response.setHeader('content-range', `bytes ${start}-${end - 1}/${file.size}`);
    response.writeHead(from === undefined ? 200 : 206);
    response.end(Buffer.alloc(end - start, file.text ?? 'x', 'latin1'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/a/run.mcpr.jsonl?${SECRET}`, asked };
}

const progress: ReadingProgress[] = [];

function open(url: string, signal = new AbortController().signal): Promise<FetchedFile> {
  progress.length = 0;
  const origin = 'https://page.example';
  return openRemoteFile(url, { fetch, origin, signal, onProgress: (one) => progress.push(one) });
}

/** Returns the code of the failure, whose words never have the query. */
async function codeOf(opening: Promise<unknown>): Promise<string> {
  const error = await opening.then(
    () => ({ code: 'opened' }),
    (failure) => failure,
  );
  expect(JSON.stringify([error, error.message, error.advice])).not.toContain('5ecret');
  return error.code;
}

describe('a small file', () => {
  test('is fetched whole, in two parts, with progress', async () => {
    const { url, asked } = await host({ size: 5_000_000 });
    const file = await open(url);
    expect(file).toMatchObject({ name: 'run.mcpr.jsonl', host: new URL(url).host });
    expect('whole' in file && file.whole.size).toBe(5_000_000);
    expect(asked).toEqual(['bytes=0-131071', 'bytes=131072-4999999']);
    expect(progress.at(-1)!.of).toBe(5_000_000);
  });

  test('has time to come over a slow line', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout');
    const size = 60 * 1024 * 1024;
    const { url } = await host({ size });
    await open(url);
    const [ms] = timeout.mock.calls.at(-1)!;
    timeout.mockRestore();
    // 1 Mbit/s.
    expect(ms).toBeGreaterThan(size / 125);
  });

  test('is fetched from a host without ranges', async () => {
    const { url } = await host({
      size: 0,
      answer: (_, response) => Boolean(response.end('a short file')),
    });
    const file = await open(url);
    expect('whole' in file && (await file.whole.text())).toBe('a short file');
  });

  test('is fetched if the browser withholds the response to Range', async () => {
    const { url } = await host({ size: 1000 });
    const strict: typeof fetch = (to, init) =>
      new Headers(init?.headers).has('range') ? Promise.reject(new TypeError('Failed to fetch')) : fetch(to, init);
    const { signal } = new AbortController();
    const file = await openRemoteFile(url, { fetch: strict as never, origin: '', signal, onProgress: () => {} });
    expect('whole' in file && file.whole.size).toBe(1000);
  });

  test('is fetched if the size of its parts is hidden', async () => {
    const { url } = await host({ size: 1000, answer: hidden(1000) });
    const file = await open(url);
    expect('whole' in file && file.whole.size).toBe(1000);
  });
});

/** Answers like a host that does not expose Content-Range. */
function hidden(size: number): NonNullable<Hosted['answer']> {
  return ({ headers }, response) => {
    response.setHeader('content-length', headers.range ? 10 : size);
    response.writeHead(headers.range ? 206 : 200).write('0123456789');
    if (headers.range) response.end();
    else response.end(Buffer.alloc(Math.max(0, size - 10)));
    return true;
  };
}

describe('a large file', () => {
  test('is read in parts, each once', async () => {
    const { url, asked } = await host({ size: 3 * WHOLE });
    const file = await open(url);
    if (!('parts' in file)) throw new Error('not in parts');
    expect(file.parts.size).toBe(3 * WHOLE);
    expect((await file.parts.read(WHOLE, WHOLE + 10)).length).toBe(10);
    expect((await file.parts.read(WHOLE + 20, WHOLE + 30)).length).toBe(10);
    expect(asked).toHaveLength(2);
    await file.parts.close();
    expect(await codeOf(file.parts.read(0, 10))).toBe('remote-broken');
  });

  test('attack: that changes between two reads is noticed', async () => {
    const hosted: Hosted = { size: 2 * WHOLE };
    const { url } = await host(hosted);
    const file = await open(url);
    if (!('parts' in file)) throw new Error('not in parts');
    hosted.etag = '"2"';
    expect(await codeOf(file.parts.read(WHOLE, WHOLE + 10))).toBe('remote-changed');
    hosted.etag = '"1"';
    hosted.size += 1;
    expect(await codeOf(file.parts.read(WHOLE, WHOLE + 10))).toBe('remote-changed');
    hosted.size -= 1;
    expect((await file.parts.read(WHOLE, WHOLE + 10)).length).toBe(10);
    hosted.answer = (_, response) => Boolean(response.writeHead(403).end());
    expect(await codeOf(file.parts.read(2 * WHOLE - 10, 2 * WHOLE))).toBe('remote-refused');
  });
});

const status =
  (code: number, headers: Record<string, string> = {}): NonNullable<Hosted['answer']> =>
  (_, response) =>
    Boolean(response.writeHead(code, headers).end('<Error>'));

describe('what can’t be opened has a reason', () => {
  test.each<[string, string, Hosted]>([
    ['403', 'remote-refused', { size: 0, answer: status(403) }],
    ['401', 'remote-refused', { size: 0, answer: status(401) }],
    ['404', 'remote-gone', { size: 0, answer: status(404) }],
    ['503', 'remote-status', { size: 0, answer: status(503) }],
    ['an empty file', 'remote-empty', { size: 0, answer: status(416) }],
    ['a redirect', 'remote-redirect', { size: 0, answer: status(302, { location: 'http://169.254.169.254/' }) }],
    ['gzip that is too large to fetch whole', 'remote-compressed', { size: 2 * WHOLE, text: '\u001f\u008b' }],
    ['a file of 10 GB', 'remote-too-large', { size: 10 * 1024 ** 3, answer: ten }],
    ['a large file whose parts have no size', 'remote-no-size', { size: 0, answer: hidden(WHOLE + 1) }],
    ['a large file on a host without ranges', 'remote-no-ranges', { size: 0, answer: withoutRanges }],
  ])('%s: %s', async (_, code, file) => {
    const { url } = await host(file);
    expect(await codeOf(open(url))).toBe(code);
  });

  test.each([
    ['gone', 'files.example has no such file (404).'],
    ['too-large', 'The file on files.example is larger than 2.1 GB.'],
    ['unreadable', 'files.example does not answer, or does not let pages of page.example read its files (CORS).'],
  ] as const)('in words: %s', (reason, message) => {
    expect(remoteFailure(reason, { host: 'files.example', origin: 'page.example', status: 404 })).toMatchObject({
      message,
    });
  });

  test('a host that does not answer', async () => {
    const { url } = await host({ size: 1 });
    server!.close();
    expect(await codeOf(open(url.replace(/:\d+/, ':1')))).toBe('remote-unreadable');
  });

  test('cancelled while it is fetched', async () => {
    const stop = new AbortController();
    const { url } = await host({
      size: 0,
      answer: (_, response) => {
        response.writeHead(200).write('begins');
        setImmediate(() => stop.abort());
        return true;
      },
    });
    expect(await codeOf(open(url, stop.signal))).toBe('remote-broken');
  });
});

function ten({ headers }: IncomingMessage, response: ServerResponse): boolean {
  const size = 10 * 1024 ** 3;
  if (headers.range) response.setHeader('content-range', `bytes 0-131071/${size}`);
  response.writeHead(206).write('x');
  return true;
}

function withoutRanges(_: IncomingMessage, response: ServerResponse): boolean {
  response.writeHead(200, { 'content-length': String(WHOLE + 1) }).write('x');
  return true;
}

describe('attack: bodies without end', () => {
  test('a file of unknown length is cut at what is fetched whole', async () => {
    let sent = 0;
    const { url } = await host({
      size: 0,
      answer: (_, response) => {
        response.writeHead(200);
        const more = (): void => {
          while (response.write(Buffer.alloc(1024 * 1024)) && sent < 4 * WHOLE) sent += 1024 * 1024;
          sent += 1024 * 1024;
        };
        response.on('drain', more);
        more();
        return true;
      },
    });
    expect(await codeOf(open(url))).toBe('remote-no-ranges');
    expect(sent).toBeLessThan(2 * WHOLE);
  });

  test('a part that is longer than asked for', async () => {
    const { url } = await host({
      size: 0,
      answer: (_, response) => {
        response.writeHead(206, { 'content-range': 'bytes 0-9/10' });
        return Boolean(response.end(Buffer.alloc(11)));
      },
    });
    expect(await codeOf(open(url))).toBe('remote-changed');
  });
});
