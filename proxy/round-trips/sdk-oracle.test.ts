import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { canonicalJson } from '@/lib/json/canonical';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import type { StdioTarget } from '@/lib/wire/command';
import { META_KEY } from '@/lib/wire/protocol-names';
import type { Result } from './test-acts';
import { record } from './test-record';
import { CLIENTS, type SdkClient } from './test-sdk-clients';
import { SERVERS, serve, TRIPS, type Trip } from './test-trips';

/** Trips on stdio in which timing changes nothing. In others, a cancelled call may still be asked for input. */
const COMPARED = [
  'everything',
  'filesystem',
  'memory',
  'sequential-thinking',
  'demo',
  'demo, legacy',
  'modern-dual',
  'modern-dual, legacy',
];

describe.skipIf(!existsSync(join(SERVERS, 'node_modules')))(
  'the official SDK’s client sends the same messages (needs `npm ci` in e2e/servers)',
  () => {
    let folders: [ours: string, theirs: string];
    const newFolder = () => mkdtempSync(join(realpathSync(tmpdir()), 'mcp-inspect-test-'));

    beforeEach(() => {
      folders = [newFolder(), newFolder()];
    });
    afterEach(() => {
      for (const folder of folders) rmSync(folder, { recursive: true });
    });

    test.each(TRIPS.filter(({ name }) => COMPARED.includes(name)).map((trip) => [trip.name, trip] as const))(
      '%s',
      { timeout: 60_000 },
      async (_name, trip) => {
        const [mine, theirs] = folders;
        const { target } = await serve(trip, mine);
        const { frames } = await record(mine, target, trip);
        const sent = frames.filter(({ channel, direction }) => channel === 'protocol' && direction === 'to-server');
        const ours = sent.map(({ bytes }) => JSON.parse(new TextDecoder().decode(bytes)) as JsonObject);
        const other = await performWithSdk(trip, theirs);
        const inOneFolder = JSON.parse(JSON.stringify(ours).replaceAll(mine, theirs)) as JsonObject[];
        expect(compared(inOneFolder)).toEqual(compared(other));
        expect(ours.length).toBeGreaterThan(5);
      },
    );
  },
);

/** Performs a trip's acts with the SDK’s client, and returns what it sent. */
async function performWithSdk(trip: Trip, folder: string): Promise<JsonObject[]> {
  const served = await serve(trip, folder);
  const { command, args, env } = served.target as StdioTarget;
  const asked: string[] = [];
  const legacy = trip.protocol !== undefined && trip.protocol < '2026-07-28';
  const sdk = await CLIENTS[legacy ? 'SDK 2, legacy' : 'SDK 2, auto']!(asked);
  const variables = Object.entries({ ...process.env, ...env }).filter(([, value]) => typeof value === 'string');
  const transport = new StdioClientTransport({
    command,
    args: [...args],
    env: Object.fromEntries(variables as [string, string][]),
    cwd: folder,
    stderr: 'ignore',
  });
  const sent: JsonObject[] = [];
  const send = transport.send.bind(transport);
  transport.send = (message) => {
    sent.push(JSON.parse(JSON.stringify(message)) as JsonObject);
    return send(message);
  };
  await sdk.client.connect(transport);
  let last = {} as Result;
  for (const { method, params = {}, cancelled } of trip.acts) {
    const made = typeof params === 'function' ? params({ last, folder }) : params;
    last = await perform(sdk, method, made, cancelled === true);
  }
  await sdk.client.close();
  await served.close();
  return sent;
}

async function perform(sdk: SdkClient, method: string, params: object, cancelled: boolean): Promise<Result> {
  const abort = new AbortController();
  const options = { onprogress: () => cancelled && abort.abort(), signal: abort.signal };
  return (await sdk.ask(method, params, options).catch(() => ({}))) as Result;
}

/** Returns what both clients must send alike: requests and notifications in order, and answers to the server. */
function compared(sent: readonly JsonObject[]) {
  const methods = new Map(sent.map((message) => [own(message, 'id'), own(message, 'method')]));
  const asked = sent.filter((message) => own(message, 'method') !== undefined);
  return {
    asked: asked.filter(({ method }) => !OWN.test(String(method))).map((message) => withoutOwn(message, methods)),
    answers: sent
      .filter((message) => own(message, 'method') === undefined)
      .map(({ id: _, ...message }) => canonicalJson(JSON.stringify(message)))
      .sort(),
  };
}

/** The handshake, and lists and subscriptions that mcp-inspect asks for by itself. */
const OWN = /^(?:initialize|notifications\/initialized|server\/discover|subscriptions\/listen|.+\/list)$/;

/** Leaves out ids, progress tokens, the client's name and its capabilities, and the reason for a cancellation. */
function withoutOwn({ method, params }: JsonObject, methods: ReadonlyMap<unknown, unknown>): JsonObject {
  if (!isObject(params)) return { method };
  const { _meta: meta, requestId, reason: _, ...rest } = params;
  const left = Object.entries(isObject(meta) ? meta : {}).filter(([key]) => !OWN_META.has(key));
  // The SDK also names the version in notifications, which the specification asks of requests only.
  const isRequest = !String(method).startsWith('notifications/');
  return {
    method,
    params: {
      ...rest,
      ...(requestId !== undefined && { cancels: methods.get(requestId) }),
      ...(isRequest && left.length > 0 && { _meta: Object.fromEntries(left) }),
    },
  };
}

const OWN_META: ReadonlySet<string> = new Set(['progressToken', META_KEY.clientInfo, META_KEY.clientCapabilities]);
