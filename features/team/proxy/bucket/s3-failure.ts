import { ConnectionError } from '@/lib/transports/transport';
import { docsUrl } from '@/lib/wire/docs-url';
import { type S3Address, s3Url } from './s3-address';
import { xmlText } from './s3-xml';
import { StoreError } from './store-error';

/** An answer of the store, whole. */
export interface S3Answer {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Uint8Array;
}

/** Returns a header as text. */
export function answerHeader({ headers }: Pick<S3Answer, 'headers'>, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** Returns the `Code` of an error; '' for an answer without one, such as that to HEAD. */
export function errorCode({ body }: S3Answer): string {
  const code = xmlText(Buffer.from(body).toString('utf8', 0, ERROR_BYTES), 'Code') ?? '';
  return /^\w{1,60}$/.test(code) ? code : '';
}

/** Bytes of an answer that are searched for the code of an error. Errors have a few hundred. */
const ERROR_BYTES = 16 * 1024;

const PASSING_STATUSES: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);
const PASSING_CODES: ReadonlySet<string> = new Set([
  'RequestTimeout',
  'SlowDown',
  'InternalError',
  'ServiceUnavailable',
  'OperationAborted',
  // Another program writes the same key at this moment.
  'ConditionalRequestConflict',
]);

const KEYS = `Check the keys, and that the policy of the bucket allows this. ${docsUrl('bucket')} has the least policy.`;

/** By the code of the error, and otherwise by its status. `{at}` is the address. */
const KNOWN: ReadonlyMap<string, readonly [code: StoreError['code'], message: string, advice: string]> = new Map([
  ['InvalidAccessKeyId', ['store-denied', 'The store does not know the access key for {at}.', KEYS]],
  [
    'SignatureDoesNotMatch',
    [
      'store-denied',
      'The store did not accept the signature for {at}.',
      'Check the secret key and the region. A proxy that changes headers also breaks signatures.',
    ],
  ],
  ['ExpiredToken', ['store-denied', 'The session token for {at} has expired.', 'Get new credentials.']],
  ['InvalidToken', ['store-denied', 'The session token for {at} is not valid.', 'Get new credentials.']],
  [
    'NoSuchBucket',
    ['store-missing', 'The bucket of {at} does not exist.', 'Check its name, the region and --s3 endpoint.'],
  ],
  ['NoSuchKey', ['store-missing', '{at} does not exist.', 'It may have been deleted by a lifecycle rule.']],
  ['NoSuchUpload', ['store-missing', 'The unfinished upload to {at} no longer exists.', 'Start it again.']],
  [
    'BadDigest',
    ['store-damaged', 'The bytes arrived damaged at {at}.', 'Try again. If it repeats, check proxies on the way.'],
  ],
  [
    'XAmzContentSHA256Mismatch',
    ['store-damaged', 'The bytes arrived damaged at {at}.', 'Try again. If it repeats, check proxies on the way.'],
  ],
  ['EntityTooLarge', ['store-refused', 'The store accepts no object this large at {at}.', 'Share fewer frames.']],
  ['QuotaExceeded', ['store-refused', 'The bucket of {at} is full.', 'Make room, or use another bucket.']],
  ['403', ['store-denied', 'The store denied access to {at}.', KEYS]],
  ['401', ['store-denied', 'The store denied access to {at}.', KEYS]],
  ['404', ['store-missing', '{at} does not exist.', 'Check the bucket, the region and --s3 endpoint.']],
  ['412', ['store-missing', '{at} is not the object that it was.', 'Load the list again.']],
]);

/** Returns the error for an answer that is not what was asked for. */
export function answerFailure(answer: S3Answer, address: S3Address, key: string): StoreError {
  const { status } = answer;
  const code = errorCode(answer);
  const at = s3Url(address, key);
  const region = regionOf(answer);
  if ((status >= 300 && status < 400) || code === 'AuthorizationHeaderMalformed') {
    if (region !== undefined && region !== address.region) {
      return new StoreError(
        'store-region',
        `The bucket of ${at} is in the region ${region}, not in ${address.region}.`,
        `Use --s3 region=${region}.`,
      );
    }
    return new StoreError(
      'store-region',
      `The store redirects requests for ${at} (HTTP ${status}), which are signed and so not sent elsewhere.`,
      'Check --s3 region and --s3 endpoint.',
    );
  }
  if (PASSING_STATUSES.has(status) || PASSING_CODES.has(code)) {
    return new StoreError(
      'store-busy',
      `The store can’t take requests for ${at} at the moment (HTTP ${status}${code && ` ${code}`}).`,
      'Try again later.',
      true,
    );
  }
  const known = KNOWN.get(code) ?? KNOWN.get(String(status));
  if (known) return new StoreError(known[0], known[1].replace('{at}', at), known[2]);
  return new StoreError(
    'store-refused',
    `The store refused the request for ${at} (HTTP ${status}${code && ` ${code}`}).`,
    'Check --s3 endpoint, and that it is an S3-compatible store.',
  );
}

function regionOf(answer: S3Answer): string | undefined {
  const named =
    answerHeader(answer, 'x-amz-bucket-region') ??
    xmlText(Buffer.from(answer.body).toString('utf8', 0, ERROR_BYTES), 'Region');
  return named !== undefined && /^[a-z0-9-]{1,40}$/.test(named) ? named : undefined;
}

/** Failures of connecting that may pass. */
const PASSING_FAILURES: ReadonlySet<string> = new Set([
  'connection-refused',
  'connection-reset',
  'connection-timeout',
  'host-unreachable',
  'dns-failed',
  'network-error',
]);

/** Returns the error for a request without an answer. */
export function connectionFailure(error: unknown, address: S3Address): StoreError {
  if (error instanceof StoreError) return error;
  if (error instanceof ConnectionError) {
    const { message, advice, code } = error;
    return new StoreError('store-unreachable', message, advice, PASSING_FAILURES.has(code));
  }
  return new StoreError(
    'store-unreachable',
    `The exchange with ${new URL(address.endpoint).host} failed.`,
    'Check the network and --s3 endpoint.',
    true,
  );
}

/** The clocks differ so much that the store refuses signatures, even after a correction. */
export function clockFailure(address: S3Address, aheadMs: number): StoreError {
  const minutes = Math.max(1, Math.round(Math.abs(aheadMs) / 60_000));
  return new StoreError(
    'store-clock',
    `The clock of this machine is ${minutes} min ${aheadMs > 0 ? 'ahead of' : 'behind'} that of ${new URL(address.endpoint).host}, which refuses the request.`,
    'Set the clock of this machine.',
  );
}
