import type { Option } from './grammar';

/** Options that complete the address of a bucket. */
export const BUCKET_OPTIONS: readonly Option[] = [
  { name: 'endpoint', value: 'URL', help: 'the S3-compatible store (default AWS, or AWS_ENDPOINT_URL_S3)' },
  { name: 'region', value: 'NAME', help: 'the region of the bucket (default AWS_REGION, or us-east-1)' },
  { name: 'addressing', value: 'STYLE', help: 'bucket in the path, or in the host name: path or host' },
];

/** Options to list the recordings of a bucket. */
export const FROM_BUCKET_OPTIONS: readonly Option[] = [
  { name: 'from', value: 's3://BUCKET', help: 'list the recordings of this bucket or prefix; see docs/bucket.md' },
  ...BUCKET_OPTIONS,
];

/** Options of what is said of uploaded recordings, and what may be in them. */
export const ABOUT_UPLOADS: readonly Option[] = [
  { name: 'tag', value: 'TEXT', help: 'a tag to find the recording by; repeatable' },
  { name: 'author', value: 'NAME', help: 'who recorded it (default: user.name of git)' },
  { name: 'policy', value: 'FILE', help: 'what to mask and keep (default: share.policy.json, if there is one)' },
  { name: 'strict', help: 'upload nothing while something possible is undecided' },
];

/** Uploads recordings to a bucket once they end. */
export const UPLOAD_OPTIONS: readonly Option[] = [
  { name: 'to', value: 's3://BUCKET', help: 'upload recordings to this bucket or prefix; see docs/bucket.md' },
  ...BUCKET_OPTIONS,
  ...ABOUT_UPLOADS,
];
