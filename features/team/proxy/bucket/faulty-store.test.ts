import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Clock, systemClock } from '@/lib/wire/clock';
import { Egress } from '@/proxy/egress/egress';
import { bodyOf } from './object-store';
import { readS3Address } from './s3-address';
import { PART_BYTES, S3Store } from './s3-store';
import { StoreError } from './store-error';
import { type Fault, noStore, refuse, startTestBucket, TEST_KEYS, type TestBucket } from './test-bucket';

let bucket: TestBucket;
beforeAll(async () => {
  if (noStore === undefined) bucket = await startTestBucket();
});
afterAll(() => bucket?.close());
beforeEach(() => {
  if (bucket) bucket.seen.length = 0;
});

/** Waits a hundredth of the time between attempts. */
const quick: Clock = { now: systemClock.now, after: (ms, run) => systemClock.after(ms < 30_000 ? ms / 100 : ms, run) };
/** Also for an answer. */
const impatient: Clock = { now: systemClock.now, after: (ms, run) => systemClock.after(ms / 100, run) };

function storeAt(endpoint: string, more: Partial<ConstructorParameters<typeof S3Store>[0]> = {}): S3Store {
  return new S3Store({
    address: readS3Address('s3://team/p', { endpoint }, {}),
    credentials: async () => TEST_KEYS,
    sender: new Egress({ clock: systemClock, version: '0.0.0-test', allowLocal: false }),
    clock: quick,
    random: () => 1,
    ...more,
  });
}

/** Plays a fault, and resolves with what a person reads. */
async function failureOf(
  fault: Fault | undefined,
  run: (store: S3Store) => Promise<unknown>,
  clock = quick,
): Promise<StoreError> {
  bucket.fault = fault;
  const store = storeAt(bucket.endpoint, { clock });
  const failure = await run(store).then(
    () => undefined,
    (error: unknown) => error,
  );
  store.close();
  bucket.fault = undefined;
  expect(failure).toBeInstanceOf(StoreError);
  const { message, advice } = failure as StoreError;
  for (const planted of Object.values(TEST_KEYS)) expect(`${message}${advice}`).not.toContain(planted);
  return failure as StoreError;
}

const write = (store: S3Store): Promise<unknown> => store.write('k', bodyOf(Buffer.from('hello'), 'text/plain'));
const read = (store: S3Store): Promise<unknown> => store.read('k');
const say = (status: number, code: string, headers = {}): Fault => {
  return (_, response) => refuse(response, status, code, headers);
};

