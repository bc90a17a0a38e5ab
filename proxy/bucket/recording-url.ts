import { RECORDINGS } from './keys';
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
    'Write it as `mcp-inspect recordings --from` prints it: s3://BUCKET/….mcpr.jsonl.',
  );
}
