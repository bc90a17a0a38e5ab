import { RECORDINGS, readKey } from './keys';
import type { ObjectStore } from './object-store';
import { StoreError } from './store-error';

/** A recording's URL in two parts. */
export interface RecordingUrl {
  /** `s3://bucket/prefix`. */
  readonly place: string;
  /** Key below the prefix. */
  readonly key: string;
}

/** Longest key in bytes that S3 allows. */
const KEY_BYTES = 1024;
/** Printable ASCII without spaces and quotes, so that a key is the same in a terminal, a link and a request. */
const KEY = /^[!#-&(-;=?-_a-z~]+$/;

/**
 * Splits the URL of a recording: `s3://bucket/prefix/recordings/v1/2026/11/26/….mcpr.jsonl`, or of any other object
 * that is named as a recording. Throws a StoreError `store-address`.
 */
export function splitRecordingUrl(url: string): RecordingUrl {
  const [, bucket = '', path = ''] = /^s3:\/\/([^/?#]*)\/+(.*)$/is.exec(url) ?? [];
  const at = `/${path}`.lastIndexOf(`/${RECORDINGS}`);
  const key = at < 0 ? path : path.slice(at);
  const prefix = at <= 0 ? '' : path.slice(0, at - 1);
  const isKey = KEY.test(key) && key.length <= KEY_BYTES && key.endsWith('.mcpr.jsonl');
  // Some programs resolve such segments, others don’t.
  const hasDots = key.split('/').some((part) => part === '.' || part === '..');
  if (bucket !== '' && !bucket.includes('@') && isKey && !hasDots)
    return { place: `s3://${bucket}${prefix === '' ? '' : `/${prefix}`}`, key };
  throw new StoreError(
    'store-address',
    'The address does not name a recording in a bucket.',
    'Write it as `mcp-inspect recordings s3://BUCKET` prints it: s3://BUCKET/….mcpr.jsonl.',
  );
}

/** The place of a recording in a bucket, and how its key is found there. */
export interface FoundByUrl {
  /** `s3://bucket/prefix`. */
  readonly place: string;
  /** Resolves with its key below the prefix. Rejects with a StoreError. */
  find(store: Pick<ObjectStore, 'list'>, signal?: AbortSignal): Promise<string>;
}

/** An address that ends in the start of a digest, as a list shows it: `s3://bucket/prefix/5b43157eeb39`. */
const SHORT_URL = /^(s3:\/\/[^/?#@]+(?:\/[^?#]*?)?)\/+([0-9a-f]{8,64})$/;

/** True for the URL of a recording, whole or short. Any other names a bucket or a prefix. */
export function namesRecording(url: string): boolean {
  return SHORT_URL.test(url) || /\.mcpr\.jsonl$/.test(url);
}

/** Reads the URL of a recording, whole or short. Throws a StoreError `store-address`. */
export function readRecordingUrl(url: string): FoundByUrl {
  const [, place, digest] = SHORT_URL.exec(url) ?? [];
  if (place !== undefined && digest !== undefined)
    return { place, find: (store, signal) => findByDigest(store, place, digest, signal) };
  const whole = splitRecordingUrl(url);
  return { place: whole.place, find: () => Promise.resolve(whole.key) };
}

/** Other files that people put into a bucket: a packed recording, an HTTP Archive, pins or a report. */
const OTHER_FILE = /^(s3:\/\/[^/?#@]+(?:\/[^?#]*?)?)\/+([!#-&(-.0-;=@-_a-z~]+\.(?:mcpr\.gz|har|json))$/;

/** True for the URL of one file, a recording or another. Any other names a bucket or a prefix. */
export function namesFile(url: string): boolean {
  return namesRecording(url) || OTHER_FILE.test(url);
}

/** Reads the URL of one file, a recording or another. Throws a StoreError `store-address`. */
export function readFileUrl(url: string): FoundByUrl {
  const [, place, key] = OTHER_FILE.exec(url) ?? [];
  if (place === undefined || key === undefined) return readRecordingUrl(url);
  return { place, find: () => Promise.resolve(key) };
}

/** Looks through the names of all recordings, since a name begins with its day. */
async function findByDigest(
  store: Pick<ObjectStore, 'list'>,
  place: string,
  digest: string,
  signal: AbortSignal | undefined,
): Promise<string> {
  const found = new Map<string, string>();
  for await (const { key } of store.list(RECORDINGS, { signal })) {
    const named = readKey(key);
    if (named?.sha256.startsWith(digest)) found.set(named.sha256, key);
  }
  const [only] = found.values();
  if (found.size === 1) return only!;
  throw new StoreError(
    'store-address',
    found.size === 0
      ? `No recording in ${place} begins with ${digest}.`
      : `${found.size} recordings in ${place} begin with ${digest}.`,
    found.size === 0
      ? 'Check the prefix, and the id in `mcp-inspect recordings s3://BUCKET`.'
      : 'Write more of the digest.',
  );
}
