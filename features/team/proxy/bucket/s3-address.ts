import { StoreError } from './store-error';

/** A place in a bucket of an S3-compatible store. Plain data without credentials. */
export interface S3Address {
  readonly bucket: string;
  /** Without slashes at its ends; '' for the whole bucket. */
  readonly prefix: string;
  /** Scheme, host and port. */
  readonly endpoint: string;
  readonly region: string;
  /** `path`: `https://host/bucket/key`. `host`: `https://bucket.host/key`. */
  readonly style: 'path' | 'host';
}

/** The options and files that an address is completed from. */
export interface AddressOptions {
  /** URL of an S3-compatible store. Absent: AWS. */
  readonly endpoint?: string | undefined;
  readonly region?: string | undefined;
  readonly style?: 'path' | 'host' | undefined;
}

/** The region of AWS for buckets that were made without one. */
const DEFAULT_REGION = 'us-east-1';
/** The rules of AWS for names of buckets, and those with upper case and `_` that old buckets and other stores have. */
const BUCKET = /^[A-Za-z0-9][A-Za-z0-9._-]{1,253}[A-Za-z0-9]$/;
const REGION = /^[a-z0-9-]{1,40}$/;
/** Longest prefix in characters, so that a key stays below the 1,024 bytes of S3. */
const MOST_PREFIX = 512;
/** Characters that every S3 client shows and signs alike. */
const PREFIX = /^[A-Za-z0-9!_.*'()=,@+/-]*$/;

/** Returns true for a word that is meant as an address in a bucket. */
export function isS3Url(word: string): boolean {
  return /^s3:\/\//i.test(word);
}

/**
 * Reads `s3://bucket/prefix`. `env` and `profile` complete what `options` leave open, as for the AWS command line.
 * Throws a StoreError `store-address`.
 */
export function readS3Address(
  url: string,
  options: AddressOptions,
  env: Readonly<Record<string, string | undefined>>,
  profile: { readonly region?: string; readonly endpoint?: string } = {},
): S3Address {
  const [, bucket = '', path = ''] = /^s3:\/\/([^/?#]*)\/*([^?#]*)$/i.exec(url) ?? [];
  if (!BUCKET.test(bucket) || bucket.includes('..')) {
    throw wrong(`\`${withoutUser(url)}\` does not name a bucket.`, 'Write it as s3://BUCKET or s3://BUCKET/PREFIX.');
  }
  const prefix = path.replace(/\/+$/, '');
  const segments = prefix.split('/');
  const isOdd = prefix !== '' && segments.some((one) => one === '' || one === '.' || one === '..');
  if (prefix.length > MOST_PREFIX || !PREFIX.test(prefix) || isOdd) {
    throw wrong(
      `The prefix of \`${withoutUser(url)}\` can’t be used.`,
      `Use letters, digits and - _ . = / only, at most ${MOST_PREFIX} characters.`,
    );
  }
  const region =
    options.region ?? (env.AWS_REGION || env.AWS_DEFAULT_REGION || undefined) ?? profile.region ?? DEFAULT_REGION;
  if (!REGION.test(region)) throw wrong(`\`${region.slice(0, 60)}\` is not a region.`, 'Write it like eu-central-1.');
  const given = options.endpoint ?? (env.AWS_ENDPOINT_URL_S3 || env.AWS_ENDPOINT_URL || undefined) ?? profile.endpoint;
  // A certificate for *.s3.REGION.amazonaws.com does not cover a bucket with dots. Other stores all know paths.
  const style = options.style ?? (given === undefined && !bucket.includes('.') ? 'host' : 'path');
  const endpoint = given === undefined ? awsEndpoint(region) : endpointOf(given);
  return { bucket, prefix, endpoint, region, style };
}

/** Returns the URL of an object, or of the bucket for the key ''. `key` is below the prefix. */
export function objectUrl({ bucket, endpoint, style }: S3Address, fullKey: string): URL {
  const url = new URL(endpoint);
  if (style === 'host') url.hostname = `${bucket}.${url.hostname}`;
  const path = fullKey.split('/').map(encodeKeyPart).join('/');
  url.pathname = style === 'host' ? `/${path}` : `/${bucket}/${path}`;
  return url;
}

/** Returns the address as a person writes it. */
export function s3Url({ bucket, prefix }: S3Address, key = ''): string {
  return ['s3:/', bucket, prefix, key].filter((part) => part !== '').join('/');
}

/** Returns the key in the bucket of a key below the prefix. */
export function fullKey({ prefix }: S3Address, key: string): string {
  return prefix === '' ? key : `${prefix}/${key}`;
}

/** Percent-encodes what SigV4 wants encoded, so that the sent path is the signed one. */
function encodeKeyPart(part: string): string {
  return encodeURIComponent(part).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

function awsEndpoint(region: string): string {
  return `https://s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
}

function endpointOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.hostname === '') {
    throw wrong('The endpoint is not an http or https URL.', 'Write it like --s3 endpoint=https://s3.example.com.');
  }
  if (url.username !== '' || url.password !== '') {
    throw wrong('The endpoint contains a user name or a password.', 'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.');
  }
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') {
    throw wrong(`The endpoint \`${url.origin}\` has a path.`, 'Give only scheme, host and port.');
  }
  return url.origin;
}

/** A user may have written keys before an `@`, as other programs accept them. */
function withoutUser(url: string): string {
  return url
    .slice(0, 200)
    .replace(/^(s3:\/\/)[^/]*@/i, '$1…@')
    .replace(/[?#].*$/s, '?…');
}

function wrong(message: string, advice: string): StoreError {
  return new StoreError('store-address', message, advice);
}