describe.skipIf(noStore !== undefined)('a faulty store', () => {
  test.each<[string, Fault, typeof write, RegExp, RegExp]>([
    ['403', say(403, 'AccessDenied'), write, /denied access to s3:\/\/team\/p\/k\./, /policy/],
    ['an unknown key', say(403, 'InvalidAccessKeyId'), write, /does not know the access key/, /Check the keys/],
    ['a wrong secret', say(403, 'SignatureDoesNotMatch'), write, /did not accept the signature/, /secret key/],
    ['an old token', say(400, 'ExpiredToken'), write, /session token .* has expired/, /new credentials/],
    ['no bucket', say(404, 'NoSuchBucket'), write, /bucket of s3:\/\/team\/p\/k does not exist/, /--s3 endpoint/],
    ['no object', say(404, 'NoSuchKey'), read, /s3:\/\/team\/p\/k does not exist/, /lifecycle/],
    [
      'another region',
      say(301, 'PermanentRedirect', { 'x-amz-bucket-region': 'eu-west-3' }),
      write,
      /is in the region eu-west-3, not in us-east-1/,
      /--s3 region=eu-west-3/,
    ],
    [
      'a redirect',
      say(307, 'TemporaryRedirect', { location: 'http://127.0.0.1:1/' }),
      write,
      /redirects requests .* not sent elsewhere/,
      /--s3 region and --s3 endpoint/,
    ],
    ['a full bucket', say(507, 'QuotaExceeded'), write, /is full/, /Make room/],
    ['something else', say(418, 'Teapot'), write, /HTTP 418 Teapot/, /S3-compatible/],
  ])('%s', async (_, fault, run, message, advice) => {
    const failure = await failureOf(fault, run);
    expect(failure.message).toMatch(message);
    expect(failure.advice).toMatch(advice);
    expect(failure.isPassing).toBe(false);
    expect(bucket.seen).toHaveLength(1);
  });

  test.each([
    [503, 'SlowDown'],
    [429, 'TooManyRequests'],
    [500, 'InternalError'],
    [400, 'RequestTimeout'],
  ])('repeats after %i %s, and says so in the end', async (status, code) => {
    const failure = await failureOf(say(status, code), write);
    expect(failure.message).toBe(
      `The store can’t take requests for s3://team/p/k at the moment (HTTP ${status} ${code}).`,
    );
    expect(failure.isPassing).toBe(true);
    expect(bucket.seen).toHaveLength(5);
  });

  test('writes once the store is back', async () => {
    let left = 3;
    bucket.fault = (_, response) => left-- > 0 && refuse(response, 503, 'SlowDown', { 'retry-after': '1' });
    const store = storeAt(bucket.endpoint);
    expect(await store.write('back', bodyOf(Buffer.from('hello'), 'text/plain'))).toBe('written');
    expect(bucket.seen).toHaveLength(4);
    store.close();
  });

  test('writes although another program writes the same object at that moment', async () => {
    const conflicts = { PUT: 1, POST: 1 };
    bucket.fault = ({ method, target }, response) => {
      const isLast = method === 'PUT' ? !target.includes('partNumber') : target.includes('uploadId');
      if ((method !== 'PUT' && method !== 'POST') || !isLast || conflicts[method]-- <= 0) return false;
      return refuse(response, 409, 'ConditionalRequestConflict');
    };
    const store = storeAt(bucket.endpoint);
    const options = { ifNoneMatch: '*' } as const;
    expect(await store.write('conflict', bodyOf(Buffer.from('hello'), 'text/plain'), options)).toBe('written');
    const large = bodyOf(Buffer.alloc(PART_BYTES + 1), 'text/plain');
    expect(await store.write('large', large, options)).toBe('written');

    // The store may forget the parts of the one that lost, and a policy may not allow to ask for the object.
    let lost = 0;
    bucket.fault = ({ method, target }, response) => {
      if (method === 'HEAD') return refuse(response, 403, 'AccessDenied');
      if (method !== 'POST' || !target.includes('uploadId')) return false;
      if (lost++ === 0) return refuse(response, 409, 'ConditionalRequestConflict');
      return lost === 2 ? refuse(response, 404, 'NoSuchUpload') : refuse(response, 412, 'PreconditionFailed');
    };
    expect(await store.write('lost', large, options)).toBe('existed');
    store.close();
    bucket.fault = undefined;
  });

  test('finds a truncated answer', async () => {
    const failure = await failureOf((_, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half', () => response.destroy());
      return true;
    }, read);
    expect(failure.message).toBe('The answer of the store ended too early.');
    expect(bucket.seen).toHaveLength(5);
  });

  test.each<[string, Record<string, string>, number]>([
    ['a shorter range', { 'content-range': 'bytes 0-3/100' }, 206],
    ['another range', { 'content-range': 'bytes 10-19/100' }, 206],
    ['the whole object', {}, 200],
  ])('finds that it got %s', async (_, headers, status) => {
    const body = status === 200 || headers['content-range']?.includes('19') ? '0123456789' : '0123';
    const failure = await failureOf(
      (__, response) => {
        response.writeHead(status, headers).end(body);
        return true;
      },
      (store) => store.read('k', { range: [0, 10] }),
    );
    expect(failure.message).toMatch(/answered \d+ bytes of s3:\/\/team\/p\/k in place of 10/);
  });

  test('finds that the store kept other bytes', async () => {
    const failure = await failureOf(({ method }, response) => {
      response.writeHead(200, method === 'PUT' ? { etag: '"0"' } : { 'content-length': '3' }).end();
      return true;
    }, write);
    expect(failure.message).toBe('The store has 3 of the 5 bytes of s3://team/p/k.');
  });

  test('gives up on a silent store', async () => {
    const failure = await failureOf(() => true, write, impatient);
    expect(failure.message).toMatch(/did not answer within 30 s/);
    expect(failure.isPassing).toBe(true);
  });

  test('corrects a wrong clock once, and says so if that does not help', async () => {
    const hour = 3_600_000;
    const store = storeAt(bucket.endpoint, { wallClock: () => Date.now() - hour });
    const skewed = ({ headers }: { headers: NodeJS.Dict<string | string[]> }): boolean => {
      const [, y, m, d, h, min] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)/.exec(String(headers['x-amz-date']))!;
      return Math.abs(Date.parse(`${y}-${m}-${d}T${h}:${min}:00Z`) - Date.now()) > 15 * 60_000;
    };
    bucket.fault = (request, response) => skewed(request) && refuse(response, 403, 'RequestTimeTooSkewed');
    expect(await store.write('k', bodyOf(Buffer.from('x'), 'text/plain'))).toBe('written');
    expect(bucket.seen).toHaveLength(2);
    expect(await store.head('k')).toMatchObject({ bytes: 1 });
    expect(bucket.seen).toHaveLength(3);
    bucket.fault = (_, response) => refuse(response, 403, 'RequestTimeTooSkewed');
    await expect(store.head('k')).rejects.toThrow(/denied access|The clock of this machine/);
    await expect(store.read('k')).rejects.toThrow(/The clock of this machine is 60 min behind that of 127\.0\.0\.1/);
    store.close();
    bucket.fault = undefined;
  });

  test('writes without a condition to a store that does not know it', async () => {
    bucket.fault = ({ headers }, response) => 'if-none-match' in headers && refuse(response, 501, 'NotImplemented');
    const store = storeAt(bucket.endpoint);
    expect(await store.write('k', bodyOf(Buffer.from('x'), 'text/plain'), { ifNoneMatch: '*' })).toBe('written');
    bucket.fault = ({ method }, response) => method === 'PUT' && refuse(response, 412, 'PreconditionFailed');
    expect(await store.write('k', bodyOf(Buffer.from('x'), 'text/plain'), { ifNoneMatch: '*' })).toBe('existed');
    bucket.fault = undefined;
    store.close();
  });

  test('stops at once when cancelled', async () => {
    const cancelled = new AbortController();
    const failure = await failureOf(
      () => {
        cancelled.abort();
        return true;
      },
      (store) => store.write('k', bodyOf(Buffer.from('x'), 'text/plain'), { signal: cancelled.signal }),
    );
    expect(failure.code).toBe('store-cancelled');
    expect(bucket.seen).toHaveLength(1);
  });

  test('attack: a list with made-up keys without end is cut off', async () => {
    let pages = 0;
    bucket.fault = (_, response) => {
      const keys = Array.from({ length: 1000 }, (_, n) => `p/${String(pages * 1000 + n).padStart(12, '0')}`);
      const listed = keys.map((key) => `<Contents><Key>${key}</Key><Size>1</Size></Contents>`).join('');
      const more = `<IsTruncated>true</IsTruncated><NextContinuationToken>${++pages}</NextContinuationToken>`;
      return Boolean(response.end(`<ListBucketResult>${more}${listed}</ListBucketResult>`));
    };
    const env = { address: readS3Address('s3://team/p', { endpoint: bucket.endpoint }, {}), clock: quick };
    const sender = new Egress({ clock: systemClock, version: '0.0.0-test', allowLocal: false });
    const store = new S3Store({ ...env, sender, credentials: async () => TEST_KEYS }, 4500);
    let listed = 0;
    const all = async (): Promise<void> => {
      for await (const _ of store.list('')) if (++listed > 20_000) throw new Error('goes on');
    };
    await expect(all()).rejects.toThrow('There are more than 4,500 objects in s3://team/p.');
    expect(pages).toBe(5);
    store.close();
    bucket.fault = undefined;
  });

  test('a page in place of a list is not taken for an empty bucket', async () => {
    const page: Fault = (_, response) => {
      response.end('<html>Sign in</html>');
      return true;
    };
    const failure = await failureOf(page, async (store) => {
      for await (const _ of store.list('')) break;
    });
    expect(failure.message).toMatch(/did not answer like an S3-compatible store/);
  });
});

test('says that nothing listens, that the name is unknown, and that it is not HTTP', async () => {
  const noise = createTcpServer((socket) => socket.end('SSH-2.0-x\r\n'));
  await new Promise<void>((resolve) => noise.listen(0, '127.0.0.1', resolve));
  const closed = createServer();
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
  const { port } = closed.address() as AddressInfo;
  closed.close();
  const cases: readonly (readonly [string, RegExp])[] = [
    [`http://127.0.0.1:${port}`, /Connection refused/],
    ['http://no-such-store.invalid', /no-such-store\.invalid could not be resolved/],
    [`http://127.0.0.1:${(noise.address() as AddressInfo).port}`, /did not answer with HTTP/],
    ['http://169.254.169.254', /metadata service/],
  ];
  for (const [endpoint, sentence] of cases) {
    const store = storeAt(endpoint);
    await expect(store.head('k'), endpoint).rejects.toThrow(sentence);
    store.close();
  }
  noise.close();
});
