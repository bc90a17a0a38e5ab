import type { RemoteStore } from '@/features/recording-store';
import type { Option, OptionKey } from '@/proxy/cli/grammar';
import { readUploadWords } from './proxy/push/upload-words';

const TOPIC = { name: 'buckets', summary: 'a team’s S3 bucket: where it is, and what is uploaded' };
const topic = TOPIC.name;

/** The keys of `--s3`. */
const S3_KEYS: readonly OptionKey[] = [
  { name: 'endpoint', value: 'URL', help: 'the S3-compatible store (default AWS, or AWS_ENDPOINT_URL_S3)' },
  { name: 'region', value: 'NAME', help: 'the region of the bucket (default AWS_REGION, or us-east-1)' },
  { name: 'addressing', value: 'STYLE', help: 'bucket in the path, or in the host name: path or host' },
];

/** The keys of `--s3` of a command that uploads. */
const UPLOAD_KEYS: readonly OptionKey[] = [
  ...S3_KEYS,
  { name: 'tag', value: 'TEXT', help: 'a tag to find the recording by; repeatable' },
  { name: 'author', value: 'NAME', help: 'who recorded it (default: user.name of git)' },
];

/** A key of `--s3` that only the page has. */
const FROM_KEY: OptionKey = {
  name: 'from',
  value: 's3://BUCKET',
  help: 'list the recordings of this bucket or prefix on the page',
};

/** Options of uploads: the store, what is said of recordings, and what may be in them. */
export const ABOUT_UPLOADS: readonly Option[] = aboutUploads(UPLOAD_KEYS);

function aboutUploads(keys: readonly OptionKey[]): readonly Option[] {
  return [
    { name: 's3', value: 'KEY=VALUE', help: 'the store, and facts of what is uploaded; repeatable', keys, topic },
    {
      name: 'policy',
      value: 'FILE',
      help: 'what to mask and keep (default: share.policy.json, if there is one)',
      topic,
    },
    { name: 'mask', value: 'strict', help: 'upload nothing while a possible secret is undecided', topic },
  ];
}

const TO: Option = { name: 'to', value: 's3://BUCKET', help: 'upload recordings to this bucket or prefix', topic };
const UPLOAD_OPTIONS = [TO, ...ABOUT_UPLOADS];

/** The team’s S3 bucket. */
export const bucket: RemoteStore = {
  scheme: 's3',
  topic: TOPIC,
  options: [
    { name: 's3', value: 'KEY=VALUE', help: 'the store of s3://… addresses; repeatable', keys: S3_KEYS, topic },
  ],
  load: () => import('./proxy/bucket-reader').then((file) => file.bucketReader),
  uploads: {
    options: UPLOAD_OPTIONS,
    awaited: [
      ...UPLOAD_OPTIONS,
      { name: 'require-upload', help: 'exit code 3 if the recording is not uploaded', topic },
    ],
    ofPage: [TO, ...aboutUploads([...UPLOAD_KEYS, FROM_KEY])],
    read: readUploadWords,
    prepare: (...given) => import('./proxy/push/command-upload').then((file) => file.prepareUpload(...given)),
    startInPage: (...given) => import('./proxy/push/page-uploads').then((file) => file.startUploads(...given)),
    settingsOf: (words) => import('./proxy/push/upload-settings').then((file) => file.uploadSettings(words)),
    tapOptions: (words) => import('./proxy/push/given-order').then((file) => file.tapOptionsFor(words)),
  },
};
