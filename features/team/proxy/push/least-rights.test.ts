import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { bodyOf } from '@/features/team/proxy/bucket/object-store';
import { openStore } from '@/features/team/proxy/bucket/open-store';
import {
  noStore,
  refuse,
  type SeenRequest,
  startTestBucket,
  type TestBucket,
} from '@/features/team/proxy/bucket/test-bucket';
import { requireWhole } from '@/features/team/proxy/bucket/test-objects';
import { parseRun } from '@/proxy/commands/test-command-line';
import { type TestPush, testPush } from './test-push';
import { writeRecording } from './test-recording';

const deployed = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../../../../docs/deploy', name), 'utf8');

/** The actions that AWS demands for requests, by the reference of its operations. */
const ACTIONS: readonly (readonly [action: string, is: (request: SeenRequest) => boolean])[] = [
  ['s3:AbortMultipartUpload', ({ method, target }) => method === 'DELETE' && target.includes('uploadId=')],
  ['s3:DeleteObject', ({ method }) => method === 'DELETE'],
  ['s3:ListBucket', ({ method, target }) => method === 'GET' && target.includes('list-type=2')],
  ['s3:GetObject', ({ method }) => method === 'GET' || method === 'HEAD'],
  ['s3:PutObject', ({ method, target }) => method === 'PUT' || /[?&]upload(?:s|Id)=/.test(target)],
];

function actionOf(request: SeenRequest): string {
  return ACTIONS.find(([, is]) => is(request))?.[0] ?? `${request.method} ${request.target}`;
}

function allowedBy(policy: string): string[] {
  const { Statement } = JSON.parse(deployed(policy)) as {
    Statement: readonly { readonly Action: readonly string[] }[];
  };
  return Statement.flatMap(({ Action }) => Action).sort();
}

describe.skipIf(noStore !== undefined)('the policies of least rights', () => {
  let bucket: TestBucket;
  let push: TestPush;
  beforeAll(async () => {
    bucket = await startTestBucket();
    push = await testPush();
  }, 60_000);
  afterAll(async () => {
    await bucket?.close();
    push?.remove();
  });

  /** Denies what the policy does not allow, and returns the actions that were allowed. */
  function enforce(policy: string): () => string[] {
    const allowed = allowedBy(policy);
    bucket.seen.length = 0;
    bucket.fault = (request, response) => !allowed.includes(actionOf(request)) && refuse(response, 403, 'AccessDenied');
    return () => [...new Set(bucket.seen.map(actionOf).filter((action) => allowed.includes(action)))].sort();
  }

  test('push needs all of iam-push.json and nothing else', async () => {
    const [small, large] = ['small.mcpr.jsonl', 'large.mcpr.jsonl'].map((name) => join(push.folder, name)) as [
      ...[string, string],
    ];
    writeRecording(small, 3, 100);
    // Two parts.
    writeRecording(large, 90, 100_000);
    const used = enforce('iam-push.json');
    const done = await push.runProcess([small, large, 's3://team/push'], bucket.env);
    expect(done.code, done.said).toBe(0);
    const child = push.start([large, 's3://team/cancelled'], bucket.env);
    const deny = bucket.fault!;
    bucket.fault = (request, response, body) => {
      if (request.target.includes('partNumber=2')) child.kill('SIGINT');
      return deny(request, response, body);
    };
    await once(child, 'close');
    expect(used()).toEqual(allowedBy('iam-push.json'));
    expect(await requireWhole(bucket, 'push')).toEqual({ recordings: 2, summaries: 2 });
  });

  test('reading needs all of iam-read.json and nothing else', async () => {
    const used = enforce('iam-read.json');
    const { store } = await openStore('s3://team/push', { version: '0', env: bucket.env });
    const keys: string[] = [];
    for await (const { key } of store.list('')) keys.push(key);
    expect(keys).toHaveLength(4);
    for (const key of keys) expect((await store.head(key))?.bytes).toBe((await store.read(key)).length);
    expect(used()).toEqual(allowedBy('iam-read.json'));
    await expect(store.write('recordings/v1/x', bodyOf(Buffer.from('x'), 'text/plain'))).rejects.toThrow(/denied/);
    store.close();
  });
});

test('the tap of compose.yaml is a command line that uploads', () => {
  const { tap } = parse(deployed('compose.yaml')).services;
  expect(tap.entrypoint).toEqual(['mcp-inspect']);
  const { command, request } = parseRun(tap.command);
  expect(command.name).toBe('tap');
  expect(request.given.get('to')).toEqual(['s3://BUCKET/PREFIX']);
  expect(request.given.has('no-record')).toBe(false);
});
