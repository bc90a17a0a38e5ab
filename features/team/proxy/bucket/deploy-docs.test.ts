import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { RECORDINGS, SUMMARIES } from './keys';

const read = (name: string): string => readFileSync(join(import.meta.dirname, '../../../../docs/deploy', name), 'utf8');

test.each(['iam-push.json', 'iam-read.json'])('%s allows nothing outside of the two prefixes', (name) => {
  const policy = JSON.parse(read(name));
  expect(Object.keys(policy)).toEqual(['Version', 'Statement']);
  expect(policy.Version).toBe('2012-10-17');
  for (const { Effect, Action, Resource, Condition } of policy.Statement) {
    expect(Effect).toBe('Allow');
    for (const action of Action) expect(action).toMatch(/^s3:[A-Z]\w+$/);
    const isList = Action.includes('s3:ListBucket');
    const objects = [RECORDINGS, SUMMARIES].map((prefix) => `arn:aws:s3:::BUCKET/PREFIX/${prefix}*`);
    expect(Resource).toEqual(isList ? ['arn:aws:s3:::BUCKET'] : objects);
    expect(Condition).toEqual(isList ? { StringLike: { 's3:prefix': ['PREFIX/*'] } } : undefined);
  }
});

test('the lifecycle keeps recordings and summaries equally long, and ends unfinished uploads', () => {
  const { Rules: rules, ...rest } = JSON.parse(read('lifecycle.json'));
  expect(rest).toEqual({});
  const ofPrefix = new Map<string, Record<string, unknown>>();
  for (const { ID, Status, Filter, ...does } of rules) {
    expect([Status, Object.keys(Filter)]).toEqual(['Enabled', ['Prefix']]);
    expect(ID).toMatch(/^[\w-]{1,255}$/);
    ofPrefix.set(Filter.Prefix, does);
  }
  const kept = { Expiration: { Days: 90 } };
  expect(ofPrefix.get(`PREFIX/${RECORDINGS}`)).toEqual(kept);
  expect(ofPrefix.get(`PREFIX/${SUMMARIES}`)).toEqual(kept);
  expect(ofPrefix.get('PREFIX/')).toEqual({ AbortIncompleteMultipartUpload: { DaysAfterInitiation: 7 } });
});

/** Fields of the Compose Specification that the file uses. */
const FIELDS = {
  top: ['services', 'volumes', 'secrets'],
  service: [
    'image',
    'build',
    'depends_on',
    'init',
    'restart',
    'entrypoint',
    'command',
    'ports',
    'environment',
    'secrets',
    'volumes',
    'stop_grace_period',
    'healthcheck',
  ],
};

test('the compose file keeps the outbox, publishes only the tap, and holds no credential', () => {
  const text = read('compose.yaml');
  const compose = parse(text);
  expect(FIELDS.top).toEqual(expect.arrayContaining(Object.keys(compose)));
  for (const service of Object.values<object>(compose.services)) {
    expect(FIELDS.service).toEqual(expect.arrayContaining(Object.keys(service)));
  }
  const { server, tap } = compose.services;
  expect(server.ports).toBeUndefined();
  expect(tap.volumes).toEqual([`recordings:${tap.environment.MCP_INSPECT_HOME}`]);
  expect(Object.keys(compose.volumes)).toEqual(['recordings']);
  expect(tap.secrets).toEqual(Object.keys(compose.secrets));
  expect(tap.environment.AWS_SHARED_CREDENTIALS_FILE).toBe(`/run/secrets/${tap.secrets[0]}`);
  for (const port of tap.ports) expect(port).toMatch(/^127\.0\.0\.1:(\d+):\1$/);
  expect(tap.command).toContain(`--port=${tap.ports[0].split(':').at(-1)}`);
  expect(text).not.toMatch(/AKIA|AWS_SECRET_ACCESS_KEY/);
});
